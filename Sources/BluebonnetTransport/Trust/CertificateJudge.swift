import CBluebonnet
import Foundation

/// A judge of the certificates of one connection, which stores the reason for a rejection.
///
/// OpenSSL's context retains it for the lifetime of the connection. That can be longer than the
/// exchange that opened the connection, because a server can begin a new handshake at any time. It
/// lives on the loop thread.
final class CertificateJudge {
    /// A rejected chain.
    struct Rejection {
        /// The policy's verdict.
        ///
        /// It is `.accepted` if the hook refused the chain or has yet to decide.
        var verdict: TrustEvaluator.Verdict
        /// The certificates that the server presented, in DER, leaf first.
        var presentedChain: [Data]
        /// The question for the hook, or nil if it is decided or the hook is not asked.
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

    /// Makes OpenSSL call this judge, and returns whether that succeeded.
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
            // libcurl checks this in addition to the returned value.
            bb_verification_accept(verification)
            return true
        }
        self.rejection = rejection
        bb_verification_reject(verification, verdict.rejectionCode)
        return false
    }

    /// Returns the rejection, or nil if the server is trusted.
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

/// The server of a connection, as named in the URL.
struct TrustedServer: CustomStringConvertible {
    let host: URLHost
    let port: Int

    /// Creates a server, or returns nil if libcurl does not accept the URL.
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
