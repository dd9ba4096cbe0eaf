import BluebonnetTransport
import Foundation

/// A cookie date (RFC 6265 section 5.1.1).
///
/// Its parts can be in any order, and mixed with other text.
struct CookieDate: Sendable {
    private var time: (hour: Int32, minute: Int32, second: Int32)?
    private var day: Int32?
    private var month: Int32?
    private var year: Int32?

    /// Creates a date from text, or returns nil if a part is missing or the date does not exist.
    init?(_ text: some Collection<UInt8>) {
        for token in text.split(whereSeparator: \.isDateDelimiter) {
            read(Array(token))
        }
        guard date != nil else { return nil }
    }

    /// The date in UTC, or nil if a part is missing or the date does not exist.
    var date: Date? {
        guard let time, let day, let month, let year,
            year >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59
        else { return nil }
        let date = UTCTime(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute,
            second: time.second)
        // Otherwise the month has no such day.
        guard date.day == Int(day) else { return nil }
        return Date(timeIntervalSince1970: Double(date.seconds))
    }

    /// Reads a token as the first missing part that it can represent.
    private mutating func read(_ token: [UInt8]) {
        if time == nil, let found = Self.time(token) {
            time = found
        } else if day == nil, let found = Self.number(token, digits: 1...2) {
            day = found
        } else if month == nil, let found = Self.month(token) {
            month = found
        } else if year == nil, let found = Self.number(token, digits: 2...4) {
            year = Self.fullYear(found)
        }
    }

    // MARK: Parts

    private static func time(_ token: [UInt8]) -> (Int32, Int32, Int32)? {
        let parts = token.split(
            separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3,
            parts[0].allSatisfy(\.isDigit), parts[1].allSatisfy(\.isDigit),
            let hour = number(parts[0], digits: 1...2),
            let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// Returns the number at the start of a token, ignoring everything after its digits.
    private static func number(
        _ token: some Collection<UInt8>, digits: ClosedRange<Int>
    ) -> Int32? {
        let found = token.prefix(while: \.isDigit)
        guard digits.contains(found.count) else { return nil }
        return found.reduce(0) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func month(_ token: [UInt8]) -> Int32? {
        let start = token.prefix(3).map(\.asciiLowercased)
        return months.firstIndex { $0.utf8.elementsEqual(start) }.map { Int32($0) + 1 }
    }

    private static func fullYear(_ year: Int32) -> Int32 {
        switch year {
        case 0...69: year + 2000
        case 70...99: year + 1900
        default: year
        }
    }
}

extension UInt8 {
    fileprivate var isDateDelimiter: Bool {
        switch self {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}
