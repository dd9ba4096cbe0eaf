import BluebonnetTransport
import FoundationNetworking

// Parts of requests and responses, by the names in them.
extension TaskRedactor {
    /// Returns the name and the value of a field, redacted.
    package func redacted(_ field: Exchange.Field, by author: Author) -> String {
        redacted("\(field.name): \(value(of: field))", by: author)
    }

    /// Returns the value of a field with `<redacted>` in place of what its name marks as secret.
    ///
    /// Cookies keep their names.
    package func value(of field: Exchange.Field) -> String {
        if field.value.isEmpty { return "" }
        if field.name.caseInsensitiveEquals("Cookie") { return Self.redacted(cookies: field.value) }
        if furtherNames.contains(where: { $0.caseInsensitiveEquals(field.name) }) {
            return Redactor.mark
        }
        // The description of a field is its name, a colon, a space, and the printable part of its
        // value.
        return String(Substring(field.description.utf8.dropFirst(field.name.utf8.count + 2)))
    }

    private static func redacted(cookies: String) -> String {
        cookies.utf8.split(separator: UInt8(ascii: ";")).map { pair in
            let pair = Substring(pair)
            guard let sign = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                return Redactor.mark
            }
            return "\(pair[...sign].drop { $0 == " " })\(Redactor.mark)"
        }.joined(separator: "; ")
    }

    /// Returns a URL with `<redacted>` in place of its login, and of secrets in its query.
    func redacted(url: String) -> String {
        let redactor = redactor(for: .library)
        let end = url.utf8.firstIndex(of: UInt8(ascii: "?")) ?? url.endIndex
        let shown = redactor.redacted(String(url[..<end]))
        let query = Substring(url.utf8[end...].dropFirst())
        return end == url.endIndex
            ? shown : "\(shown)?\(redactor.redacted(String(query), as: [.text, .form]))"
    }

    /// Returns the status and header fields of a response, redacted.
    ///
    /// It hides fields with secret names, and the secrets that the task has sent.
    package func redacted(_ head: ResponseHead) -> [String] {
        // Once for all fields, because each search looks for the secrets of the request's body.
        let fields = head.headers.map { "\($0.name): \(value(of: $0))" }
        let text = redacted(fields.joined(separator: "\n"), by: .server)
        return ["status \(head.statusCode)"] + text.split(separator: "\n").map(String.init)
    }

    /// Returns the method and URL without secrets.
    package func summary(of request: URLRequest?) -> String {
        request.map { redacted($0.summary, by: .library) } ?? "no request"
    }
}
