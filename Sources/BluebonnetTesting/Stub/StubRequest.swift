public import Bluebonnet

/// A request in the form that routes receive and that the log of a stub keeps.
///
/// It is one exchange: redirects, answers to challenges and further attempts are separate requests.
public struct StubRequest: Sendable {
    /// The position of the request among those of the stub, from 1.
    public internal(set) var number = 0
    /// The time at which it arrived, on the session's clock.
    public let time: Duration
    /// The HTTP method.
    public let method: HTTPMethod
    /// The absolute URL.
    public let url: URL
    /// The header fields in the order in which they are sent.
    public let headers: HTTPHeaders
    /// The body; empty for none.
    public let body: Data
    /// The attempt of its task that the request belongs to, from 1.
    public let attempt: Int
    /// The attributes that the caller set for the task.
    public let attributes: TaskAttributes
    /// The texts of the named segments of the route's path, such as `id` in `/users/:id`,
    /// percent-decoded.
    public internal(set) var parameters: [String: String] = [:]

    /// The percent-encoded path, without the query.
    public var path: String {
        URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
    }

    /// The decoded names and values of the query; for a repeated name, the last value.
    public var query: [String: String] {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    /// The body as text, with U+FFFD for bytes that are not UTF-8.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Decodes the body from JSON.
    ///
    /// - Parameter type: The type of the value.
    /// - Returns: The value.
    /// - Throws: The error that `JSONDecoder` throws.
    public func json<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }
}

extension StubRequest: CustomStringConvertible {
    /// The method and the URL, without secrets.
    public var description: String { "\(method.rawValue) \(url.withoutSecrets)" }

    /// The description with the query, which routes can require, but without values whose names
    /// suggest a secret.
    var descriptionWithQuery: String {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        guard let query = parts?.percentEncodedQuery, !query.isEmpty else { return description }
        let redactor = Redactor()
        let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            let isSecret = redactor.isSecret(name.removingPercentEncoding ?? String(name))
            // The whole value: a semicolon is a part of it.
            return isSecret && item.contains("=")
                ? "\(name)=\(Redactor.mark)" : redactor.redacted(String(item), as: .form)
        }
        return "\(description)?\(items.joined(separator: "&"))"
    }
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
