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
        var verdict: TrustEvaluator.Verdict
        /// What the server presented, in DER, leaf first.
        var presentedChain: [Data]
    }

    private let evaluator: TrustEvaluator
    private(set) var rejection: Rejection?

    init(_ evaluator: TrustEvaluator) {
        self.evaluator = evaluator
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
        let verdict = evaluator.verdict(on: verification)
        switch verdict {
        case .accepted:
            // libcurl looks at this as well as at what is returned.
            bb_verification_accept(verification)
            return true
        case .rejected(let code): bb_verification_reject(verification, code)
        case .notPinned: bb_verification_reject(verification, Int32(BB_REFUSED_BY_POLICY))
        }
        let presented = CertificateList.elements(of: bb_verification_presented(verification))
        rejection = Rejection(
            verdict: verdict, presentedChain: presented.compactMap(Data.init(derOf:)))
        return false
    }
}
