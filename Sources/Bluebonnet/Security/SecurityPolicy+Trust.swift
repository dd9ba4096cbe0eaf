import BluebonnetTransport

extension SecurityPolicy {
    /// Why the policy cannot be followed, and what to do; nil when it can.
    var fault: String? {
        if pinningMode != .none, pins?.isEmpty != false {
            return """
                its pinningMode is .\(pinningMode.rawValue) and it has no pin for that; add one to \
                \(pinningMode == .publicKey ? "pinnedPublicKeyHashes or " : "")pinnedCertificates
                """
        }
        if pinningMode == .none, allowInvalidCertificates, validatesDomainName {
            return """
                it allows invalid certificates and validates the domain name, which means nothing in \
                a certificate that nobody has verified; pin the server's certificate, or set \
                validatesDomainName to false as well
                """
        }
        if let file = certificateAuthorities, !file.isFileURL {
            return "its certificateAuthorities are no file's URL; load them, and give the file"
        }
        guard let lists = certificateRevocationLists else { return nil }
        if !lists.isFileURL {
            return "its certificateRevocationLists are no file's URL; load them, and give the file"
        }
        if allowInvalidCertificates || !trustedCertificates.isEmpty {
            return """
                its certificateRevocationLists are for authorities of a file or the system, which it \
                does not use; leave them out, or give the authorities as a file
                """
        }
        return nil
    }

    /// Whether only servers with a certificate will do.
    var refusesPlainHTTP: Bool { pinningMode != .none }

    /// The policy as the transport takes it.
    var trust: Exchange.Trust {
        var trust = Exchange.Trust()
        trust.pins = pins
        if allowInvalidCertificates { trust.goal = trust.pins == nil ? .anything : .pin }
        trust.authorities = trustedCertificates
        trust.verifiesHostName = validatesDomainName
        trust.minimumVersion = minimumTLSVersion
        trust.cipherList = cipherList
        trust.cipherSuites = cipherSuites
        return trust
    }

    /// When somebody is to be asked about a server; nil for never.
    var trustOccasion: TrustDecisions.Occasion? {
        switch serverTrustChallenge {
        case .never: nil
        case .whenRejected: .rejection
        case .always: .always
        }
    }

    private var pins: Exchange.Trust.Pins? {
        switch pinningMode {
        case .none: nil
        case .publicKey:
            Exchange.Trust.Pins(
                certificates: pinnedCertificates,
                publicKeyHashes: pinnedPublicKeyHashes.union(
                    pinnedCertificates.map(\.publicKeyHash))
            )
        case .certificate: Exchange.Trust.Pins(certificates: pinnedCertificates)
        }
    }
}

extension Exchange.Trust.Pins {
    fileprivate var isEmpty: Bool { publicKeyHashes?.isEmpty ?? certificates.isEmpty }
}
