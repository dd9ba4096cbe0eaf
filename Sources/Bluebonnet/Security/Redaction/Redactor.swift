import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Hides in a text the secrets that a task has sent, whoever repeats them.
///
/// It refers to what was sent, and looks for secrets in it only when a text is printed: most tasks
/// succeed, and few errors are ever printed.
struct Redactor: Sendable {
    /// What the exchanges of the task have sent.
    var sent: [SentRequest] = []
    /// The request of an error, which may have been refused and not sent.
    var request: URLRequest?
    /// What challenges were answered with.
    var credentials: [URLCredential] = []
    /// Who was logged in to.
    var proxies: [Exchange.Route.Proxy] = []
    /// Fields that are as secret as those whose names say so.
    var furtherNames: Set<String> = []

    /// Who has written a text.
    enum Author {
        /// The library, whose own words a short value, or one of the query, would make holes in.
        case library
        /// The server, or somebody who read what it sent.
        case server
    }

    /// The text, or so many Unicode scalars of its beginning, with `<redacted>` in the place of
    /// secrets and of pieces of them.
    ///
    /// What follows the end is looked at too, so that no secret is shown as far as it goes.
    func redacted(_ text: String, by author: Author, limit: Int = .max) -> String {
        let patterns = patterns(for: author)
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex)
        guard !patterns.isEmpty else { return String(text[..<(end ?? text.endIndex)]) }
        var search = SecretSearch(in: text)
        for pattern in patterns { search.find(pattern) }
        return search.redactedText(upTo: end ?? text.endIndex)
    }

    private func patterns(for author: Author) -> Set<SecretPattern> {
        // Most are in the request and in what was sent, and each is work.
        let patterns = Set(Set(secrets).compactMap { SecretPattern($0) })
        guard author == .library else { return patterns }
        return patterns.filter { !$0.isOfQuery && !$0.isShort }
    }

    private var secrets: [Secret] {
        var secrets: [Secret] = []
        for sent in sent {
            secrets += Secret.all(in: sent.sentFields, furtherNames)
            secrets += Secret.all(inURL: sent.url)
        }
        if let request {
            let fields = request.allHTTPHeaderFields ?? [:]
            secrets += Secret.all(
                in: fields.map { Exchange.Field(name: $0.key, value: $0.value) }, furtherNames
            )
            secrets += Secret.all(inURL: request.url?.absoluteString ?? "")
        }
        secrets += credentials.compactMap(\.password).map { Secret($0) }
        for proxy in proxies { secrets += Secret.all(in: proxy, furtherNames) }
        return secrets
    }
}

extension Redactor {
    /// An error that can be printed: one that hides its secrets itself, or the text of another.
    func printable(_ error: any Error) -> any Error {
        if error is BluebonnetError { return error }
        let text = redacted("\(error)", by: .server)
        let (domain, code) = ((error as NSError).domain, (error as NSError).code)
        return NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// A response's status and header fields, without the secrets that their names tell of and
    /// those that were sent.
    func redacted(_ head: ResponseHead) -> [String] {
        let fields = head.headers.map { field in
            furtherNames.contains { $0.caseInsensitiveEquals(field.name) }
                ? "\(field.name): \(SecretSearch.mark)"
                : redacted(field.description, by: .server)
        }
        return ["status \(head.statusCode)"] + fields
    }

    /// Method and URL without secrets.
    func summary(of request: URLRequest?) -> String {
        request.map { redacted($0.summary, by: .library) } ?? "no request"
    }
}
