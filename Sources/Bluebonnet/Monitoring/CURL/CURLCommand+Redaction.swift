import BluebonnetTransport
import Foundation

extension CURLCommand {
    /// The command with `<redacted>` in the place of secrets.
    ///
    /// Redacts logins and the values of header fields, cookies, items of the query and of forms, and members of JSON
    /// whose names are secret. A secret that the task has sent is hidden where it is repeated, too. A body in which
    /// names cannot be found is left out: it is not text, has a content coding, or looks like JSON and is not.
    ///
    /// - Parameter redactor: The redactor of the task.
    /// - Returns: The command without secrets.
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
        guard let text = String(validating: data, as: UTF8.self), !isCoded || data.isEmpty,
            text.unicodeScalars.allSatisfy({ $0.isPlain || $0 == "\t" })
        else { return .missing(reason: "\(data.count) bytes of the body are redacted") }
        guard let shown = redacted(text) else {
            return .missing(
                reason: "\(data.count) bytes of the body are redacted: they are not valid JSON")
        }
        return .data(Data(redactor.redacted(shown, by: .library).utf8))
    }

    /// The text without what its names say is secret; nil for what looks like JSON and is not.
    private func redacted(_ text: String) -> String? {
        if isForm { return text[...].redactingItems() }
        guard looksLikeJSON(text) else { return text.redactingMembers()[...].redactingItems() }
        let data = Data(text.utf8)
        guard (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
        else { return nil }
        return text.redactingMembers()
    }

    private var contentType: String {
        let field = fields.first { $0.name.caseInsensitiveEquals("Content-Type") }
        return field?.value.lowercased() ?? ""
    }

    /// Whether it is declared as a form, in which the name of an item may begin with a bracket.
    private var isForm: Bool { contentType.hasPrefix("application/x-www-form-urlencoded") }

    private func looksLikeJSON(_ text: String) -> Bool {
        if contentType.contains("json") { return true }
        let first = text.utf8.first { !" \t\n".utf8.contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
