/// Why a task was cancelled that its holder did not cancel.
enum CancellationCause {
    /// It was released before its first `resume()`.
    case neverResumed
    /// Its manager was told to cancel its tasks.
    case invalidation
    /// Its manager was shut down, and the time of grace was over.
    case shutdown
    /// A hook was asked about its response, or a challenge, and cancelled it.
    case hook

    /// What happened, and what to do about it.
    var text: String {
        switch self {
        case .neverResumed:
            """
            the task was released without ever being resumed, and nothing was sent; call resume(), \
            or hold the task until you do
            """
        case .invalidation:
            "the task was cancelled, because its manager was invalidated; make a new manager"
        case .shutdown:
            "the task was cancelled, because its manager was shut down before the task ended"
        case .hook:
            "the task was cancelled, because a hook answered .cancel"
        }
    }
}
