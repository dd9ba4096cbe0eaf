public import Bluebonnet

/// A request as a stub's routes see it, and as its log keeps it.
///
/// It is one exchange: a redirect, an answer to a challenge and another attempt are requests of their own.
public struct StubRequest: Sendable {
    /// Which request of the stub it is, from 1.
    public internal(set) var number = 0
    /// When it came, on the session's clock.
    public let time: Duration
    /// The method.
    public let method: HTTPMethod
    /// The absolute URL.
    public let url: URL
    /// The header fields in the order in which they are sent.
    public let headers: HTTPHeaders
    /// The body, empty for none.
    public let body: Data
    /// Which attempt of its task it belongs to, from 1.
    public let attempt: Int
    /// What the caller says about the task.
    public let attributes: TaskAttributes
    /// The texts that the route's path has names for, as `id` in `/users/:id`, without percent-encoding.
    public internal(set) var parameters: [String: String] = [:]

    /// The path, percent-encoded, without the query.
    public var path: String {
        URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
    }

    /// The names and values of the query, decoded; of a name that comes twice, the last value.
    public var query: [String: String] {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    /// The body as text, with U+FFFD for what is not UTF-8.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Decodes the body from JSON.
    ///
    /// - Throws: What `JSONDecoder` throws.
    public func json<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }
}

extension StubRequest: CustomStringConvertible {
    /// Method and URL, without what is secret.
    public var description: String { "\(method.rawValue) \(url.withoutSecrets)" }
}

extension URL {
    /// The URL without user, password, query and fragment.
    var withoutSecrets: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return "a URL"
        }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return parts.string ?? "a URL"
    }
}
