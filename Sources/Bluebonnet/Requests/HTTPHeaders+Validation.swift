import BluebonnetTransport

extension HTTPHeaders.Field {
    /// Throws an error for a field that must not be sent (RFC 9110 section 5.5), or that
    /// `URLRequest` would silently drop.
    func check() throws(RequestSerializationError) {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
            throw RequestSerializationError(reason: "the header name \(shownName) is not a token")
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            // The value can be a secret, so the message does not contain it.
            throw RequestSerializationError(
                reason: "the value of the header \(name) contains a control character"
            )
        }
    }

    /// The name in quotes, at most 200 characters long, with all but printable ASCII escaped.
    ///
    /// Text after a colon is left out, because it is a value that can be secret.
    private var shownName: String {
        let end = name.unicodeScalars.firstIndex(of: ":").map(name.unicodeScalars.index(after:))
        let shown = name.unicodeScalars[..<(end ?? name.endIndex)].prefix(200)
        let isCut = shown.endIndex != name.endIndex
        return "\"\(shown.map { $0.escaped(asASCII: true) }.joined())\"\(isCut ? "…" : "")"
    }
}
