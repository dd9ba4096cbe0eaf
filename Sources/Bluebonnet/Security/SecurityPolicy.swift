public import BluebonnetTransport
public import Foundation

/// A policy that decides which servers are trusted, a port of AFNetworking's `AFSecurityPolicy`.
///
/// The default policy trusts a server if an authority of the system vouches for its certificate and
/// host name. When a manager's policy changes, tasks created afterwards use new connections and TLS
/// sessions. Policies for single hosts are set in ``SessionManager/securityPolicies``.
///
/// A policy with pins refuses `http`, and an invalid policy refuses every request. Tasks then fail
/// with ``BluebonnetError/securityPolicy(_:_:)`` before anything is sent.
public struct SecurityPolicy: Sendable, Hashable {
    /// The part of a server's certificates that is compared with pins.
    public enum PinningMode: String, Sendable, Hashable {
        /// Nothing is compared, and pins are ignored.
        case none
        /// The public key, which a renewed certificate can keep.
        case publicKey
        /// The whole certificate.
        case certificate
    }

    /// The occasions on which a manager's hook is asked whether to trust a server.
    public enum ServerTrustChallenge: Sendable, Hashable {
        /// Never, so that the policy decides alone.
        case never
        /// When the policy does not accept the server's certificates.
        case whenRejected
        /// When a server's certificates are received for the first time, even if the policy accepts
        /// them.
        ///
        /// This requires a second handshake.
        case always
    }

    /// The part of a certificate that is pinned.
    ///
    /// A pin matches if a certificate of the verified chain is the pinned certificate or has the
    /// pinned key. That can be the leaf, an intermediate or the authority. Other certificates that
    /// a server presents never count, because anyone can add a pinned certificate there. For
    /// servers without a valid chain, see ``allowInvalidCertificates``.
    ///
    /// With a mode other than `.none` and no pin, every request fails with an error that explains
    /// it. AFNetworking fails only after the server has responded. The default is `.none`.
    public var pinningMode = PinningMode.none
    /// The pinned certificates in either mode, for example from
    /// `Certificate.certificates(contentsOf:)`.
    ///
    /// Creating a certificate from unreadable data throws an error, so that no pin is omitted.
    /// AFNetworking skips the certificate or crashes. No certificate is loaded automatically.
    public var pinnedCertificates: Set<Certificate> = []
    /// The hashes of pinned public keys, in addition to those of ``pinnedCertificates``.
    ///
    /// They apply only in `.publicKey` mode. Also pin a key that is not in use yet, so that the
    /// server can change to it at any time.
    public var pinnedPublicKeyHashes: Set<PublicKeyHash> = []
    /// Whether to trust servers without a certificate from a trusted authority.
    ///
    /// If false, the default, a chain must lead to a trusted authority. In a mode other than
    /// `.none` it must also contain a pin. If true, pins replace the authorities:
    ///
    /// - In `.publicKey` mode, a server whose own key is pinned is trusted, even if its certificate
    ///   is expired or self-signed. The handshake proves that the server has that key.
    /// - In all other cases, a chain must lead to a pin. Its signatures, dates and purpose are
    ///   verified. In `.publicKey` mode, the server must send the certificate with the pinned key,
    ///   unless it is in ``pinnedCertificates``.
    ///
    /// AFNetworking in `.publicKey` mode accepts a pinned key in any certificate that the server
    /// sends, which proves nothing.
    ///
    /// Without pins, nothing is verified, and an attacker between client and server can take over
    /// the connection. ``validatesDomainName`` must then also be false, or every request is
    /// refused. AFNetworking instead refuses each server, and only logs the reason.
    public var allowInvalidCertificates = false
    /// Whether a server's certificate must be valid for the requested host.
    ///
    /// It applies in every mode. AFNetworking ignores it in `.publicKey` mode with
    /// ``allowInvalidCertificates``. The default is true.
    public var validatesDomainName = true
    /// A file of PEM certificates to trust instead of the system's, or nil for the system's.
    ///
    /// The file is read once for all policies, and again after it changes. An intermediate
    /// certificate can serve as an authority. If libcurl uses a library other than OpenSSL 3, a
    /// change can take a day to apply.
    public var certificateAuthorities: URL?
    /// A file of PEM revocation lists (RFC 5280 section 5), or nil, the default, for no check.
    ///
    /// The file must contain a current list from the issuer of every certificate in a chain, and
    /// the chain must lead to a root. The file is read again after it changes. It applies to chains
    /// that lead to authorities from a file or the system, not to ``trustedCertificates`` or to
    /// pins.
    public var certificateRevocationLists: URL?
    /// The certificates to trust instead of the system's and those of ``certificateAuthorities``.
    ///
    /// The default is empty, which trusts those authorities.
    public var trustedCertificates: Set<Certificate> = []
    /// The oldest version of TLS to accept, by default 1.2, which is the oldest supported version.
    public var minimumTLSVersion = Exchange.TLSVersion.tls12
    /// The ciphers for TLS 1.2 in OpenSSL's format, such as `ECDHE+AESGCM`.
    ///
    /// With a list that contains no existing cipher, every request fails. The default, nil, selects
    /// OpenSSL's own list.
    public var cipherList: String?
    /// The cipher suites for TLS 1.3, separated by colons, such as `TLS_AES_256_GCM_SHA384`.
    ///
    /// With a suite that does not exist, every request fails. The default, nil, selects OpenSSL's
    /// own list.
    public var cipherSuites: String?

    /// When ``SessionManager/didReceiveChallenge(_:challenge:)`` is asked about servers.
    ///
    /// A server that the policy does not accept is trusted only if the hook returns
    /// ``ChallengeDisposition/trustServer``. Without the hook, the policy decides alone. The hook
    /// is asked before any part of the request is sent. Its decision applies to all tasks under the
    /// policy that receive the same certificates from the same host and port. In AFNetworking the
    /// session's hook replaces the policy, while here it is asked after the policy. The default is
    /// `.whenRejected`.
    public var serverTrustChallenge = ServerTrustChallenge.whenRejected

    /// The policy with all default values.
    public static var `default`: SecurityPolicy { SecurityPolicy() }

    /// Creates a policy, which by default trusts the system's certificate authorities.
    ///
    /// - Parameters:
    ///   - pinningMode: What of a server's certificates must match a pin: nothing, the default, the
    ///     public key, or the certificate.
    ///   - pinnedCertificates: The certificates to match. The default is none.
    ///   - certificateAuthorities: A file of PEM certificates to trust instead of the system's;
    ///     nil, the default, for the system's.
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
