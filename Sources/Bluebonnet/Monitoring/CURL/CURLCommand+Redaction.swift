import BluebonnetTransport
import Foundation

extension CURLCommand {
    /// Returns the command with `<redacted>` in place of secrets.
    ///
    /// It redacts logins, and values with secret names in header fields, cookies, queries, forms
    /// and JSON. It also redacts secrets that the task has sent wherever they are repeated. A body
    /// in which names cannot be found is omitted. Such a body is not text, has a content coding, or
    /// looks like JSON but is not valid.
    ///
    /// - Parameter redactor: The redactor of the task.
    /// - Returns: The command without secrets.
    func redacted(by redactor: Redactor) -> CURLCommand {
        var command = self
        command.url = redactor.redacted(Self.redacted(url: url), by: .library)
        command.fields = fields.map { field in
            Exchange.Field(name: field.name, value: Self.redactedValue(of: field, redactor))
        }
        // The user name is often a key, with an empty password.
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
        // The description of a field is its name, a colon, a space, and the printable part of its
        // value.
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

    /// Returns the text without secrets, or nil if it looks like JSON but is not valid.
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

    /// Whether the body is declared as a form, in which an item's name can start with a bracket.
    private var isForm: Bool { contentType.hasPrefix("application/x-www-form-urlencoded") }

    private func looksLikeJSON(_ text: String) -> Bool {
        if contentType.contains("json") { return true }
        let first = text.utf8.first { !" \t\n".utf8.contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
