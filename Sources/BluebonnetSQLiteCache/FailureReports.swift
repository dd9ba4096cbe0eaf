import Bluebonnet
import BluebonnetCache

/// What a store could not do, for those who want to know.
final class FailureReports: Sendable {
    private struct State {
        var receivers: [@Sendable (CacheStoreFailure) -> Void] = []
        /// When a failure of an action with a code was last reported.
        var times: [String: ContinuousClock.Instant] = [:]
    }

    private let state = Locked(State())

    func addReceiver(_ receiver: @escaping @Sendable (CacheStoreFailure) -> Void) {
        state.withLock { $0.receivers.append(receiver) }
    }

    /// Reports a failure, unless a like one was reported within a second.
    func add(_ failure: StorageFailure) {
        let receivers: [@Sendable (CacheStoreFailure) -> Void] = state.withLock { state in
            let now = ContinuousClock.now
            let kind = "\(failure.action) \(failure.code)"
            if let last = state.times[kind], now < last + .seconds(1) { return [] }
            state.times[kind] = now
            return state.receivers
        }
        guard !receivers.isEmpty else { return }
        SQLiteCacheStore.answers.async {
            for receiver in receivers { receiver(failure.report) }
        }
    }
}
