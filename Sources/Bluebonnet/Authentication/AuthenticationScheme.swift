/// An authentication scheme by its registered name (RFC 9110 section 11.1), or the server's own
/// certificates.
public enum AuthenticationScheme: Sendable, Hashable {
    /// User name and password in the clear (RFC 7617).
    case basic
    /// A proof of knowing the password (RFC 7616).
    case digest
    /// A token that was obtained elsewhere (RFC 6750).
    case bearer
    /// Kerberos or NTLM by way of SPNEGO (RFC 4559).
    case negotiate
    /// Windows' challenge and response, which authenticates a connection.
    case ntlm
    /// The certificates with which a server proves who it is; no header field names it.
    case serverTrust
    /// Any other scheme, as it was written.
    case other(String)

    /// Makes a scheme of its name, in whatever case.
    public init(name: String) {
        self =
            switch name.lowercased() {
            case "basic": .basic
            case "digest": .digest
            case "bearer": .bearer
            case "negotiate": .negotiate
            case "ntlm": .ntlm
            default: .other(name)
            }
    }

    /// The name as it is registered; `server trust` is none.
    public var name: String {
        switch self {
        case .basic: "Basic"
        case .digest: "Digest"
        case .bearer: "Bearer"
        case .negotiate: "Negotiate"
        case .ntlm: "NTLM"
        case .serverTrust: "server trust"
        case .other(let name): name
        }
    }

    /// Whether both have the same name, whatever the case it is written in.
    public static func == (left: AuthenticationScheme, right: AuthenticationScheme) -> Bool {
        left.name.lowercased() == right.name.lowercased()
    }

    /// Hashes the name in lower case.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name.lowercased())
    }
}
