import Foundation

/// A line of a log in UTF-8.
///
/// Bytes, because to append to a `String` takes several times as long.
struct LogLine {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(256) }

    init(_ entry: LogEntry, _ format: LogMonitor.Format) {
        self.init()
        switch format {
        case .text: append(entry)
        case .json: append(json: entry)
        }
    }

    /// The bytes of ``text``.
    var utf8: [UInt8] { bytes.mayHaveControls ? Array(text.utf8) : bytes }

    /// The line with escapes in place of what could end it or move the cursor.
    var text: String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.mayHaveControls else { return text }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl {
                text += scalar.escaped(asASCII: true)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Appends a number with at least that many digits.
    mutating func append(_ number: Int, digits: Int = 1) {
        let text = String(number)
        for _ in 0..<max(0, digits - text.utf8.count) { bytes.append(UInt8(ascii: "0")) }
        append(text)
    }

    /// Appends the last two digits of a number.
    private mutating func append(lastTwoOf number: Int) {
        bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10 % 10))
        bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends a date as RFC 3339 writes it, with milliseconds.
    mutating func append(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded(.down)
        // Of the years that have four digits.
        guard (-62_135_596_800_000...253_402_300_799_999).contains(milliseconds) else {
            return append("\(date.timeIntervalSince1970)")
        }
        let seconds = (milliseconds / 1_000).rounded(.down)
        let time = UTCTime(seconds: Int(seconds))
        append(time.year, digits: 4)
        bytes.append(UInt8(ascii: "-"))
        append(lastTwoOf: time.month)
        bytes.append(UInt8(ascii: "-"))
        append(lastTwoOf: time.day)
        bytes.append(UInt8(ascii: "T"))
        append(lastTwoOf: time.hour)
        bytes.append(UInt8(ascii: ":"))
        append(lastTwoOf: time.minute)
        bytes.append(UInt8(ascii: ":"))
        append(lastTwoOf: time.second)
        bytes.append(UInt8(ascii: "."))
        append(Int(milliseconds - seconds * 1_000), digits: 3)
        append("Z")
    }

    private mutating func append(_ before: String, _ number: Int?, _ after: String = "") {
        guard let number else { return }
        append(before)
        append(number)
        append(after)
    }

    private mutating func append(_ before: String, _ text: String?) {
        guard let text else { return }
        append(before)
        append(text)
    }

    /// Appends an entry as text.
    mutating func append(_ entry: LogEntry) {
        append(entry.date)
        append(" ")
        append(entry.level.rawValue)
        append(" ")
        append(message: entry)
    }

    /// Appends an entry without date and level.
    mutating func append(message entry: LogEntry) {
        guard let attributes = entry.attributes else { return append("", entry.text) }
        append(attributes.method)
        if attributes.host.isEmpty {
            append(" without a URL")
        } else {
            append(" ")
            append(attributes.url)
        }
        append(" ", attributes.statusCode)
        append(" in ", attributes.duration.map(Self.milliseconds), " ms")
        let size = attributes.responseBodyBytes
        append(", ", size > 0 ? Int(size) : nil, " bytes")
        if attributes.isConnectionReused { append(", reused connection") }
        append(", attempt ", attributes.attempt > 1 ? attributes.attempt : nil)
        append(", ", attributes.tag)
        append(", trace ", attributes.traceContext?.traceID)
        append(", again in ", entry.retryDelay.map(Self.milliseconds), " ms")
        append(": ", entry.failure)
        append(" ", entry.cURLCommand?.replacing(" \\\n\t", with: " "))
    }

    private static func milliseconds(_ seconds: TimeInterval) -> Int {
        // A delay that a retrier chose can be any number.
        Int(max(0, min(seconds * 1_000, 1e15)))
    }
}

// JSON.
extension LogLine {
    /// Appends an entry as a JSON object.
    mutating func append(json entry: LogEntry) {
        append("{\"time\":\"")
        append(entry.date)
        append("\",\"level\":\"")
        append(entry.level.rawValue)
        append("\"")
        if let text = entry.text { append(member: "message", .text(text)) }
        for (name, value) in entry.attributes?.values ?? [] { append(member: name, value) }
        if let context = entry.attributes?.traceContext {
            append(member: "trace_id", .text(context.traceID))
            append(member: "span_id", .text(context.spanID))
        }
        if let delay = entry.retryDelay { append(member: "bluebonnet.retry.delay", .number(delay)) }
        if let failure = entry.failure { append(member: "error.message", .text(failure)) }
        if let command = entry.cURLCommand { append(member: "bluebonnet.curl", .text(command)) }
        append("}")
    }

    private mutating func append(member name: String, _ value: AttemptAttributes.Value) {
        append(",\"")
        append(name)
        append("\":")
        switch value {
        case .text(let value): append(quoted: value)
        // JSON has no infinity.
        case .number(let number): append(number.isFinite ? "\(number)" : "null")
        case .integer(let number): append(Int(number))
        case .flag(let flag): append(flag ? "true" : "false")
        }
    }

    private mutating func append(quoted text: String) {
        append("\"")
        if text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
            || Array(text.utf8).mayHaveControls
        {
            for scalar in text.unicodeScalars { append(escaped: scalar) }
        } else {
            append(text)
        }
        append("\"")
    }

    private mutating func append(escaped scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case _ where scalar.isControl:
            let digits = String(scalar.value, radix: 16)
            append("\\u")
            append(String(repeating: "0", count: 4 - digits.count))
            append(digits)
        default: append(String(scalar))
        }
    }
}

extension [UInt8] {
    /// Whether a byte can belong to a control character, or to a separator of lines.
    fileprivate var mayHaveControls: Bool {
        withUnsafeBufferPointer { bytes in
            // The last two begin those beyond ASCII.
            bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character, separates lines, or reverses how they are read.
    fileprivate var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || (0x2028...0x202E).contains(value)
            || (0x2066...0x2069).contains(value)
    }
}
