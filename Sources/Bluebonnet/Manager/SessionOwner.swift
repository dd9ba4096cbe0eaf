/// The manager of sessions, as far as it is still there: one weak reference for all their tasks.
// @unchecked: written once, by the manager's `init`, before anybody else knows the session.
final class SessionOwner: @unchecked Sendable {
    private(set) weak var manager: SessionManager?

    /// Called once.
    func set(_ manager: SessionManager) {
        self.manager = manager
    }
}
