import BluebonnetTransport

/// What was sent with an exchange, for redirects that lead in a circle to be noticed.
///
/// All header fields count, since a cookie, or what a hook adds, can be what ends the circle. Of a
/// credential that the authentication adds it counts only whether there is one: the same Digest
/// field is never sent twice.
struct SentRequest: Hashable {
    private let method: String
    /// Without its fragment, which is not sent.
    private let url: Substring
    private let fields: [Exchange.Field]
    private let hasCredential: Bool

    init(_ exchange: Exchange, hasCredential: Bool) {
        method = exchange.method
        // By bytes: this is done for every exchange, and characters are dear.
        let end = exchange.url.utf8.firstIndex(of: UInt8(ascii: "#"))
        url = exchange.url[..<(end ?? exchange.url.endIndex)]
        fields = exchange.fields
        self.hasCredential = hasCredential
    }
}
