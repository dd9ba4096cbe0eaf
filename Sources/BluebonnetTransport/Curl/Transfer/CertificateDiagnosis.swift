import CBluebonnet
import Foundation

/// What was wrong with the certificate of a server, or of a proxy, that was not accepted.
struct CertificateDiagnosis {
    private typealias Check = Exchange.Failure.CertificateFault.Check

    let result: CURLcode
    let handle: EasyHandle
    let url: String

    /// The failure of the exchange; nil where no certificate is to blame.
    var failure: Exchange.Failure? {
        if let failure = handle.trustFailure { return failure }
        // Whatever the result: see `TLSContext`.
        if let rejection = handle.judge?.rejection { return failure(of: rejection) }
        guard result == CURLE_PEER_FAILED_VERIFICATION else { return nil }
        let proxy = handle.proxyInHandshake
        let info = proxy == nil ? CURLINFO_SSL_VERIFYRESULT : CURLINFO_PROXY_SSL_VERIFYRESULT
        let code = Int32(truncatingIfNeeded: handle.number(info))
        // libcurl begins with 1, and looks at the name before it asks OpenSSL for the result.
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
                the certificate of \(role)\(certificateHost) is not accepted: \
                \(check.explanation(reason, isProxy: proxy != nil))
                """
        )
        failure.curlCode = Int32(result.rawValue)
        return failure
    }

    /// Host and port of the URL.
    private var serverName: String {
        guard let parts = URLComponents(string: url), let host = parts.host else {
            return "the server"
        }
        return "\(host):\(parts.port ?? 443)"
    }
}

extension Exchange.Failure.CertificateFault.Check {
    /// What is wrong and what to do, with OpenSSL's words where it was OpenSSL that found it.
    fileprivate func explanation(_ reason: String, isProxy: Bool) -> String {
        switch self {
        case .issuer:
            """
            no trusted authority has issued it (\(reason)); if it is of an authority of your own, set \
            \(isProxy ? "the proxy's certificateAuthorityFile" : "securityPolicy.certificateAuthorities") \
            to a PEM file with that authority; have the server send its intermediate certificates, too
            """
        case .expiry:
            """
            it, or one that it depends on, has expired (\(reason)); have it renewed, or set this \
            machine's clock
            """
        case .start:
            "it, or one that it depends on, is not valid yet (\(reason)); set this machine's clock"
        case .hostName:
            """
            it is for other hosts; use a name that it is for, or have one issued with this name as a \
            subject alternative name
            """
        case .pin:
            """
            no certificate of its verified chain is pinned; if the server has a new one, and only \
            then, pin that too
            """
        case .revocation:
            """
            it, or one that it depends on, is revoked, or that cannot be told (\(reason)); if it is \
            not, bring the lists of every authority of the chain up to date
            """
        case .challenge:
            """
            the challenge about it was not answered with trust; if the server should be trusted, \
            answer .trustServer in didReceiveChallenge
            """
        case .other:
            "it cannot be verified (\(reason)); have the server's certificates put right"
        }
    }
}

extension EasyHandle {
    /// The proxy with TLS, if that is whom the last handshake was with.
    fileprivate var proxyInHandshake: Exchange.Route.Proxy? {
        guard let proxy, proxy.scheme == .https else { return nil }
        // Once a tunnel is open, the handshake is the server's.
        return number(CURLINFO_HTTP_CONNECTCODE) == 0 ? proxy : nil
    }
}
