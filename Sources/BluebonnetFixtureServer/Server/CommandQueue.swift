/// A command to the server's thread.
enum ServerCommand: Sendable {
    case closeIdleConnections
    case resetAllConnections
    case stop
    /// Delivers the reply that a connection waits for.
    case answer(connection: Int, DeferredReply, FixtureReply)
}

/// Passes commands to the server's thread and reports their completion.
final class CommandQueue: Sendable {
    private struct State: Sendable {
        var pending: [ServerCommand] = []
        var submitted = 0
        var completed = 0
        var isClosed = false
    }

    let wakeup: WakeupChannel
    private let state = Locked(State())

    init() throws(FixtureServerError) {
        wakeup = try WakeupChannel()
    }

    /// Submits a command and returns a ticket to wait for, or nil if the thread has ended.
    @discardableResult
    func submit(_ command: ServerCommand) -> Int? {
        let ticket: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.pending.append(command)
            state.submitted += 1
            return state.submitted
        }
        if ticket != nil { wakeup.signal() }
        return ticket
    }

    func wait(for ticket: Int) {
        state.wait { $0.isClosed || $0.completed >= ticket }
    }

    func waitUntilClosed() {
        state.wait { $0.isClosed }
    }

    func takePending() -> [ServerCommand] {
        wakeup.drain()
        return state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
    }

    func markCompleted(_ count: Int) {
        state.withLockNotifying { $0.completed += count }
    }

    func close() {
        state.withLockNotifying { $0.isClosed = true }
    }
}
