public import Foundation

/// A line of a ``LogMonitor``.
public struct LogEntry: Sendable {
    /// How important it is.
    public let level: LogMonitor.Level
    /// When the attempt ended.
    public let date: Date
    /// What the attempt was about; nil for another event.
    public let attributes: AttemptAttributes?
    /// The error in words, without secrets and without its request.
    public let failure: String?
    /// The seconds after which another attempt follows; nil if none does.
    public let retryDelay: TimeInterval?
    /// The request as a cURL command without secrets, if the monitor adds it.
    public let cURLCommand: String?
    /// The event in words, if it is not the end of an attempt.
    let text: String?

    init(
        level: LogMonitor.Level, date: Date, attributes: AttemptAttributes, failure: String?,
        retryDelay: TimeInterval?, cURLCommand: String?
    ) {
        (self.level, self.date, self.attributes) = (level, date, attributes)
        (self.failure, self.retryDelay, self.cURLCommand) = (failure, retryDelay, cURLCommand)
        text = nil
    }

    init(level: LogMonitor.Level, date: Date, text: String) {
        (self.level, self.date, self.text) = (level, date, text)
        (attributes, failure, retryDelay, cURLCommand) = (nil, nil, nil, nil)
    }

    /// The entry in words, without date and level, on one line.
    public var message: String {
        var line = LogLine()
        line.append(message: self)
        return line.text
    }

    /// The entry as a line without its end.
    ///
    /// - Parameter format: Whether the line is text or JSON.
    /// - Returns: The line.
    public func line(_ format: LogMonitor.Format) -> String { LogLine(self, format).text }
}
