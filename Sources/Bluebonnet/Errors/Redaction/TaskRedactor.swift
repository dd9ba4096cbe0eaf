import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Hides the secrets that a task has sent wherever a text repeats them, with a ``Redactor``.
///
/// It refers to the sent requests, and searches them for secrets only when a text is printed. Most
/// tasks succeed, and few errors are ever printed.
package struct TaskRedactor: Sendable {
    /// The requests that the task's exchanges have sent.
    var sent: [SentRequest] = []
    /// The request of an error, which might have been refused and not sent.
    package var request: URLRequest?
    /// The credentials that answered challenges.
    var credentials: [URLCredential] = []
    /// The proxies that the task logged in to.
    var proxies: [Exchange.Route.Proxy] = []
    /// The names of additional fields with secret values.
    var furtherNames: Set<String> = []
    /// The configuration's redactor.
    var further: Redactor?

    /// The author of a text.
    package enum Author {
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
    package func redacted(_ text: String, by author: Author, limit: Int = .max) -> String {
        redactor(for: author).redacted(text, as: [], limit: limit)
    }

    /// Returns the redactor for texts of an author.
    func redactor(for author: Author) -> Redactor {
        var redactor = further ?? Redactor()
        redactor.furtherNames.formUnion(furtherNames)
        redactor.knownValues.formUnion(
            Set(values).filter { value in
                author == .server ? !value.isWeak || !value.isWord : !value.isWeak && !value.isWord
            })
        return redactor
    }

    private var values: [Redactor.KnownValue] {
        typealias Values = Redactor.KnownValue
        var values: [Redactor.KnownValue] = []
        for sent in sent {
            values += Values.all(in: sent.sentFields, furtherNames)
            values += Values.all(inURL: sent.url)
        }
        if let request {
            let fields = request.allHTTPHeaderFields ?? [:]
            values += Values.all(
                in: fields.map { Exchange.Field(name: $0.key, value: $0.value) }, furtherNames
            )
            values += Values.all(inURL: request.url?.absoluteString ?? "")
            if let body = request.httpBody {
                values += Values.all(
                    inBody: body, request.value(forHTTPHeaderField: "Content-Type"))
            }
        }
        values += credentials.compactMap(\.password).map { Values(sent: $0) }
        for proxy in proxies { values += Values.all(in: proxy, furtherNames) }
        return values
    }
}

extension TaskRedactor {
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

extension TaskRedactor {
    package init(of request: URLRequest?) { self.init(request: request) }
}

extension TaskRedactor: CustomReflectable {
    /// Nothing, because every member can be secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
