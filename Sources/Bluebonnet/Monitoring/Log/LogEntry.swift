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
        var text = ""
        appendMessage(to: &text)
        return text.onOneLine
    }

    // Appended piece by piece, because interpolation takes several times as long.
    private func appendMessage(to text: inout String) {
        guard let attributes else {
            text += self.text ?? ""
            return
        }
        text += attributes.method
        if attributes.host.isEmpty {
            text += " without a URL"
        } else {
            appendURL(of: attributes, to: &text)
        }
        func append(_ before: String, _ number: Int?, _ after: String = "") {
            guard let number else { return }
            text += before
            text += String(number)
            text += after
        }
        append(" ", attributes.statusCode)
        append(" in ", attributes.duration.map { Int($0 * 1_000) }, " ms")
        if attributes.responseBodyBytes > 0 {
            append(", ", Int(attributes.responseBodyBytes), " bytes")
        }
        if attributes.isConnectionReused { text += ", reused connection" }
        if attributes.attempt > 1 { append(", attempt ", attributes.attempt) }
        if let tag = attributes.tag { text += ", \(tag)" }
        if let context = attributes.traceContext { text += ", trace \(context.traceID)" }
        append(", again in ", retryDelay.map { Int($0 * 1_000) }, " ms")
        if let failure { text += ": \(failure)" }
        if let cURLCommand { text += " \(cURLCommand)" }
    }

    private func appendURL(of attributes: AttemptAttributes, to text: inout String) {
        text += " "
        text += attributes.scheme
        text += "://"
        let isAddress = attributes.host.utf8.contains(UInt8(ascii: ":"))
        if isAddress { text += "[" }
        text += attributes.host
        if isAddress { text += "]" }
        if attributes.port != (attributes.scheme == "https" ? 443 : 80) {
            text += ":"
            text += String(attributes.port)
        }
        text += attributes.path
    }

    /// The entry as a line without its end.
    public func line(_ format: LogMonitor.Format) -> String {
        switch format {
        case .text:
            var text = ""
            text.reserveCapacity(160)
            text += date.timestamp
            text += " "
            text += level.rawValue
            text += " "
            appendMessage(to: &text)
            return text.onOneLine
        case .json: return json
        }
    }

    private var json: String {
        var text = "{\"time\":\"\(date.timestamp)\",\"level\":\"\(level.rawValue)\""
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
        if let context = attributes?.traceContext {
            add("trace_id", .text(context.traceID))
            add("span_id", .text(context.spanID))
        }
        if let retryDelay { add("bluebonnet.retry.delay", .number(retryDelay)) }
        if let failure { add("error.message", .text(failure)) }
        if let cURLCommand { add("bluebonnet.curl", .text(cURLCommand)) }
        return text + "}"
    }
}

extension Date {
    /// The date as RFC 3339 writes it, with milliseconds.
    fileprivate var timestamp: String {
        let milliseconds = (timeIntervalSince1970 * 1_000).rounded(.down)
        // Of a year that has four digits.
        guard (-62_135_596_800_000...253_402_300_799_999).contains(milliseconds) else {
            return "\(timeIntervalSince1970)"
        }
        let (seconds, thousandths) = Int(milliseconds).quotientAndRemainder(dividingBy: 1_000)
        let isBefore1970 = thousandths < 0
        let time = UTCTime(seconds: isBefore1970 ? seconds - 1 : seconds)
        var text = ""
        func append(_ number: Int, _ digits: Int, _ after: String) {
            let value = String(number)
            for _ in value.utf8.count..<max(digits, value.utf8.count) { text += "0" }
            text += value
            text += after
        }
        append(time.year, 4, "-")
        append(time.month, 2, "-")
        append(time.day, 2, "T")
        append(time.hour, 2, ":")
        append(time.minute, 2, ":")
        append(time.second, 2, ".")
        append(isBefore1970 ? thousandths + 1_000 : thousandths, 3, "Z")
        return text
    }
}

extension String {
    /// The text with escapes in place of what could end a line or move the cursor.
    fileprivate var onOneLine: String {
        guard mayHaveControls else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl {
                text += scalar.escaped(asASCII: true)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a byte can belong to a control character, or to a separator of lines.
    private var mayHaveControls: Bool {
        // The last two begin those from U+0080 to U+009F, and U+2028 and U+2029.
        utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }
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
