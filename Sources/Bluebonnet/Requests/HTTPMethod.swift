/// A request method: a token, compared case-sensitively (RFC 9110 section 9.1).
public struct HTTPMethod: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// The method as it is sent.
    public let rawValue: String

    /// Makes a method of any name; a name that is no token fails its request.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a method of any name; a name that is no token fails its request.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// `GET`
    public static let get = HTTPMethod(rawValue: "GET")
    /// `HEAD`
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// `POST`
    public static let post = HTTPMethod(rawValue: "POST")
    /// `PUT`
    public static let put = HTTPMethod(rawValue: "PUT")
    /// `PATCH`
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// `DELETE`
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// `OPTIONS`
    public static let options = HTTPMethod(rawValue: "OPTIONS")
}
