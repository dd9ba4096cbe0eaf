import BluebonnetTransport

/// An exchange of the model: what the lifecycle's callers have told it, and what it knows itself.
// @unchecked because a model is used on one thread.
final class ModelTransfer: Transfer, @unchecked Sendable {
    /// What its response turns out to be.
    enum Role: CaseIterable {
        /// Kept in memory, so each piece is consumed as it comes.
        case memory
        /// Read by somebody else, in his time.
        case stream
        /// Written to a file, which is committed to when it is whole.
        case file
        /// Another exchange follows.
        case redirect
        /// Another exchange follows, if the hook says so.
        case question
        /// Not the rest of a download after all: it is asked for again, from its beginning.
        case stale
    }

    let role: Role
    private(set) var isSuspended = false
    private(set) var cancelCount = 0
    private(set) var toldCount = 0

    /// Whether its last report is on the way, and whether that was handled.
    var isEnded = false
    var isEndHandled = false
    var isReported = false
    var hasHead = false
    /// Whether its starter gave it up, or its task was cancelled meanwhile: each may cancel it once.
    var giveUpCount = 0
    var isTaskCancelled = false
    /// Bytes on their way, with whoever reads them, and consumed while it had to hear of them.
    var chunkCount = 0
    var unreadCount = 0
    var consumedCount = 0
    var owedCount = 0

    init(role: Role) { self.role = role }

    func cancel() { cancelCount += 1 }
    func suspend() { isSuspended = true }
    func resume() { isSuspended = false }
    func didConsume(_ count: Int) { toldCount += count }
}
