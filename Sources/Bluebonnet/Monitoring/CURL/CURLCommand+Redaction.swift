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
            Exchange.Field(
                name: field.name,
                value: redactor.redacted(redactor.value(of: field), by: .library))
        }
        // The user name is often a key, with an empty password.
        if let login {
            command.login = Login(
                user: SecretSearch.mark, password: SecretSearch.mark, isDigest: login.isDigest)
        }
        if case .data(let data) = body { command.body = redactedBody(data, redactor) }
        return command
    }

    // MARK: URL

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

    // MARK: Body

    private func redactedBody(_ data: Data, _ redactor: Redactor) -> Body {
        let contentType = fields.first { $0.name.caseInsensitiveEquals("Content-Type") }?.value
        let isCoded = fields.contains { $0.name.caseInsensitiveEquals("Content-Encoding") }
        return
            switch redactor.redacted(
                data, contentType: contentType, isCoded: isCoded, by: .library)
        {
        case .text(let text): .data(Data(text.utf8))
        case .opaque(let note): .missing(reason: note)
        }
    }
}
