import Bluebonnet

/// Writes a line for each event of a request.
struct EventLog: TaskEventMonitor {
    let interests: TaskEvent.Interests = [.sentRequest, .receivedHead, .willRetry, .completed]
    let write: @Sendable (String) -> Void

    func tasksDidEmit(_ events: [TaskEvent]) {
        for event in events {
            let time = event.date.formatted(.iso8601.time(includingFractionalSeconds: true))
            write("\(time) #\(event.task.taskIdentifier) \(event.kind)")
        }
    }
}
