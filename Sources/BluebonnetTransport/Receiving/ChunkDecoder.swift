/// A decoder of the chunked coding that strictly follows RFC 9112 section 7.1.
///
/// libcurl finds the end of the body in the same bytes, and accepts more than the standard does. So
/// it passes the bytes on undecoded, and this decoder rejects input that two recipients could
/// interpret differently.
struct ChunkDecoder {
    /// The position of the next byte in the framing.
    private enum Place {
        case sizeStart, size, extensions(ChunkExtension), sizeLineFeed
        case data, dataReturn, dataLineFeed
        case trailer, end
    }

    /// The bytes of framing that are accepted with any body.
    private static let freeOverhead = 4 * 1024 * 1024
    /// The bytes of framing that are accepted for each byte of the body.
    ///
    /// A chunk of one byte takes five.
    private static let largestRatio = 256

    private var place = Place.sizeStart
    /// The number of bytes left in the chunk.
    private var size = 0
    private var bodyCount = 0
    private var overhead = 0
    /// The incomplete line of the trailer.
    private var line: [UInt8] = []
    private let largestLine: Int

    /// Creates a decoder.
    ///
    /// - Parameter largestLine: The most bytes of a line in the trailer.
    init(largestLine: Int) {
        self.largestLine = largestLine
    }

    /// Whether the body and its trailer are complete.
    var isAtEnd: Bool { if case .end = place { true } else { false } }

    /// Takes the next bytes of a connection, and returns how many of them belong to the response.
    ///
    /// `data` is called with each piece of the body. `trailer` is called with each line of the
    /// trailer but the empty one, including its line end.
    mutating func take(
        _ input: UnsafeRawBufferPointer,
        data: (UnsafeRawBufferPointer) throws(Exchange.Failure) -> Void,
        trailer: (UnsafeRawBufferPointer) throws(Exchange.Failure) -> Void
    ) throws(Exchange.Failure) -> Int {
        var index = 0
        while index < input.count, !isAtEnd {
            if case .data = place {
                let count = min(size, input.count - index)
                try data(UnsafeRawBufferPointer(rebasing: input[index..<(index + count)]))
                index += count
                size -= count
                bodyCount += count
                if size == 0 { place = .dataReturn }
            } else {
                try takeFraming(input[index], trailer)
                index += 1
                try countOverhead()
            }
        }
        return index
    }

    private mutating func takeFraming(
        _ byte: UInt8,
        _ trailer: (UnsafeRawBufferPointer) throws(Exchange.Failure) -> Void
    ) throws(Exchange.Failure) {
        switch place {
        case .sizeStart, .size: try takeSize(byte)
        case .extensions(let extensions):
            if byte == UInt8(ascii: "\r"), extensions.mayEnd {
                place = .sizeLineFeed
            } else if let next = extensions.next(byte) {
                place = .extensions(next)
            } else {
                throw .malformedChunk("a chunk has an extension that RFC 9112 does not allow")
            }
        case .sizeLineFeed:
            guard byte == UInt8(ascii: "\n") else {
                throw .malformedChunk("the line of a chunk's size does not end with CR and LF")
            }
            place = size == 0 ? .trailer : .data
        case .dataReturn:
            guard byte == UInt8(ascii: "\r") else { throw .chunkDoesNotEnd }
            place = .dataLineFeed
        case .dataLineFeed:
            guard byte == UInt8(ascii: "\n") else { throw .chunkDoesNotEnd }
            place = .sizeStart
        case .trailer: try takeTrailer(byte, trailer)
        case .data, .end: break
        }
    }

    private mutating func takeSize(_ byte: UInt8) throws(Exchange.Failure) {
        let isFirst = if case .sizeStart = place { true } else { false }
        if let digit = byte.hexDigit {
            let former = isFirst ? 0 : size
            guard former <= Int.max >> 4 else {
                throw .malformedChunk("a chunk's size does not fit into 63 bits")
            }
            size = former << 4 | digit
            place = .size
        } else if !isFirst, byte == UInt8(ascii: "\r") {
            place = .sizeLineFeed
        } else if !isFirst, let next = ChunkExtension.beforeSemicolon.next(byte) {
            place = .extensions(next)
        } else {
            throw .malformedChunk("a chunk does not begin with its size in hexadecimal digits")
        }
    }

    private mutating func takeTrailer(
        _ byte: UInt8,
        _ trailer: (UnsafeRawBufferPointer) throws(Exchange.Failure) -> Void
    ) throws(Exchange.Failure) {
        line.append(byte)
        guard byte == UInt8(ascii: "\n") else {
            guard line.count <= largestLine else { throw .trailerTooLarge(largestLine) }
            return
        }
        guard line.count > 1, line[line.count - 2] == UInt8(ascii: "\r") else {
            throw .malformed(
                .trailer, "a line of the response's trailer does not end with CR and LF")
        }
        let taken = line
        line.removeAll(keepingCapacity: true)
        guard taken.count > 2 else {
            place = .end
            return
        }
        try taken.withUnsafeBytes { bytes in
            Result { () throws(Exchange.Failure) in try trailer(bytes) }
        }.get()
    }

    private mutating func countOverhead() throws(Exchange.Failure) {
        overhead += 1
        guard overhead > Self.freeOverhead + Self.largestRatio * bodyCount else { return }
        throw .malformedChunk(
            "the response's chunks contain hardly any data compared to their framing")
    }
}

extension Exchange.Failure {
    fileprivate static func malformedChunk(_ message: String) -> Self {
        malformed(.chunk, message)
    }

    fileprivate static let chunkDoesNotEnd = malformedChunk(
        "a chunk's data is not followed by CR and LF after the size that it declares")

    static let cutInChunks = Self(
        .networkConnectionLost,
        message: "the connection ended before the response's last chunk")
}

extension UInt8 {
    /// The value of a hexadecimal digit, or nil for any other byte.
    fileprivate var hexDigit: Int? {
        switch self {
        case 0x30...0x39: Int(self) - 0x30
        case 0x41...0x46: Int(self) - 0x37
        case 0x61...0x66: Int(self) - 0x57
        default: nil
        }
    }
}
