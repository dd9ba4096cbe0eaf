import Synchronization

/// Which of its hooks a manager has use for, as its tasks ask: without the manager and its lock.
final class ActiveHooks: Sendable {
    struct Kinds: OptionSet, Sendable {
        let rawValue: UInt32

        static let start = Self(rawValue: 1 << 0)
        static let completion = Self(rawValue: 1 << 1)
        static let data = Self(rawValue: 1 << 2)
        static let sending = Self(rawValue: 1 << 3)
        static let writing = Self(rawValue: 1 << 4)
        static let disposition = Self(rawValue: 1 << 5)
        static let challenge = Self(rawValue: 1 << 6)
        static let redirect = Self(rawValue: 1 << 7)

        static let all = Self(rawValue: .max)
    }

    private let bits = Atomic<UInt32>(0)

    /// Whether any of some kinds is in use.
    func contains(anyOf kinds: Kinds) -> Bool {
        bits.load(ordering: .acquiring) & kinds.rawValue != 0
    }

    func replace(with kinds: Kinds) {
        bits.store(kinds.rawValue, ordering: .releasing)
    }
}

extension SessionManager.Hooks {
    var kinds: ActiveHooks.Kinds {
        var kinds: ActiveHooks.Kinds = []
        func note(_ kind: ActiveHooks.Kinds, _ isUsed: Bool) {
            if isUsed { kinds.insert(kind) }
        }
        note(.start, willStart != nil)
        note(.completion, taskDidComplete != nil || taskDidFinishCollectingMetrics != nil)
        note(.data, dataTaskDidReceiveData != nil)
        note(.sending, taskDidSendBodyData != nil)
        note(.writing, downloadTaskDidWriteData != nil)
        note(.disposition, dataTaskDidReceiveResponse != nil)
        note(.challenge, didReceiveChallenge != nil)
        note(.redirect, taskWillPerformHTTPRedirection != nil)
        return kinds
    }
}
