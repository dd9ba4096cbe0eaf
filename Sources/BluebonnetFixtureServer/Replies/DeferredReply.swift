/// The place of a reply that is made on another thread, while the server goes on.
///
/// A handler gets one for the step `defer`. Any thread may use it, at any time.
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
    /// It does nothing for a second reply, or when the connection has ended.
    public func complete(_ reply: FixtureReply) {
        let isFirst = state.withLock { state in
            defer { state.isMade = true }
            return !state.isMade
        }
        if isFirst { send(self, reply) }
    }

    /// Calls a closure when the connection ends before the reply; at once if it has.
    ///
    /// The closure is called once, on the server's thread or on this one. A later closure takes the
    /// place of an earlier one.
    public func whenAbandoned(_ action: @escaping @Sendable () -> Void) {
        let isAbandoned = state.withLock { state in
            if !state.isAbandoned { state.whenAbandoned = action }
            return state.isAbandoned
        }
        if isAbandoned { action() }
    }

    /// Calls the closure of ``whenAbandoned(_:)``, since the connection has ended.
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
