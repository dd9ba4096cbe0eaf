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

    /// The name in quotes, with everything escaped that is not printable ASCII.
    ///
    /// What follows a colon is left out: it is a value, which may be a secret.
    private var shownName: String {
        let end = name.unicodeScalars.firstIndex(of: ":").map(name.unicodeScalars.index(after:))
        let shown = name.unicodeScalars[..<(end ?? name.endIndex)].prefix(200)
        let isCut = shown.endIndex != name.endIndex
        return "\"\(shown.map { $0.escaped(asASCII: true) }.joined())\"\(isCut ? "…" : "")"
    }
}
