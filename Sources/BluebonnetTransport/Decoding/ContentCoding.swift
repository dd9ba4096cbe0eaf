/// A content coding that the decoder can remove, by its registered name.
package enum ContentCoding: String, CaseIterable {
    case gzip
    case deflate
    case brotli = "br"
    case zstd

    /// The default limit on the number of codings of one response.
    package static let maximumCount = 4

    private init?(token: String) {
        let name = token.lowercased()
        // RFC 9110 section 8.4.1.3: a recipient treats x-gzip as gzip.
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// Parses a `Content-Encoding` value into its codings, in the order they were applied.
    static func parse(
        _ value: String,
        maximumCount: Int = Self.maximumCount
    ) throws(ContentDecodingError) -> [ContentCoding] {
        let tokens = tokens(in: value)
        guard tokens.count <= maximumCount else {
            throw .tooManyCodings(tokens.count, accepted: maximumCount)
        }
        var codings: [ContentCoding] = []
        for token in tokens {
            guard let coding = ContentCoding(token: token) else { throw .unknownCoding(token) }
            codings.append(coding)
        }
        return codings
    }

    /// Returns the codings in a `Content-Encoding` value that the decoder cannot remove, as spelled
    /// there.
    static func unknownNames(in value: String) -> [String] {
        tokens(in: value).filter { ContentCoding(token: $0) == nil }
    }

    /// Returns the names in a `Content-Encoding` value, in the order they were applied, without
    /// `identity`.
    private static func tokens(in value: String) -> [String] {
        value.split(separator: ",")
            .map { String($0.trimmed) }
            .filter { !$0.isEmpty && $0.lowercased() != "identity" }
    }

    /// Creates a decoder for one stream of the coding.
    func makeStage() throws(ContentDecodingError) -> any DecodingStage {
        switch self {
        case .gzip: try GzipStage()
        case .deflate: try DeflateStage()
        case .brotli: try BrotliStage()
        case .zstd: try ZstdStage()
        }
    }
}
