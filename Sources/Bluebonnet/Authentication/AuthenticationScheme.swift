/// An authentication scheme (RFC 9110 section 11.1), or server trust.
public enum AuthenticationScheme: Sendable, Hashable {
    /// A user name and password in clear text (RFC 7617).
    case basic
    /// A proof that the client knows the password (RFC 7616).
    case digest
    /// A token that was obtained elsewhere (RFC 6750).
    case bearer
    /// Kerberos or NTLM through SPNEGO (RFC 4559).
    case negotiate
    /// The challenge-response protocol of Windows, which authenticates a connection.
    case ntlm
    /// The certificates that prove a server's identity, which no header field names.
    case serverTrust
    /// Any other scheme, spelled as it was received.
    case other(String)

    /// Creates a scheme from its name, ignoring case.
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

    /// The registered name, or `server trust`, which is not registered.
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

    /// Returns whether two schemes have the same name, ignoring case.
    public static func == (left: AuthenticationScheme, right: AuthenticationScheme) -> Bool {
        left.name.lowercased() == right.name.lowercased()
    }

    /// Hashes the lowercase name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name.lowercased())
    }
}
