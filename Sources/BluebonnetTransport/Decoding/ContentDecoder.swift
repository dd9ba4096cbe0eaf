/// Decodes a response's content codings in the order the sender applied them; confined to one
/// thread.
package final class ContentDecoder {
    /// The codings that it removes, in the order in which the sender applied them.
    let codings: [ContentCoding]
    private let pipe: DecodingPipe
    private var hasInput = false
    private var failure: ContentDecodingError?

    private init(codings: [ContentCoding], pipe: DecodingPipe) {
        self.codings = codings
        self.pipe = pipe
    }

    /// The codings that are advertised in `Accept-Encoding`.
    ///
    /// Not deflate, which servers mean in two ways and hardly any has alone: libcurl puts a head
    /// together byte by byte, each of which takes about a hundred instructions.
    package static let acceptEncoding =
        ContentCoding.allCases.filter { $0 != .deflate }.map(\.rawValue).joined(separator: ", ")

    /// Makes a decoder for a `Content-Encoding` value, nil when it names no coding but identity.
    package static func make(
        contentEncoding: String,
        maximumCount: Int = ContentCoding.maximumCount
    ) throws(ContentDecodingError) -> ContentDecoder? {
        let codings = try ContentCoding.parse(contentEncoding, maximumCount: maximumCount)
        var pipe: DecodingPipe?
        for coding in codings.reversed() {
            pipe = try DecodingPipe(stage: coding.makeStage(), upstream: pipe)
        }
        return pipe.map { ContentDecoder(codings: codings, pipe: $0) }
    }

    /// Consumes from the front of `input` and writes to `output`, returning how many bytes.
    ///
    /// Fewer than `output.count` means every byte of input was taken and nothing more can be
    /// produced without more input. Exactly `output.count` means: call again with what is left of
    /// `input`, perhaps nothing, before feeding more. Once it has thrown, it throws the same error
    /// on every call.
    package func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        if let failure { throw failure }
        if !input.isEmpty { hasInput = true }
        do {
            return try pipe.read(&input, into: output)
        } catch {
            failure = error
            throw error
        }
    }

    /// Throws `.truncated` when the body ended inside a stream; a body of no bytes is complete.
    ///
    /// Call it when the body has ended and `decode` returned less than asked.
    package func finish() throws(ContentDecodingError) {
        if let failure { throw failure }
        guard hasInput else { return }
        try pipe.finish()
    }
}
