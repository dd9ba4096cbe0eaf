import BluebonnetTransport
import Foundation

extension CURLCommand {
    /// The command with `<redacted>` in the place of secrets (A-C2).
    ///
    /// Secret are the values of header fields, cookies, items of the query and of forms, and members of JSON whose
    /// names say so, and logins. What was sent as a secret is hidden where it is repeated, too. A body in which names
    /// cannot be found, because it is not text or has a content coding, is left out.
    ///
    /// - Parameter redactor: What knows the secrets of the task.
    /// - Returns: The command without them.
    func redacted(by redactor: Redactor) -> CURLCommand {
        var command = self
        command.url = redactor.redacted(Self.redacted(url: url), by: .library)
        command.fields = fields.map { field in
            Exchange.Field(name: field.name, value: Self.redactedValue(of: field, redactor))
        }
        // The user is often a key, and the password empty.
        if let login {
            command.login = Login(
                user: SecretSearch.mark, password: SecretSearch.mark, isDigest: login.isDigest)
        }
        if case .data(let data) = body { command.body = redactedBody(data, redactor) }
        return command
    }

    // MARK: URL and fields

    private static func redacted(url: String) -> String {
        let mark = url.utf8.firstIndex(of: UInt8(ascii: "?"))
        let query = mark.map { url[url.utf8.index(after: $0)...] }
        return withoutLogin(url[..<(mark ?? url.endIndex)])
            + (query.map { "?\($0.redactingItems())" } ?? "")
    }

    private static func withoutLogin(_ beforeQuery: Substring) -> String {
        guard let start = beforeQuery.firstRange(of: "://")?.upperBound,
            let at = beforeQuery[start...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
        else { return String(beforeQuery) }
        return "\(beforeQuery[..<start])\(SecretSearch.mark)\(beforeQuery[at...])"
    }

    private static func redactedValue(of field: Exchange.Field, _ redactor: Redactor) -> String {
        if field.value.isEmpty { return "" }
        if field.name.caseInsensitiveEquals("Cookie") { return redacted(cookies: field.value) }
        if redactor.furtherNames.contains(where: { $0.caseInsensitiveEquals(field.name) }) {
            return SecretSearch.mark
        }
        // The printed form of a field is its name, a colon, a space, and what may be shown.
        let shown = field.description.utf8.dropFirst(field.name.utf8.count + 2)
        return redactor.redacted(String(Substring(shown)), by: .library)
    }

    private static func redacted(cookies: String) -> String {
        cookies.utf8.split(separator: UInt8(ascii: ";")).map { pair in
            let pair = Substring(pair)
            guard let sign = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                return SecretSearch.mark
            }
            return "\(pair[...sign].drop { $0 == " " })\(SecretSearch.mark)"
        }.joined(separator: "; ")
    }

    // MARK: Body

    private func redactedBody(_ data: Data, _ redactor: Redactor) -> Body {
        let isCoded = fields.contains { $0.name.caseInsensitiveEquals("Content-Encoding") }
        guard let text = data.plainText, !isCoded || data.isEmpty else {
            return .missing(reason: "\(data.count) bytes of the body are redacted")
        }
        let shown = isJSON(text) ? text.redactingMembers() : text[...].redactingItems()
        return .data(Data(redactor.redacted(shown, by: .library).utf8))
    }

    private func isJSON(_ text: String) -> Bool {
        let type = fields.first { $0.name.caseInsensitiveEquals("Content-Type") }?.value
        if type?.lowercased().contains("json") == true { return true }
        let first = text.utf8.first { !" \t\n".utf8.contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
