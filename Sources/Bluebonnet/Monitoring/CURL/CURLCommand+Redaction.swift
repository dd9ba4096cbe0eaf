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
    func redacted(by redactor: TaskRedactor) -> CURLCommand {
        var command = self
        command.url = redactor.redacted(url: url)
        command.fields = fields.map { field in
            Exchange.Field(
                name: field.name,
                value: redactor.redacted(redactor.value(of: field), by: .library))
        }
        // The user name is often a key, with an empty password.
        if let login {
            command.login = Login(
                user: Redactor.mark, password: Redactor.mark, isDigest: login.isDigest)
        }
        if case .data(let data) = body { command.body = redactedBody(data, redactor) }
        return command
    }

    private func redactedBody(_ data: Data, _ redactor: TaskRedactor) -> Body {
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
