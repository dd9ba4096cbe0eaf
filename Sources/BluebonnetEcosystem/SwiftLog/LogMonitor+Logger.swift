#if SwiftLog
public import Bluebonnet
public import Logging

extension LogMonitor {
    /// Creates a monitor that writes to a logger.
    ///
    /// ```swift
    /// api.addMonitor(LogMonitor(logger: logger))
    /// ```
    ///
    /// The message is the method, the host, and the status code or the kind of error. The metadata
    /// are ``AttemptAttributes/values``. Where they apply, they also have `error.message`,
    /// `bluebonnet.retry.delay` in seconds, `bluebonnet.curl`, `trace_id` and `span_id`.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - sampling: The share of tasks without errors and warnings that are logged, from 0 to 1, by
    ///     default all.
    ///   - detail: What is logged beside attempts, by default nothing.
    public convenience init(logger: Logger, sampling: Double = 1, detail: Detail = []) {
        self.init(sampling: sampling, detail: detail) { entry in
            logger.log(
                level: entry.level.ofLogger, "\(entry.shortMessage)", metadata: entry.metadata,
                source: "Bluebonnet")
        }
    }
}

extension LogMonitor.Level {
    fileprivate var ofLogger: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}

extension LogEntry {
    fileprivate var shortMessage: String {
        guard let attributes else { return message }
        let result = attributes.statusCode.map { "\($0)" } ?? attributes.errorType
        return [attributes.method, attributes.host, result ?? ""].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        for (name, value) in attributes?.values ?? [] {
            metadata[name] = .string(value.description.onOneLine)
        }
        if let context = attributes?.traceContext {
            metadata["trace_id"] = .string(context.traceID)
            metadata["span_id"] = .string(context.spanID)
        }
        if let failure { metadata["error.message"] = .string(failure.onOneLine) }
        if let retryDelay { metadata["bluebonnet.retry.delay"] = "\(retryDelay)" }
        if let cURLCommand { metadata["bluebonnet.curl"] = .string(cURLCommand.onOneLine) }
        return metadata
    }
}

extension String {
    /// The text with escapes in place of what could begin another line or move the cursor.
    fileprivate var onOneLine: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += scalar.escaped(asASCII: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
#endif
