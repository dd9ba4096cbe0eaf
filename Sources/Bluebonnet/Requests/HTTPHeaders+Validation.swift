import BluebonnetTransport

extension HTTPHeaders.Field {
    /// Refuses what must not be sent (RFC 9110 section 5.5), and what `URLRequest` would drop
    /// without a word.
    func check() throws(RequestSerializationError) {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
            throw RequestSerializationError(reason: "the header name \(shownName) is not a token")
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            // The value may be a secret, so it is not repeated.
            throw RequestSerializationError(
                reason: "the value of the header \(name) holds a control character"
            )
        }
    }

    /// The name as far as it is a token: a value may have been taken for a part of it.
    private var shownName: String {
        let token = String(decoding: name.utf8.prefix(while: \.isTokenByte), as: UTF8.self)
        return token.utf8.count == name.utf8.count ? token.quoted : "\(token.quoted)…"
    }
}
