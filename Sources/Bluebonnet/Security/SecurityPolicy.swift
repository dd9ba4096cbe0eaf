public import BluebonnetTransport
public import Foundation

/// Decides which servers are trusted; the port of AFNetworking's `AFSecurityPolicy`.
///
/// The default trusts the servers that the system's certificate authorities vouch for, by name. A
/// manager whose policy changes uses new connections, and new TLS sessions, for the tasks that it
/// makes from then on; a policy for some hosts alone is set in ``SessionManager/securityPolicies``.
///
/// A policy with pins also refuses `http`, and one that cannot be followed refuses everything:
/// tasks then fail with ``BluebonnetError/securityPolicy(_:_:)`` before anything is sent.
public struct SecurityPolicy: Sendable, Hashable {
    /// What of a server's certificates is compared with pins.
    public enum PinningMode: String, Sendable, Hashable {
        /// Nothing; pins play no part.
        case none
        /// The public key, which a certificate that is renewed can keep.
        case publicKey
        /// The whole certificate.
        case certificate
    }

    /// When a manager's hook is asked whether to trust a server.
    public enum ServerTrustChallenge: Sendable, Hashable {
        /// Never: the policy's verdict stands.
        case never
        /// When the policy does not accept the server's certificates.
        case whenRejected
        /// When a server's certificates are met for the first time, also where the policy accepts
        /// them; takes a second handshake then.
        case always
    }

    /// What is pinned; default `.none`.
    ///
    /// A pin matches when a certificate of the verified chain, leaf, intermediate or authority, is
    /// or has it. What a server presents beyond that chain never counts, since anybody can add a
    /// pinned certificate there. See ``allowInvalidCertificates`` for servers without a valid chain. A mode other than `.none` without a pin refuses every request, with
    /// an error that says so; in AFNetworking it is refused when the server has answered.
    public var pinningMode = PinningMode.none
    /// The pinned certificates, in either mode, as `Certificate.certificates(contentsOf:)` reads them.
    ///
    /// A certificate that cannot be read throws where it is made, so that no pin is ever left out;
    /// AFNetworking skips it, or crashes. None is loaded by itself.
    public var pinnedCertificates: Set<Certificate> = []
    /// The hashes of pinned public keys, for `.publicKey` only; those of ``pinnedCertificates`` count
    /// as well.
    ///
    /// Pin a key that is not in use yet too, so that a server can change to it at any time.
    public var pinnedPublicKeyHashes: Set<PublicKeyHash> = []
    /// Whether a server needs no certificate of a trusted authority; default false.
    ///
    /// Without it, a chain has to lead to a trusted authority and have a pin in it. With it, pins take
    /// the place of the authorities:
    ///
    /// - In `.publicKey` mode, a server whose own key is pinned is trusted, even if its certificate is
    ///   expired or self-signed. The handshake proves that the server has that key.
    /// - In every other case a chain has to lead to a pin. Its signatures, dates and purpose are
    ///   verified. In `.publicKey` mode, the server has to send the certificate with the pinned key,
    ///   unless it is among ``pinnedCertificates``.
    ///
    /// AFNetworking in `.publicKey` mode accepts a pinned key anywhere in what the server sends, which
    /// proves nothing.
    ///
    /// Without pins nothing is verified at all, which gives the connection to whoever sits in
    /// between; therefore ``validatesDomainName`` must be turned off too, or every request is
    /// refused. In AFNetworking it is refused for each server and only logged.
    public var allowInvalidCertificates = false
    /// Whether a certificate has to be for the host that was asked for; default true.
    ///
    /// It counts in every mode. In AFNetworking `.publicKey` with ``allowInvalidCertificates`` ignores
    /// it.
    public var validatesDomainName = true
    /// A file of PEM certificates to trust instead of the system's; nil for the system's.
    ///
    /// It is read once for all policies, and again when it has changed. Authorities may be
    /// intermediate. With libcurl on another library than OpenSSL 3 it may take a day to be read again.
    public var certificateAuthorities: URL?
    /// A file of revocation lists in PEM (RFC 5280 section 5); nil, the default, checks nothing.
    ///
    /// With one, every certificate of a chain needs a list of its issuer's in it that is in date, and
    /// a chain has to lead to a root. It is read again when it has changed. It counts for chains that
    /// lead to the authorities of a file or the system, not for those to ``trustedCertificates`` or to
    /// pins.
    public var certificateRevocationLists: URL?
    /// Certificates to trust instead of the system's and of ``certificateAuthorities``; empty, the
    /// default, for those.
    public var trustedCertificates: Set<Certificate> = []
    /// The oldest version of TLS that is spoken; default 1.2, and there is none older.
    public var minimumTLSVersion = Exchange.TLSVersion.tls12
    /// The ciphers for TLS 1.2 as OpenSSL lists them, such as `ECDHE+AESGCM`; nil, the default, for
    /// OpenSSL's own list.
    ///
    /// A list without any cipher that exists fails every request.
    public var cipherList: String?
    /// The cipher suites for TLS 1.3, such as `TLS_AES_256_GCM_SHA384`, with colons between; nil, the
    /// default, for OpenSSL's own.
    ///
    /// A suite that does not exist fails every request.
    public var cipherSuites: String?

    /// When ``SessionManager/didReceiveChallenge(_:challenge:)`` is asked about servers; default
    /// `.whenRejected`.
    ///
    /// Only an answer of ``ChallengeDisposition/trustServer`` lets a server pass that the policy does
    /// not accept; a manager without that hook asks nobody. It is asked before anything of the
    /// request is sent, and its decision counts for all tasks under the policy that meet the same
    /// certificates at the same host and port. In AFNetworking the session's hook takes the place of
    /// the policy, here it is asked after it.
    public var serverTrustChallenge = ServerTrustChallenge.whenRejected

    /// The policy with every default.
    public static var `default`: SecurityPolicy { SecurityPolicy() }

    /// Makes a policy; the default trusts the system's certificate authorities.
    public init(
        pinningMode: PinningMode = .none,
        pinnedCertificates: Set<Certificate> = [],
        certificateAuthorities: URL? = nil
    ) {
        self.pinningMode = pinningMode
        self.pinnedCertificates = pinnedCertificates
        self.certificateAuthorities = certificateAuthorities
    }
}
