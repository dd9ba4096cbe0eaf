/// The TLS settings of a ``FaultServer``: its certificate and its requirements for clients.
public struct ServerIdentity: Sendable {
    /// A TLS version, by its wire value.
    public enum Version: Int32, Sendable {
        /// TLS 1.1, which clients refuse.
        case tls11 = 0x0302
        /// TLS 1.2.
        case tls12 = 0x0303
        /// TLS 1.3.
        case tls13 = 0x0304
    }

    /// The path of a PEM file with the certificate, followed by its chain to an authority.
    public var chainFile: String

    /// The path of a PEM file with the certificate's private key.
    public var keyFile: String

    /// The oldest TLS version that the server accepts; default TLS 1.2.
    public var oldestVersion = Version.tls12

    /// The newest TLS version that the server accepts; default TLS 1.3.
    public var newestVersion = Version.tls13

    /// The path of a PEM file with the authorities for client certificates; default nil.
    ///
    /// If it is set, the server requires a client certificate.
    public var clientAuthorityFile: String?

    /// Whether the server resets the connection right after the alert of a failed handshake;
    /// default false.
    ///
    /// If it is false, the connection ends when the client closes it.
    public var resetsFailedHandshakes = false

    /// The application protocol that the server selects, whatever the client offers; default nil
    /// (none).
    public var applicationProtocol: String?

    /// Whether sessions can be resumed; default true.
    public var resumesSessions = true

    /// Creates an identity with the default settings.
    public init(chainFile: String, keyFile: String) {
        self.chainFile = chainFile
        self.keyFile = keyFile
    }
}
