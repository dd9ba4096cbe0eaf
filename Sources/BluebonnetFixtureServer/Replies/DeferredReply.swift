/// A handle for a reply that another thread produces while the server continues.
///
/// The step `defer` passes it to its closure. It can be used on any thread.
public final class DeferredReply: Sendable {
    private struct State: Sendable {
        var isMade = false
        var isAbandoned = false
        var whenAbandoned: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let send: @Sendable (DeferredReply, FixtureReply) -> Void

    init(send: @escaping @Sendable (DeferredReply, FixtureReply) -> Void) {
        self.send = send
    }

    /// Sends the reply.
    ///
    /// Does nothing if a reply was already given or the connection has ended.
    public func complete(_ reply: FixtureReply) {
        let isFirst = state.withLock { state in
            defer { state.isMade = true }
            return !state.isMade
        }
        if isFirst { send(self, reply) }
    }

    /// Sets a closure that is called when the connection ends before the reply.
    ///
    /// The closure is called once, on the server's thread. If the connection has already ended, it
    /// is called at once on the calling thread. A later closure replaces an earlier one.
    public func whenAbandoned(_ action: @escaping @Sendable () -> Void) {
        let isAbandoned = state.withLock { state in
            if !state.isAbandoned { state.whenAbandoned = action }
            return state.isAbandoned
        }
        if isAbandoned { action() }
    }

    /// Calls the closure of ``whenAbandoned(_:)`` because the connection has ended.
    func abandon() {
        let action = state.withLock { state in
            guard !state.isMade, !state.isAbandoned else { return nil as (@Sendable () -> Void)? }
            state.isAbandoned = true
            defer { state.whenAbandoned = nil }
            return state.whenAbandoned
        }
        action?()
    }
}
