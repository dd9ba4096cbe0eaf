import Foundation

/// The decisions of the challenge hook about servers, for the pools of one policy.
///
/// A decision is about one certificate chain of one server and the policy's verdict on it. If any
/// of these changes, the hook is asked again. The decisions live as long as the pools.
package final class TrustDecisions: Sendable {
    /// The occasion on which the hook is asked.
    package enum Occasion: Sendable, Hashable {
        /// The policy rejects a chain.
        case rejection
        /// A chain is presented for the first time, whatever the policy's verdict.
        case always
    }

    /// The next step for a task that has a question.
    package enum Turn: Sendable, Equatable {
        /// The question is already decided.
        case decided(Bool)
        /// Ask, and then call ``decide(_:_:)`` or ``leaveOpen(_:)``.
        case ask
        /// Another task is asking. Wait for the callback, and then try again.
        case wait
    }

    /// The most decisions to keep, because a server could present a new chain each time.
    static let capacity = 1024

    package let occasion: Occasion
    private let state = Locked(State())

    private struct State {
        var decisions: [TrustQuestion: Bool] = [:]
        /// The decided questions, oldest first.
        var order = FIFO<TrustQuestion>()
        /// The callbacks of tasks that wait for the answer to a question.
        var waiting: [TrustQuestion: [@Sendable () -> Void]] = [:]
    }

    package init(_ occasion: Occasion) {
        self.occasion = occasion
    }

    package func decision(on question: TrustQuestion) -> Bool? {
        state.withLock { $0.decisions[question] }
    }

    /// Returns the next step for a question.
    ///
    /// If that is ``Turn/wait``, the callback is called on any thread when the caller should try
    /// again.
    package func turn(
        on question: TrustQuestion,
        whenSettled wake: @escaping @Sendable () -> Void
    ) -> Turn {
        state.withLock { state in
            if let decision = state.decisions[question] { return .decided(decision) }
            guard state.waiting[question] != nil else {
                state.waiting[question] = []
                return .ask
            }
            state.waiting[question]?.append(wake)
            return .wait
        }
    }

    /// Stores the decision on a question and calls the callbacks that wait for it.
    package func decide(_ question: TrustQuestion, _ isTrusted: Bool) {
        let (waiting, former) = state.withLock { state in
            let isNew = state.decisions.updateValue(isTrusted, forKey: question) == nil
            if isNew { state.order.append(question) }
            let former = state.decisions.count > Self.capacity ? state.order.pop() : nil
            if let former { state.decisions[former] = nil }
            return (state.waiting.removeValue(forKey: question), former)
        }
        withExtendedLifetime(former) {}
        for wake in waiting ?? [] { wake() }
    }

    /// Removes all refusals, because a new hook can decide differently.
    package func forgetRefusals() {
        state.withLock { state in
            state.decisions = state.decisions.filter(\.value)
            var order = FIFO<TrustQuestion>()
            while let question = state.order.pop() {
                if state.decisions[question] != nil { order.append(question) }
            }
            state.order = order
        }
    }

    /// Ends a question without a decision, so that another task can ask.
    package func leaveOpen(_ question: TrustQuestion) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: question) }
        for wake in waiting ?? [] { wake() }
    }
}

/// A question about a server, the chain that it presented, and the policy's verdict.
package struct TrustQuestion: Sendable, Hashable {
    /// The host and port.
    let server: String
    /// The policy's verdict, which can change when a chain expires.
    let verdict: TrustEvaluator.Verdict
    /// A hash of the presented chain.
    let chainHash: [UInt8]

    /// Creates a question, or returns nil if the chain is empty or cannot be hashed.
    init?(server: String, verdict: TrustEvaluator.Verdict, presentedChain: [Data]) {
        var bytes = Data()
        for certificate in presentedChain {
            // Each length is hashed too, so that no other division of the bytes has the same hash.
            withUnsafeBytes(of: UInt64(certificate.count).littleEndian) {
                bytes.append(contentsOf: $0)
            }
            bytes.append(certificate)
        }
        guard !presentedChain.isEmpty, let hash = try? MessageDigest.sha256.hash(of: bytes) else {
            return nil
        }
        self.server = server
        self.verdict = verdict
        chainHash = hash
    }
}
