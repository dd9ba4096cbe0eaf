import BluebonnetTransport

extension SecurityPolicy {
    /// The reason the policy is invalid and what to do about it, or nil if it is valid.
    var fault: String? {
        if pinningMode != .none, pins?.isEmpty != false {
            return """
                its pinningMode is .\(pinningMode.rawValue), but it has no pin for it; add one to \
                \(pinningMode == .publicKey ? "pinnedPublicKeyHashes or " : "")pinnedCertificates
                """
        }
        if pinningMode == .none, allowInvalidCertificates, validatesDomainName {
            return """
                it allows invalid certificates and validates the domain name, which proves nothing \
                in an unverified certificate; pin the server's certificate, or also set \
                validatesDomainName to false
                """
        }
        if let file = certificateAuthorities, !file.isFileURL {
            return "its certificateAuthorities are not a file URL; download them to a file"
        }
        guard let lists = certificateRevocationLists else { return nil }
        if !lists.isFileURL {
            return "its certificateRevocationLists are not a file URL; download them to a file"
        }
        if allowInvalidCertificates || !trustedCertificates.isEmpty {
            return """
                its certificateRevocationLists apply to authorities from a file or the system, \
                which it does not use; remove them, or load the authorities from a file
                """
        }
        return nil
    }

    /// Whether the policy requires a server certificate, and so refuses `http`.
    var refusesPlainHTTP: Bool { pinningMode != .none }

    /// The policy in the transport's form.
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

    /// When to ask about a server, or nil for never.
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
