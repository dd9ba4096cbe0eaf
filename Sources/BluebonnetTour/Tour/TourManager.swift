import Bluebonnet

/// A manager as a server's code would have it: a subclass, with a queue of its own for handlers.
// @unchecked because the superclass is open; the stored properties are constants whose own type
// guards what they hold.
final class TourManager: HTTPSessionManager, @unchecked Sendable {
    /// Tasks that were resumed, as the hook was told.
    let started = Count()
    /// Tasks that completed, as the hook was told.
    let completed = Count()

    init(baseURL: URL) {
        super.init(baseURL: baseURL)
        completionQueue = DispatchQueue(label: "bluebonnet-tour.handlers")
    }

    override func willStart(_ task: SessionTask) {
        super.willStart(task)
        started.increment()
    }

    override func taskDidComplete(_ task: SessionTask, error: BluebonnetError?) {
        super.taskDidComplete(task, error: error)
        completed.increment()
    }
}
