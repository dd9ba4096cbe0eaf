import BluebonnetChain

/// A target that can require an access token of an ``AccessTokenPlugin``.
public protocol AccessTokenAuthorizable {
    /// The scheme with which the token is sent; nil if no token is required.
    var authorizationType: AuthorizationType? { get }
}

/// The scheme of an `Authorization` field.
public enum AuthorizationType: Sendable, Hashable {
    /// The scheme `Basic` (RFC 7617); the token is sent unchanged, so it must be in Base64.
    case basic
    /// The scheme `Bearer` (RFC 6750).
    case bearer
    /// Any other scheme.
    case custom(String)

    /// The name of the scheme, as it is sent.
    public var value: String {
        switch self {
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .custom(let scheme): scheme
        }
    }
}
