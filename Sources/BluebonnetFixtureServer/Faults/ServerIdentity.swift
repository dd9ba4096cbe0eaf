/// What a ``FaultServer`` presents in TLS, and what it asks of the client.
public struct ServerIdentity: Sendable {
    /// A version of TLS, by its number on the wire.
    public enum Version: Int32, Sendable {
        /// TLS 1.1, which clients refuse.
        case tls11 = 0x0302
        /// TLS 1.2.
        case tls12 = 0x0303
        /// TLS 1.3.
        case tls13 = 0x0304
    }

    /// The path of a PEM file with the certificate and those that lead from it to an authority.
    public var chainFile: String

    /// The path of the certificate's key in PEM.
    public var keyFile: String

    /// The oldest version that is spoken; default TLS 1.2.
    public var oldestVersion = Version.tls12

    /// The newest version that is spoken; default TLS 1.3.
    public var newestVersion = Version.tls13

    /// The path of a PEM file with the authorities of clients, whose certificate is demanded then;
    /// default nil, none is asked for.
    public var clientAuthorityFile: String?

    /// Whether the connection is reset right behind the alert where a handshake fails; default false:
    /// it ends when the client does.
    public var resetsFailedHandshakes = false

    /// The application protocol that is chosen whatever the client offers; default nil, none is.
    public var applicationProtocol: String?

    /// Whether sessions may be resumed; default true.
    public var resumesSessions = true

    /// An identity with the defaults.
    public init(chainFile: String, keyFile: String) {
        self.chainFile = chainFile
        self.keyFile = keyFile
    }
}
