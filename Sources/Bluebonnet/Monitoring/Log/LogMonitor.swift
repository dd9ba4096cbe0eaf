import BluebonnetTransport
public import Dispatch
public import Foundation

/// A monitor that writes a line for each attempt.
///
/// ```swift
/// api.addMonitor(LogMonitor())
/// ```
///
/// ```text
/// 2026-11-29T12:00:00.125Z info GET https://api.example.com/v1/users/7 200 in 48 ms, 512 bytes
/// ```
///
/// Lines have neither queries nor header fields nor bodies. Characters that could begin another line
/// are escaped.
public final class LogMonitor: TaskEventMonitor {
    /// How important a line is.
    public enum Level: String, Sendable, Hashable, CaseIterable {
        /// An event of a task, if these are logged.
        case debug
        /// A success, or a cancellation.
        case info
        /// An attempt that failed and is followed by another one, or a response with a status of 400 or
        /// more that the task accepts.
        case warning
        /// A task that failed.
        case error
    }

    /// What a line looks like.
    public enum Format: Sendable, Hashable {
        /// Words in the order in which people read them.
        case text
        /// A JSON object with the names of OpenTelemetry.
        case json
    }

    /// What is logged beside attempts.
    public struct Detail: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: Int

        /// Creates a set from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A line for each event, at ``Level/debug``.
        public static let events = Self(rawValue: 1)
        /// The request as a cURL command without secrets, with each error.
        public static let cURL = Self(rawValue: 2)
    }

    /// The kinds of events that the monitor needs.
    public let interests: TaskEvent.Interests
    /// The queue on which lines are written, so that a slow output holds up nothing else.
    public let queue: DispatchQueue?

    private struct Pending {
        let event: TaskEvent
        let summary: AttemptSummary
    }

    private let sampling: Double
    private let detail: Detail
    private let output: @Sendable (LogEntry) -> Void
    /// The last attempts of tasks, until it is known whether another one follows.
    private let pending = Locked<[ObjectIdentifier: Pending]>([:])

    /// Creates a monitor that passes entries to a closure.
    ///
    /// - Parameters:
    ///   - sampling: The share of tasks without errors and warnings that are logged, from 0 to 1, by
    ///     default all. Errors and warnings always are.
    ///   - detail: What is logged beside attempts, by default nothing.
    ///   - output: A closure that is called with each entry, one at a time.
    public init(
        sampling: Double = 1, detail: Detail = [], output: @escaping @Sendable (LogEntry) -> Void
    ) {
        (self.sampling, self.detail, self.output) = (sampling, detail, output)
        queue = DispatchQueue(label: "bluebonnet.log", qos: .utility)
        let needed: TaskEvent.Interests = [.endedAttempt, .willRetry, .completed]
        interests =
            detail.contains(.events)
            ? TaskEvent.Interests.all.subtracting([.receivedData, .sentBodyData, .wroteData])
            : needed
    }

    /// Creates a monitor that writes lines to a file.
    ///
    /// A line that cannot be written is lost.
    ///
    /// - Parameters:
    ///   - file: The file, by default the standard error output.
    ///   - format: What lines look like, by default text.
    ///   - sampling: The share of tasks without errors and warnings that are logged, by default all.
    ///   - detail: What is logged beside attempts, by default nothing.
    public convenience init(
        to file: FileHandle = .standardError, format: Format = .text, sampling: Double = 1,
        detail: Detail = []
    ) {
        self.init(sampling: sampling, detail: detail) { entry in
            try? file.write(contentsOf: Data("\(entry.line(format))\n".utf8))
        }
    }

    /// Logs events.
    public func tasksDidEmit(_ events: [TaskEvent]) {
        for event in events {
            if detail.contains(.events), isSampled(event.task) {
                output(LogEntry(level: .debug, date: event.date, text: event.description))
            }
            let key = ObjectIdentifier(event.task.delegate)
            switch event.kind {
            case .endedAttempt(let summary):
                let former = pending.withLock {
                    $0.updateValue(Pending(event: event, summary: summary), forKey: key)
                }
                withExtendedLifetime(former) {}
            case .willRetry(let delay, _):
                guard let attempt = pending.withLock({ $0.removeValue(forKey: key) }) else { break }
                log(attempt.summary, attempt.event, retryDelay: delay)
            case .completed(let error):
                let last = pending.withLock { $0.removeValue(forKey: key) }
                let summary = AttemptSummary(
                    request: last?.summary.request ?? event.task.originalRequest,
                    head: last?.summary.head, error: error ?? last?.summary.error,
                    metrics: last?.summary.metrics)
                log(summary, last?.event ?? event)
            default: break
            }
        }
    }

    private func log(
        _ summary: AttemptSummary, _ event: TaskEvent, retryDelay: TimeInterval? = nil
    ) {
        let attributes = AttemptAttributes(
            summary, attempt: event.attempt, tag: event.task.attributes.tag)
        let level: Level =
            if retryDelay != nil {
                .warning
            } else if let error = summary.error {
                error.isCancelled ? .info : .error
            } else {
                attributes.statusCode.map { $0 >= 400 } == true ? .warning : .info
            }
        guard level != .info || isSampled(event.task) else { return }
        let isExplained = detail.contains(.cURL) && summary.error != nil
        output(
            LogEntry(
                level: level, date: event.date, attributes: attributes,
                failure: summary.error.map { "\($0)" }, retryDelay: retryDelay,
                cURLCommand: isExplained ? event.task.cURLDescription() : nil))
    }

    /// Whether a task is in the sample; all attempts of a task are, or none.
    private func isSampled(_ task: SessionTask) -> Bool {
        guard sampling < 1 else { return true }
        let mixed = UInt64(truncatingIfNeeded: task.taskIdentifier) &* 0x9E37_79B9_7F4A_7C15
        return Double(mixed >> 11) / Double(1 << 53) < sampling
    }
}
