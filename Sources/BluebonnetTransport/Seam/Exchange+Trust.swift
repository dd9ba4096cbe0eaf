extension Exchange {
    /// Which servers a pool's connections may be made to, and what TLS with them must be like.
    ///
    /// The file of authorities is ``Pool/certificateAuthorityFile``. Proxies are judged by their
    /// route, never by this.
    public struct Trust: Sendable, Hashable {
        /// Where a server's chain of certificates has to lead; default: to an authority.
        public var goal = Goal.authority
        /// Authorities in the place of the pool's file and the system's; empty for those.
        public var authorities: Set<Certificate> = []
        /// One of these has to be in the verified chain; nil where none has to.
        ///
        /// ``Goal/pin`` names an exception.
        public var pins: Pins?
        /// Whether the certificate has to be for the host of the URL; default true.
        public var verifiesHostName = true
        /// The oldest version of TLS that is spoken; default 1.2.
        public var minimumVersion = TLSVersion.tls12
        /// OpenSSL's cipher list for TLS 1.2; nil for OpenSSL's own.
        public var cipherList: String?
        /// OpenSSL's cipher suites for TLS 1.3; nil for OpenSSL's own.
        public var cipherSuites: String?

        /// What a chain of certificates may end with.
        public enum Goal: Sendable, Hashable {
            /// An authority.
            case authority
            /// A pin; authorities play no part. A server whose own key is among
            /// ``Pins/publicKeyHashes`` needs no valid chain.
            case pin
            /// Anything: nothing is verified, pins neither.
            case anything
        }

        /// The certificates or public keys of which one has to be in a verified chain.
        public struct Pins: Sendable, Hashable {
            /// The pinned certificates, or certificates of pinned keys.
            public var certificates: Set<Certificate>
            /// The hashes of pinned keys; nil when it is whole certificates that are pinned.
            public var publicKeyHashes: Set<PublicKeyHash>?

            /// Makes pins.
            public init(
                certificates: Set<Certificate>,
                publicKeyHashes: Set<PublicKeyHash>? = nil
            ) {
                self.certificates = certificates
                self.publicKeyHashes = publicKeyHashes
            }
        }

        /// Makes the trust of every default: in the system's authorities.
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
    /// Whether libcurl's own verification does not suffice.
    var needsJudge: Bool {
        switch goal {
        case .authority: pins != nil || !authorities.isEmpty
        case .pin: true
        case .anything: false
        }
    }
}
