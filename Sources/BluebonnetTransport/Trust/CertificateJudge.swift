import CBluebonnet
import Foundation

/// Judges the certificates of one connection, and remembers why it did not accept them.
///
/// OpenSSL's context holds it for as long as the connection lives, which may be longer than the
/// exchange for which it was made: a server may begin a new handshake at any time. It lives on the
/// loop thread.
final class CertificateJudge {
    /// What was not accepted.
    struct Rejection {
        /// What the policy made of it; `.accepted` where somebody else did not accept it, or has not
        /// been asked yet.
        var verdict: TrustEvaluator.Verdict
        /// What the server presented, in DER, leaf first.
        var presentedChain: [Data]
        /// What somebody may be asked; nil where it was decided, or nobody is to be asked.
        var question: TrustQuestion?
    }

    private let evaluator: TrustEvaluator
    private let server: TrustedServer
    private let decisions: TrustDecisions?
    private(set) var rejection: Rejection?

    init(_ evaluator: TrustEvaluator, for server: TrustedServer, _ decisions: TrustDecisions?) {
        self.evaluator = evaluator
        self.server = server
        self.decisions = decisions
    }

    /// Has OpenSSL ask this judge; false when that is impossible.
    func presides(over context: OpaquePointer) -> Bool {
        let retained = Unmanaged.passRetained(self)
        let isDone = bb_tls_context_set_judge(
            context,
            { verification, judge in
                guard let verification, let judge else { return 0 }
                let decided = Unmanaged<CertificateJudge>.fromOpaque(judge).takeUnretainedValue()
                return decided.accepts(verification) ? 1 : 0
            },
            retained.toOpaque(),
            { judge in
                if let judge { Unmanaged<CertificateJudge>.fromOpaque(judge).release() }
            }
        )
        if isDone == 0 { retained.release() }
        return isDone != 0
    }

    private func accepts(_ verification: OpaquePointer) -> Bool {
        let verdict = evaluator.verdict(on: verification, for: server)
        guard let rejection = rejection(verdict, verification) else {
            // libcurl looks at this as well as at what is returned.
            bb_verification_accept(verification)
            return true
        }
        self.rejection = rejection
        bb_verification_reject(verification, verdict.rejectionCode)
        return false
    }

    /// Nil when the server is to be trusted.
    private func rejection(
        _ verdict: TrustEvaluator.Verdict,
        _ verification: OpaquePointer
    ) -> Rejection? {
        let isAsked = decisions.map { $0.occasion == .always || !verdict.isAccepted } ?? false
        guard isAsked || !verdict.isAccepted else { return nil }
        let presented = CertificateList.elements(of: bb_verification_presented(verification))
            .compactMap(Data.init(derOf:))
        guard isAsked else { return Rejection(verdict: verdict, presentedChain: presented) }
        let question = TrustQuestion(
            server: server.description, verdict: verdict, presentedChain: presented)
        let decision = question.flatMap { decisions?.decision(on: $0) }
        if decision == true { return nil }
        return Rejection(
            verdict: verdict, presentedChain: presented, question: decision == nil ? question : nil)
    }
}

/// The server that a connection is for, as its URL names it.
struct TrustedServer: CustomStringConvertible {
    let host: URLHost
    let port: Int

    /// Nil for what libcurl does not take for a URL.
    init?(url: String) {
        guard let authority = URLAuthority(of: url) else { return nil }
        host = authority.host
        port = authority.port
    }

    var description: String {
        if case .address(let bytes) = host, bytes.count > 4 { return "[\(host)]:\(port)" }
        return "\(host):\(port)"
    }
}
