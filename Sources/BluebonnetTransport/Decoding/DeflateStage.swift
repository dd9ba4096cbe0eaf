/// Removes deflate: a zlib stream, or the bare deflate data that some servers send instead.
final class DeflateStage: DecodingStage {
    let coding = ContentCoding.deflate
    /// Whether the stream has ended; later bytes are ignored.
    private(set) var isComplete = false

    private let stream: InflateStream
    private var firstByte: UInt8?
    private var isFramingKnown = false

    /// Creates a stage that has yet to see which framing is used.
    init() throws(ContentDecodingError) {
        stream = try InflateStream(.zlib, coding: .deflate)
    }

    /// Decodes once two bytes have told the framing; holds back the first byte until then.
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

    /// No deflate stream ends within its first byte, nor does that byte produce output.
    private func inflateHeldByte(
        _ byte: UInt8, into output: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) {
        try withUnsafeBytes(of: byte) { (held) throws(ContentDecodingError) in
            var held = held
            _ = try stream.inflate(&held, into: &output)
        }
    }

    /// RFC 1950 section 2.2: method 8, a window of at most 32 KiB, and a multiple of 31.
    private static func isZlibHeader(_ first: UInt8, _ second: UInt8) -> Bool {
        first & 0x0f == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0
    }
}
