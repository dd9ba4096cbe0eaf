import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Hides the secrets that a task has sent wherever a text repeats them.
///
/// It refers to the sent requests, and searches them for secrets only when a text is printed. Most
/// tasks succeed, and few errors are ever printed.
struct Redactor: Sendable {
    /// The requests that the task's exchanges have sent.
    var sent: [SentRequest] = []
    /// The request of an error, which might have been refused and not sent.
    var request: URLRequest?
    /// The credentials that answered challenges.
    var credentials: [URLCredential] = []
    /// The proxies that the task logged in to.
    var proxies: [Exchange.Route.Proxy] = []
    /// The names of additional fields with secret values.
    var furtherNames: Set<String> = []

    /// The author of a text.
    enum Author {
        /// The library.
        ///
        /// Short values and query values are not hidden, because that could hide its own words.
        case library
        /// The server, or code that has read its response.
        case server
    }

    /// Returns the text with `<redacted>` in place of secrets and parts of them.
    ///
    /// The result covers at most `limit` Unicode scalars of the text. The search covers the whole
    /// text, so that no secret is shown in part at the limit.
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
        // The set removes duplicates, because the request repeats most of what was sent.
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
            if let body = request.httpBody {
                secrets += Secret.all(
                    inBody: body, request.value(forHTTPHeaderField: "Content-Type"))
            }
        }
        secrets += credentials.compactMap(\.password).map { Secret($0) }
        for proxy in proxies { secrets += Secret.all(in: proxy, furtherNames) }
        return secrets
    }
}

extension Redactor {
    /// Returns an error that is safe to print.
    ///
    /// A ``BluebonnetError`` hides its own secrets. Any other error is replaced by a redacted copy.
    func printable(_ error: any Error) -> any Error {
        if error is BluebonnetError { return error }
        let text = redacted("\(error)", by: .server)
        let (domain, code) = ((error as NSError).domain, (error as NSError).code)
        return NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
    }
}

extension Redactor: CustomReflectable {
    /// Nothing, because every member can be secret.
    var customMirror: Mirror { Mirror(self, children: []) }
}
