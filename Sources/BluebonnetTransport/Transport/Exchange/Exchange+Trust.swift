extension Exchange {
    /// The rules for trusting the servers of a pool, and for TLS with them.
    ///
    /// The file of authorities is ``Pool/certificateAuthorityFile``. These rules do not apply to
    /// proxies, for which the route has its own.
    public struct Trust: Sendable, Hashable {
        /// The goal to which a server's chain of certificates must lead.
        ///
        /// The default is an authority.
        public var goal = Goal.authority
        /// The authorities that replace the pool's file and the system's, unless this is empty.
        public var authorities: Set<Certificate> = []
        /// The pins of which one must be in the verified chain, or nil to require none.
        ///
        /// See ``Goal/pin`` for an exception.
        public var pins: Pins?
        /// Whether the certificate must be for the host of the URL.
        ///
        /// The default is true.
        public var verifiesHostName = true
        /// The oldest accepted version of TLS.
        ///
        /// The default is 1.2.
        public var minimumVersion = TLSVersion.tls12
        /// The cipher list for TLS 1.2 in OpenSSL's format, or nil for OpenSSL's default.
        public var cipherList: String?
        /// The cipher suites for TLS 1.3 in OpenSSL's format, or nil for OpenSSL's default.
        public var cipherSuites: String?

        /// A goal to which a chain of certificates must lead.
        public enum Goal: Sendable, Hashable {
            /// An authority.
            case authority
            /// A pin. Authorities are ignored.
            ///
            /// A server whose own key is among ``Pins/publicKeyHashes`` needs no valid chain.
            case pin
            /// Anything. Nothing is verified, not even pins.
            case anything
        }

        /// The certificates or public keys of which one must be in a verified chain.
        public struct Pins: Sendable, Hashable {
            /// The pinned certificates, or the certificates of pinned keys.
            public var certificates: Set<Certificate>
            /// The hashes of pinned keys, or nil if whole certificates are pinned.
            public var publicKeyHashes: Set<PublicKeyHash>?

            /// Creates pins.
            public init(
                certificates: Set<Certificate>,
                publicKeyHashes: Set<PublicKeyHash>? = nil
            ) {
                self.certificates = certificates
                self.publicKeyHashes = publicKeyHashes
            }
        }

        /// Creates the default rules, which trust the system's authorities.
        public init() {}
    }

    /// A version of TLS.
    public enum TLSVersion: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }
}

extension Exchange.Trust {
    /// Whether libcurl's own verification is not sufficient.
    var needsJudge: Bool {
        switch goal {
        case .authority: pins != nil || !authorities.isEmpty
        case .pin: true
        case .anything: false
        }
    }
}
