import CBluebonnet
import Foundation

/// The reason why the certificate of a server or a proxy was not accepted.
struct CertificateDiagnosis {
    private typealias Check = Exchange.Failure.CertificateFault.Check

    let result: CURLcode
    let handle: EasyHandle
    let url: String

    /// The failure of the exchange, or nil if no certificate caused it.
    var failure: Exchange.Failure? {
        if let failure = handle.trustFailure { return failure }
        // Regardless of the result: see `TLSContext`.
        if let rejection = handle.judge?.rejection { return failure(of: rejection) }
        guard result == CURLE_PEER_FAILED_VERIFICATION else { return nil }
        let proxy = handle.proxyInHandshake
        let info = proxy == nil ? CURLINFO_SSL_VERIFYRESULT : CURLINFO_PROXY_SSL_VERIFYRESULT
        let code = Int32(truncatingIfNeeded: handle.number(info))
        // libcurl starts with 1, and checks the name before it asks OpenSSL for the result.
        let check = code <= 1 ? Check.hostName : Check(code: code)
        return failure(
            check, code: code, ofProxy: proxy,
            certificateHost: proxy.map { "\($0.host):\($0.port)" } ?? serverName)
    }

    private func failure(of rejection: CertificateJudge.Rejection) -> Exchange.Failure {
        let code = rejection.verdict.rejectionCode
        let check: Check =
            switch rejection.verdict {
            case .accepted: .challenge
            case .rejected: Check(code: code)
            case .notPinned: .pin
            }
        var failure = failure(check, code: code, ofProxy: nil, certificateHost: serverName)
        failure.certificateFault?.presentedChain = rejection.presentedChain
        failure.certificateFault?.question = rejection.question
        return failure
    }

    private func failure(
        _ check: Check,
        code: Int32,
        ofProxy proxy: Exchange.Route.Proxy?,
        certificateHost: String
    ) -> Exchange.Failure {
        let role = proxy == nil ? "" : "the proxy "
        let reason = String(cString: bb_verification_error_text(code))
        var failure = Exchange.Failure(
            certificateFault: .init(check: check, host: certificateHost),
            message: """
                the certificate of \(role)\(certificateHost) was not accepted: \
                \(check.explanation(reason, isProxy: proxy != nil))
                """
        )
        failure.curlCode = Int32(result.rawValue)
        return failure
    }

    /// The host and port of the URL.
    private var serverName: String {
        guard let parts = URLComponents(string: url), let host = parts.host else {
            return "the server"
        }
        return "\(host):\(parts.port ?? 443)"
    }
}

extension Exchange.Failure.CertificateFault.Check {
    /// Returns what is wrong and what to do, with OpenSSL's text if OpenSSL detected the fault.
    fileprivate func explanation(_ reason: String, isProxy: Bool) -> String {
        switch self {
        case .issuer:
            """
            no trusted authority has issued it (\(reason)); if it is from your own authority, set \
            \(isProxy ? "the proxy's certificateAuthorityFile" : "securityPolicy.certificateAuthorities") \
            to a PEM file with that authority; make sure that the server sends its intermediate \
            certificates
            """
        case .expiry:
            """
            it, or one that it depends on, has expired (\(reason)); renew that \
            certificate, or correct this machine's clock
            """
        case .start:
            "it, or one that it depends on, is not valid yet (\(reason)); check this machine's clock"
        case .hostName:
            """
            it is for other hosts; use a name that it is for, or a certificate with this name as a \
            subject alternative name
            """
        case .pin:
            """
            no certificate in its verified chain is pinned; pin its new certificate only if the \
            server is known to have replaced it
            """
        case .revocation:
            """
            it, or one that it depends on, is revoked or has an unknown status (\(reason)); \
            if it is not revoked, update the revocation lists of every authority in the chain
            """
        case .challenge:
            """
            the challenge about it was not answered with trust; if the server should be trusted, \
            answer .trustServer in didReceiveChallenge
            """
        case .other:
            "it cannot be verified (\(reason)); correct the server's certificates"
        }
    }
}

extension EasyHandle {
    /// The proxy, if the last handshake was with a TLS proxy.
    fileprivate var proxyInHandshake: Exchange.Route.Proxy? {
        guard let proxy, proxy.scheme == .https else { return nil }
        // Once a tunnel is open, the handshake is with the server.
        return number(CURLINFO_HTTP_CONNECTCODE) == 0 ? proxy : nil
    }
}
