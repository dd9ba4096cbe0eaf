/// A target that may want an access token, for ``AccessTokenPlugin``.
public protocol AccessTokenAuthorizable {
    /// How the token is sent; nil for none.
    var authorizationType: AuthorizationType? { get }
}

/// The scheme of an `Authorization` field.
public enum AuthorizationType: Sendable, Hashable {
    /// `Basic`; the token is sent as it is given, and so has to be in base64 (RFC 7617).
    case basic
    /// `Bearer` (RFC 6750).
    case bearer
    /// Any other.
    case custom(String)

    /// The scheme as it is sent.
    public var value: String {
        switch self {
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .custom(let scheme): scheme
        }
    }
}
