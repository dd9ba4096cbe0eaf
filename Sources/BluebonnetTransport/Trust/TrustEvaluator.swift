import CBluebonnet
import Foundation

/// An evaluator of the certificates that servers present to a pool.
///
/// It only computes and never blocks. It lives on the loop thread.
final class TrustEvaluator {
    /// The result of an evaluation.
    enum Verdict: Sendable, Hashable {
        case accepted
        /// The chain or its host name is invalid, for the reason in OpenSSL's error code.
        case rejected(Int32)
        /// The chain contains none of the pins.
        case notPinned

        var isAccepted: Bool { self == .accepted }

        /// The error code for OpenSSL if the policy or the hook rejects the chain.
        var rejectionCode: Int32 {
            if case .rejected(let code) = self { code } else { Int32(BB_REFUSED_BY_POLICY) }
        }
    }

    private let trust: Exchange.Trust
    /// The only anchors, or nil if a file contains the anchors.
    private let anchors: CertificateList?
    private let pinnedData: Set<Data>

    init(_ trust: Exchange.Trust) throws(Exchange.Failure) {
        self.trust = trust
        switch trust.goal {
        case .authority:
            anchors = trust.authorities.isEmpty ? nil : try CertificateList(trust.authorities)
        case .pin, .anything: anchors = try CertificateList(trust.pins?.certificates ?? [])
        }
        pinnedData = Set(trust.pins?.certificates.map(\.data) ?? [])
    }

    /// Returns the verdict on the certificates that a server presents.
    ///
    /// Nothing in them is trusted before the chain is verified.
    func verdict(on verification: OpaquePointer, for server: TrustedServer) -> Verdict {
        let verdict =
            trust.goal == .anything || ownsPinnedKey(verification)
            ? .accepted : verdict(onChainOf: verification)
        guard verdict.isAccepted, trust.verifiesHostName else { return verdict }
        return Self.isFor(server, verification) ? .accepted : .rejected(Int32(BB_OTHER_HOST))
    }

    /// Returns whether the server's own certificate is for the requested name or address.
    private static func isFor(_ server: TrustedServer, _ verification: OpaquePointer) -> Bool {
        if case .address(let bytes) = server.host {
            return bb_verification_fits_address(verification, bytes, bytes.count) == 1
        }
        // The sent name is libcurl's form of the name, without a final dot and with `xn--`.
        return bb_verification_fits_sent_name(verification) == 1
    }

    /// Returns whether the server's own key is pinned, so that its certificate needs no chain.
    ///
    /// The handshake proves that the server has the private key of this certificate, but not of the
    /// other certificates that it presents.
    private func ownsPinnedKey(_ verification: OpaquePointer) -> Bool {
        guard trust.goal == .pin, let pins = trust.pins, pins.publicKeyHashes != nil else {
            return false
        }
        return bb_verification_leaf(verification).map { isPinned($0, pins) } ?? false
    }

    private func verdict(onChainOf verification: OpaquePointer) -> Verdict {
        guard let anchors = currentAnchors(for: verification) else { return .notPinned }
        return withExtendedLifetime(anchors) {
            if case .certificates(let list) = anchors {
                bb_verification_set_anchors(verification, list.pointer)
            }
            let code = bb_verification_run(verification)
            guard code == Int32(BB_VERIFIED) else { return rejection(code) }
            guard let pins = trust.pins else {
                return trust.goal == .authority ? .accepted : .notPinned
            }
            let chain = CertificateList.elements(of: bb_verification_chain(verification))
            return chain.contains { isPinned($0, pins) } ? .accepted : .notPinned
        }
    }

    private enum Anchors {
        case file
        case certificates(CertificateList)
    }

    /// Returns the anchors, or nil if there is nothing that a chain could lead to.
    private func currentAnchors(for verification: OpaquePointer) -> Anchors? {
        guard trust.goal != .authority else { return anchors.map(Anchors.certificates) ?? .file }
        guard let pins = trust.pins, pins.publicKeyHashes != nil else {
            return anchors.flatMap { $0.isEmpty ? nil : .certificates($0) }
        }
        // Any server can present a certificate with a pinned key, but only the owner of the key can
        // have signed the certificates that lead to it.
        guard let list = try? CertificateList(pins.certificates) else { return nil }
        let presented = CertificateList.elements(of: bb_verification_presented(verification))
        for certificate in presented where isPinned(certificate, pins) {
            guard list.append(certificate) else { return nil }
        }
        return list.isEmpty ? nil : .certificates(list)
    }

    private func isPinned(_ certificate: OpaquePointer, _ pins: Exchange.Trust.Pins) -> Bool {
        if let hashes = pins.publicKeyHashes {
            return PublicKeyHash(of: certificate).map(hashes.contains) ?? false
        }
        return Data(derOf: certificate).map(pinnedData.contains) ?? false
    }

    /// Returns the verdict for an error code of OpenSSL.
    ///
    /// Without authorities, an unknown issuer means that the chain is not pinned.
    private func rejection(_ code: Int32) -> Verdict {
        trust.goal != .authority && Exchange.Failure.CertificateFault.Check(code: code) == .issuer
            ? .notPinned : .rejected(code)
    }
}

extension Exchange.Failure.CertificateFault.Check {
    /// Creates the check to which an error code of OpenSSL's verification belongs.
    init(code: Int32) {
        self =
            switch code {
            case Int32(BB_EXPIRED): .expiry
            case Int32(BB_NOT_YET_VALID): .start
            case Int32(BB_NO_ISSUER), Int32(BB_SELF_SIGNED), Int32(BB_SELF_SIGNED_ISSUER),
                Int32(BB_NO_LOCAL_ISSUER), Int32(BB_UNVERIFIABLE_LEAF):
                .issuer
            case Int32(BB_OTHER_HOST): .hostName
            case Int32(BB_REVOKED), Int32(BB_NO_REVOCATION_LIST),
                Int32(BB_REVOCATION_LIST_EXPIRED), Int32(BB_REVOCATION_LIST_NOT_YET_VALID):
                .revocation
            default: .other
            }
    }
}
