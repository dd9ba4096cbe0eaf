public import Foundation

/// A line of a ``LogMonitor``.
public struct LogEntry: Sendable {
    /// How important it is.
    public let level: LogMonitor.Level
    /// When the attempt ended.
    public let date: Date
    /// What the attempt was about; nil for another event.
    public let attributes: AttemptAttributes?
    /// The error's description, without secrets.
    public let failure: String?
    /// The seconds after which another attempt follows; nil if none does.
    public let retryDelay: TimeInterval?
    /// The request as a cURL command without secrets, if the monitor adds it.
    public let cURLCommand: String?
    private let text: String?

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
        guard let attributes else { return (text ?? "").onOneLine }
        var words = "\(attributes.method) "
        if attributes.host.isEmpty {
            words += "without a URL"
        } else {
            let isUsual = attributes.port == (attributes.scheme == "https" ? 443 : 80)
            let host = attributes.host.contains(":") ? "[\(attributes.host)]" : attributes.host
            words += "\(attributes.scheme)://\(host)\(isUsual ? "" : ":\(attributes.port)")"
            words += attributes.path
        }
        if let statusCode = attributes.statusCode { words += " \(statusCode)" }
        if let duration = attributes.duration { words += " in \(Int(duration * 1_000)) ms" }
        if attributes.responseBodyBytes > 0 { words += ", \(attributes.responseBodyBytes) bytes" }
        if attributes.isConnectionReused { words += ", reused connection" }
        if attributes.attempt > 1 { words += ", attempt \(attributes.attempt)" }
        if let tag = attributes.tag { words += ", \(tag)" }
        if let retryDelay {
            words += ", again in \(Int(retryDelay * 1_000)) ms"
        }
        if let failure { words += ": \(failure)" }
        if let cURLCommand { words += " \(cURLCommand)" }
        return words.onOneLine
    }

    /// The entry as a line without its end.
    public func line(_ format: LogMonitor.Format) -> String {
        switch format {
        case .text: "\(Self.text(of: date)) \(level.rawValue) \(message)"
        case .json: json
        }
    }

    private var json: String {
        var text = "{\"time\":\"\(Self.text(of: date))\",\"level\":\"\(level.rawValue)\""
        func add(_ name: String, _ value: AttemptAttributes.Value) {
            text += ",\"\(name)\":"
            switch value {
            case .text(let value): text += value.quotedAsJSON
            // JSON has no infinity.
            case .number(let number): text += number.isFinite ? "\(number)" : "null"
            case .integer, .flag: text += value.description
            }
        }
        if attributes == nil { add("message", .text(self.text ?? "")) }
        for (name, value) in attributes?.values ?? [] { add(name, value) }
        if let retryDelay { add("bluebonnet.retry.delay", .number(retryDelay)) }
        if let failure { add("error.message", .text(failure)) }
        if let cURLCommand { add("bluebonnet.curl", .text(cURLCommand)) }
        return text + "}"
    }

    /// A date as RFC 3339 writes it, with milliseconds.
    private static func text(of date: Date) -> String {
        date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
    }
}

extension String {
    /// The text with escapes in place of what could end a line or move the cursor.
    fileprivate var onOneLine: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl {
                text += scalar.escaped(asASCII: true)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The text as a JSON string.
    fileprivate var quotedAsJSON: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case _ where scalar.isControl:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character, or separates lines.
    fileprivate var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
    }
}
