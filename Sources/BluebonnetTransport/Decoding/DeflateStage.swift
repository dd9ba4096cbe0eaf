/// A stage that removes deflate: a zlib stream, or the raw deflate data that some servers send.
final class DeflateStage: DecodingStage {
    let coding = ContentCoding.deflate
    /// Whether the stream has ended, after which bytes are ignored.
    private(set) var isComplete = false

    private let stream: InflateStream
    private var firstByte: UInt8?
    private var isFramingKnown = false

    /// Creates a stage that detects the framing from the first two bytes.
    init() throws(ContentDecodingError) {
        stream = try InflateStream(.zlib, coding: .deflate)
    }

    /// Decodes until a buffer is used up or the stream ends.
    ///
    /// The first byte is held back until the second one reveals the framing.
    func step(
        _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) {
        if isComplete {
            input.advanceToEnd()
            return
        }
        if !isFramingKnown {
            guard let next = input.first else { return }
            guard let firstByte else {
                firstByte = next
                input.advance(by: 1)
                return
            }
            if !Self.isZlibHeader(firstByte, next) { try stream.restart(.raw) }
            isFramingKnown = true
            try inflateHeldByte(firstByte, into: &output)
        }
        isComplete = try stream.inflate(&input, into: &output)
    }

    /// Decodes the first byte, which neither produces output nor ends a stream.
    private func inflateHeldByte(
        _ byte: UInt8, into output: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) {
        try withUnsafeBytes(of: byte) { (held) throws(ContentDecodingError) in
            var held = held
            _ = try stream.inflate(&held, into: &output)
        }
    }

    /// Returns whether two bytes are a zlib header (RFC 1950 section 2.2).
    ///
    /// The method is 8, the window is at most 32 KiB, and the two bytes are a multiple of 31.
    private static func isZlibHeader(_ first: UInt8, _ second: UInt8) -> Bool {
        first & 0x0f == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0
    }
}
