/// A weak reference to the manager of sessions, shared by all of their tasks.
// @unchecked: written once, by the manager's `init`, before other threads can reach the session.
final class SessionOwner: @unchecked Sendable {
    private(set) weak var manager: SessionManager?

    /// Sets the manager; called once.
    func set(_ manager: SessionManager) {
        self.manager = manager
    }
}
