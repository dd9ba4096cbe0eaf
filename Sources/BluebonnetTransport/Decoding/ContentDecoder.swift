/// A decoder that removes the content codings of a response body.
///
/// It is confined to one thread.
package final class ContentDecoder {
    /// The codings to remove, in the order in which the sender applied them.
    let codings: [ContentCoding]
    private let pipe: DecodingPipe
    private var hasInput = false
    private var failure: ContentDecodingError?

    private init(codings: [ContentCoding], pipe: DecodingPipe) {
        self.codings = codings
        self.pipe = pipe
    }

    /// The value of `Accept-Encoding`, with all codings but deflate.
    ///
    /// Servers disagree on the format of deflate, and hardly any server supports it alone. Omitting
    /// it also makes requests shorter: libcurl builds a head byte by byte, at about 100
    /// instructions per byte.
    package static let acceptEncoding =
        ContentCoding.allCases.filter { $0 != .deflate }.map(\.rawValue).joined(separator: ", ")

    /// Creates a decoder for a `Content-Encoding` value, or returns nil if it names no coding but
    /// `identity`.
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

    /// Consumes bytes from the front of `input` and returns how many bytes it wrote to `output`.
    ///
    /// If it returns less than `output.count`, all input was consumed, and more input is needed to
    /// produce more output. If it returns `output.count`, call it again with the rest of `input`,
    /// even if that is empty, before passing new input. After it has thrown, every call throws the
    /// same error.
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

    /// Throws `.truncated` if the body ended inside a stream.
    ///
    /// An empty body is complete. Call this after the end of the body, once `decode` has returned
    /// less than `output.count`.
    package func finish() throws(ContentDecodingError) {
        if let failure { throw failure }
        guard hasInput else { return }
        try pipe.finish()
    }
}
