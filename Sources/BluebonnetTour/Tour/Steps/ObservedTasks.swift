import Bluebonnet
import BluebonnetTourServer

/// Compares the numbers of tasks that hooks and observers have counted.
enum ObservedTasks: TourStep {
    static let title = "hooks and observers"

    static let code = """
        let observer = NotificationCenter.default.addObserver(
            forName: SessionTask.didCompleteNotification, object: nil, queue: nil
        ) { notification in count(notification) }
        """

    /// Counts notifications until the observer is removed.
    static func observe(_ stage: TourStage) -> any NSObjectProtocol {
        let (notified, url) = (stage.notified, stage.url)
        // Tasks of other managers are observed too, such as that of `CachedResponses`.
        let count: @Sendable (Notification) -> Void = { notification in
            let requested = (notification.object as? SessionTask)?.originalRequest?.url
            guard requested?.port == url.port, requested?.path != TourRoutes.cachedPath else {
                return
            }
            notified.increment()
        }
        let observer = NotificationCenter.default.addObserver(
            forName: SessionTask.didCompleteNotification, object: nil, queue: nil
        ) { notification in count(notification) }
        return observer
    }

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let (api, notified) = (stage.api, stage.notified)
        // Notifications follow their handlers on a queue of their own.
        for _ in 0..<500 where notified.current < api.started.current {
            try await Task.sleep(for: .milliseconds(10))
        }
        let counts = [api.started.current, api.completed.current, notified.current]
        return StepOutcome(
            held: Set(counts).count == 1,
            text: "\(counts[0]) starts, \(counts[1]) ends, \(counts[2]) notifications")
    }
}
