/// The reason for a cancellation that the task's owner did not request.
enum CancellationCause {
    /// The task was released before its first `resume()`.
    case neverResumed
    /// The manager was invalidated and its tasks were canceled.
    case invalidation
    /// The manager was shut down, and its grace period had passed.
    case shutdown
    /// A hook canceled the task when it was called with the response or a challenge.
    case hook

    /// A description of the cause, and what to do about it.
    var text: String {
        switch self {
        case .neverResumed:
            """
            the task was released without ever being resumed, and nothing was sent; call resume(), \
            or keep a reference to the task until you do
            """
        case .invalidation:
            "the task was canceled because its manager was invalidated; create a new manager"
        case .shutdown:
            "the task was canceled because its manager was shut down before the task ended"
        case .hook:
            "the task was canceled because a hook returned .cancel"
        }
    }
}
