import Foundation

/// What was decided about servers that were asked about, for the pools of one policy.
///
/// A decision is about one chain of certificates of one server, and about what the policy found of
/// it: should any of that change, it has to be asked anew. It lives as long as its pools.
package final class TrustDecisions: Sendable {
    /// When somebody is asked.
    package enum Occasion: Sendable, Hashable {
        /// The policy does not accept a chain.
        case rejection
        /// A chain is met for the first time, whatever the policy makes of it.
        case always
    }

    /// What follows for who wants to ask.
    package enum Turn: Sendable, Equatable {
        /// It was decided already.
        case decided(Bool)
        /// Ask, and then call ``decide(_:_:)`` or ``leaveOpen(_:)``.
        case ask
        /// Somebody else is being asked; the callback comes when there is something new.
        case wait
    }

    /// A server could show a new chain each time.
    static let capacity = 1024

    package let occasion: Occasion
    private let state = Locked(State())

    private struct State {
        var decisions: [TrustQuestion: Bool] = [:]
        /// The decided questions, oldest first.
        var order = FIFO<TrustQuestion>()
        /// Who waits for the answer to a question that is being asked.
        var waiting: [TrustQuestion: [@Sendable () -> Void]] = [:]
    }

    package init(_ occasion: Occasion) {
        self.occasion = occasion
    }

    package func decision(on question: TrustQuestion) -> Bool? {
        state.withLock { $0.decisions[question] }
    }

    /// Begins to ask, or has the callback called, on any thread, when it makes sense to try again.
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

    /// Keeps a decision for all who ask the same.
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

    /// Forgets whom not to trust, since somebody else is asked from now on.
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

    /// Says that who was asked has decided nothing, so that somebody else may ask.
    package func leaveOpen(_ question: TrustQuestion) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: question) }
        for wake in waiting ?? [] { wake() }
    }
}

/// Which server showed which chain, and what its policy made of it.
package struct TrustQuestion: Sendable, Hashable {
    /// Host and port.
    let server: String
    /// What the policy made of it, since a chain that was good may expire.
    let verdict: TrustEvaluator.Verdict
    /// A hash of the chain as it was presented.
    let chainHash: [UInt8]

    /// Nil where it cannot be hashed.
    init?(server: String, verdict: TrustEvaluator.Verdict, presentedChain: [Data]) {
        var bytes = Data()
        for certificate in presentedChain {
            // A length before each, so that no other division of the bytes has the same hash.
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
