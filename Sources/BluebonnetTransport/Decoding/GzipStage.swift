/// A stage that removes gzip: one or more members, after which any other bytes are ignored.
final class GzipStage: DecodingStage {
    let coding = ContentCoding.gzip
    /// Whether the input so far ends with a complete member or with ignored bytes.
    private(set) var isComplete = false

    private static let firstMagicByte: UInt8 = 0x1f
    /// The bytes of a member after which zlib has checked its magic number, method and flags.
    private static let judgedHeaderSize = 4

    private let stream: InflateStream
    private var isFirstMember = true
    private var ignoresRest = false

    /// Creates a stage that expects a first member.
    init() throws(ContentDecodingError) {
        stream = try InflateStream(.gzip, coding: .gzip)
    }

    /// Decodes up to the end of a member, or discards the bytes after the last one.
    func step(
        _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) {
        if isComplete && !ignoresRest {
            guard let first = input.first else { return }
            isFirstMember = false
            // Zero padding is common. Waiting for a second byte would report it as truncated.
            ignoresRest = first != Self.firstMagicByte
            if !ignoresRest { try stream.restart(.gzip) }
        }
        if ignoresRest {
            input.advanceToEnd()
            return
        }
        do throws(ContentDecodingError) {
            isComplete = try stream.inflate(&input, into: &output)
        } catch {
            guard case .corrupt = error, !isFirstMember,
                stream.bytesTaken <= Self.judgedHeaderSize
            else { throw error }
            ignoresRest = true
            isComplete = true
        }
    }
}
