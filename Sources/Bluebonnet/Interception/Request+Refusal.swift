import BluebonnetTransport
import Foundation

extension Request {
    /// Adds a reason to the error of an attempt that a policy would retry, but does not.
    func noteRetryRefusal(_ reason: String) {
        delegate.state.withLock { $0.attempt.rare.retryRefusal = reason }
    }
}

// The reasons for which a task refuses a retry, so that no budget pays for it.
extension Request {
    /// Returns whether a delay would end after the deadline.
    func outlastsDeadline(_ delay: TimeInterval) -> Bool {
        guard let deadline = delegate.state.withLock({ $0.rare.deadlineTime }) else { return false }
        return delegate.session.clock.now + Duration(delayInSeconds: delay) >= deadline
    }

    /// Whether the body was sent, and neither the task nor a hook can create it again.
    var hasLostBody: Bool {
        guard delegate.state.withLock({ $0.hasSpentBody }) else { return false }
        let hooks = delegate.session.audience.hooked
        return !delegate.hasOwnStream || !hooks.contains(.needsNewBodyStream)
    }
}

extension TaskState {
    /// Whether the attempt has read a body that can be read only once.
    var hasSpentBody: Bool {
        attempt.isBodySingle && exchange.number > attempt.formerExchangeCount
            && rare.bodyFactory == nil
    }
}
