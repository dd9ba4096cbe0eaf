/// What of a secret is looked for in a text.
struct SecretPattern: Hashable {
    /// The secret as ``UnescapedText`` makes it.
    let bytes: [UInt8]
    /// Bytes of the shortest piece that is hidden too, at most all of them.
    let shortestPiece: Int
    /// What has to stand before it, in lower case; nil for anything.
    let name: [UInt8]?
    let isOfQuery: Bool

    /// Whether it is so short that it is hidden only where it stands as a word of its own.
    var isShort: Bool { bytes.count < Self.shortestInWords }

    private static let shortestInWords = 6
    /// Of so few bytes nothing is hidden but behind the name: a cookie's value is often 0 or 1.
    private static let longestNamed = 2

    /// Nil for nothing, and for a value of the query that is as short as any word.
    init?(_ secret: Secret) {
        bytes = UnescapedText(secret.value).bytes
        guard !bytes.isEmpty, !secret.isOfQuery || bytes.count >= Self.shortestInWords else {
            return nil
        }
        isOfQuery = secret.isOfQuery
        // Values of a query can be words and URLs, pieces of which are in many a text.
        let piece = secret.isOfQuery ? 2 * SecretSearch.windowLength : SecretSearch.windowLength
        shortestPiece = min(bytes.count, piece)
        name =
            bytes.count <= Self.longestNamed
            ? secret.name.map { UnescapedText($0).bytes } : nil
    }
}
