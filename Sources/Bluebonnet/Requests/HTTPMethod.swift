import BluebonnetTransport

/// A request method, which is a case-sensitive token (RFC 9110 section 9.1).
public struct HTTPMethod: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// The method as sent.
    public let rawValue: String

    /// Creates a method with any name; a request fails if the name is not a token.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a method with any name; a request fails if the name is not a token.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// Whether two identical requests have the same effect as one (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool { Exchange.idempotentMethods.contains(rawValue) }

    /// The method `GET`.
    public static let get = HTTPMethod(rawValue: "GET")
    /// The method `HEAD`.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// The method `POST`.
    public static let post = HTTPMethod(rawValue: "POST")
    /// The method `PUT`.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// The method `PATCH`.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// The method `DELETE`.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// The method `OPTIONS`.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// The method `CONNECT`.
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    /// The method `TRACE`.
    public static let trace = HTTPMethod(rawValue: "TRACE")
    /// The method `QUERY`.
    public static let query = HTTPMethod(rawValue: "QUERY")
}
