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
/// Lines have no queries, header fields, bodies, or values from bodies, but the words of your own
/// validators and serializers. ``SessionConfiguration/redactor`` hides parts of paths. Characters that
/// could begin another line are escaped.
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

        /// A line for each event but those of pieces of a body, at ``Level/debug``.
        public static let events = Self(rawValue: 1)
        /// The request as a cURL command without secrets, with each error.
        public static let cURL = Self(rawValue: 2)
        /// The beginning of a response's body, with the error about it, and a value that could not be
        /// decoded.
        ///
        /// Known secrets are hidden in it, but names and other data of users are not.
        public static let bodyExcerpts = Self(rawValue: 4)
    }

    /// The kinds of events that the monitor needs.
    public let interests: TaskEvent.Interests
    /// The queue on which lines are written, so that a slow output holds up nothing else.
    public let queue: DispatchQueue?

    private let sampling: Double
    private let detail: Detail
    private let output: @Sendable ([LogEntry]) -> Void
    /// The ends of tasks' last attempts, until it is known whether another one follows.
    private let pending = Locked<[ObjectIdentifier: TaskEvent]>([:])

    /// Creates a monitor that passes entries to a closure.
    ///
    /// - Parameters:
    ///   - sampling: The share of tasks without errors and warnings that are logged, from 0 to 1, by
    ///     default all. Errors and warnings always are.
    ///   - detail: What is logged beside attempts, by default nothing.
    ///   - output: A closure that is called with each entry, one at a time.
    public convenience init(
        sampling: Double = 1, detail: Detail = [], output: @escaping @Sendable (LogEntry) -> Void
    ) {
        self.init(sampling, detail) { for entry in $0 { output(entry) } }
    }

    private init(
        _ sampling: Double, _ detail: Detail,
        queue: DispatchQueue? = DispatchQueue(label: "bluebonnet.log", qos: .utility),
        output: @escaping @Sendable ([LogEntry]) -> Void
    ) {
        (self.sampling, self.detail, self.output) = (sampling, detail, output)
        self.queue = queue
        let needed: TaskEvent.Interests = [.endedAttempt, .willRetry, .completed]
        interests =
            detail.contains(.events)
            ? TaskEvent.Interests.all.subtracting([.receivedData, .sentBodyData, .wroteData])
            : needed
    }

    /// Creates a monitor that writes lines to a file.
    ///
    /// A line that cannot be written is lost. As with any output, one to a pipe without a reader
    /// raises `SIGPIPE`.
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
        self.init(sampling, detail) { entries in
            var lines: [UInt8] = []
            for entry in entries {
                lines += LogLine(entry, format).utf8
                lines.append(UInt8(ascii: "\n"))
            }
            try? file.write(contentsOf: Data(lines))
        }
    }

    /// Subscribes to the events of a manager's tasks.
    public func subscribe(to manager: SessionManager) -> TaskEventSubscription {
        // With attempts of its own, which are released with the subscription.
        let monitor = LogMonitor(sampling, detail, queue: queue, output: output)
        return manager.addMonitor(of: interests, on: queue, monitor.tasksDidEmit)
    }

    /// Logs events.
    public func tasksDidEmit(_ events: [TaskEvent]) {
        var entries: [LogEntry] = []
        for event in events {
            if detail.contains(.events), isSampled(event.task) {
                entries.append(
                    LogEntry(level: .debug, date: event.date, text: text(of: event)))
            }
            let key = ObjectIdentifier(event.task.delegate)
            switch event.kind {
            case .endedAttempt:
                // Without `willRetry` if the attempt was started over.
                if let former = pending.withLock({ $0.updateValue(event, forKey: key) }) {
                    add(former, to: &entries, retryDelay: 0)
                }
            case .willRetry(let delay, _):
                guard let end = pending.withLock({ $0.removeValue(forKey: key) }) else { break }
                add(end, to: &entries, retryDelay: delay)
            case .completed(let error):
                let end = pending.withLock { $0.removeValue(forKey: key) }
                add(end ?? event, to: &entries, error: error)
            default: break
            }
        }
        if !entries.isEmpty { output(entries) }
    }

    /// Adds the entry of an attempt that has ended, or of a task without any.
    private func add(
        _ end: TaskEvent, to entries: inout [LogEntry], error: BluebonnetError? = nil,
        retryDelay: TimeInterval? = nil
    ) {
        let attempt: AttemptSummary? =
            if case .endedAttempt(let summary) = end.kind { summary } else { nil }
        let error = error ?? attempt?.error
        let level: Level =
            if retryDelay != nil {
                .warning
            } else if let error {
                error.isCancelled ? .info : .error
            } else {
                attempt?.head.map { $0.statusCode >= 400 } == true ? .warning : .info
            }
        guard level != .info || isSampled(end.task) else { return }
        var attributes =
            end.attemptAttributes
            ?? AttemptAttributes(
                AttemptSummary(request: end.task.originalRequest, error: error), of: end)
        // A task can fail although its last attempt did not, for example because a file cannot be
        // moved.
        if let error { attributes.errorType = error.telemetryType }
        let isExplained = detail.contains(.cURL) && error != nil
        entries.append(
            LogEntry(
                level: level, date: end.date, attributes: attributes,
                failure: error.map(text),
                retryDelay: retryDelay,
                cURLCommand: isExplained ? end.task.cURLDescription() : nil))
    }

    private func text(of event: TaskEvent) -> String {
        let text = event.text(of: text)
        return event.task.delegate.session.configuration.redactor?.redacted(text) ?? text
    }

    private func text(of error: BluebonnetError) -> String {
        error.failureText(quotingBody: detail.contains(.bodyExcerpts))
    }

    /// Whether a task is in the sample; all attempts of a task are, or none.
    private func isSampled(_ task: SessionTask) -> Bool {
        guard sampling < 1 else { return true }
        let mixed = UInt64(truncatingIfNeeded: task.delegate.address) &* 0x9E37_79B9_7F4A_7C15
        return Double(mixed >> 11) / Double(1 << 53) < sampling
    }
}
