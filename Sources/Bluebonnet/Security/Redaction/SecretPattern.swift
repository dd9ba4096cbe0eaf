/// The form of a secret that is searched for in a text.
struct SecretPattern: Hashable {
    /// The secret in the form of ``UnescapedText``.
    let bytes: [UInt8]
    /// The length in bytes of the shortest part that is also redacted.
    let shortestPiece: Int
    /// The lowercase name that must precede the secret, or nil if none is required.
    let name: [UInt8]?
    let isOfQuery: Bool

    /// Whether the secret is so short that it is redacted only as a separate word.
    var isShort: Bool { bytes.count < Self.shortestInWords }

    private static let shortestInWords = 6
    /// The length in bytes up to which a named secret is redacted only after its name.
    ///
    /// A cookie's value is often 0 or 1.
    private static let longestNamed = 2

    /// Creates a pattern.
    ///
    /// Returns nil for an empty secret, and for a query value that is as short as common words.
    init?(_ secret: Secret) {
        bytes = UnescapedText(secret.value).bytes
        guard !bytes.isEmpty, !secret.isOfQuery || bytes.count >= Self.shortestInWords else {
            return nil
        }
        isOfQuery = secret.isOfQuery
        // Query values can be words and URLs, whose parts occur in many texts.
        let piece = secret.isOfQuery ? 2 * SecretSearch.windowLength : SecretSearch.windowLength
        shortestPiece = min(bytes.count, piece)
        name =
            bytes.count <= Self.longestNamed
            ? secret.name.map { UnescapedText($0).bytes } : nil
    }
}
