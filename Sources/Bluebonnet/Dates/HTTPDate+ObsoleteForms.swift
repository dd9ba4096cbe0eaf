import Foundation

extension HTTPDate {
    /// Parses a date in any of the three forms of RFC 9110 section 5.6.7, or returns nil.
    ///
    /// - Parameters:
    ///   - text: The text, without surrounding whitespace.
    ///   - now: The current date. A two-digit year is at most 50 years after it.
    init?(anyForm text: String, at now: Date) {
        let preferred = Self.text(ofRFC850: text, at: now) ?? Self.text(ofASCTime: text) ?? text
        self.init(preferred)
    }

    private static let longWeekdays: Set = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// Returns the preferred form of `Sunday, 06-Nov-94 08:49:37 GMT`, or nil for another form.
    private static func text(ofRFC850 text: String, at now: Date) -> String? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].hasSuffix(","),
            longWeekdays.contains(String(parts[0].dropLast()))
        else { return nil }
        let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard date.count == 3, date[2].utf8.count == 2, let lastDigits = UInt(date[2]),
            !date[2].hasPrefix("+")
        else { return nil }
        let year = fullYear(Int(lastDigits), at: now)
        return "\(parts[0].prefix(3)), \(date[0]) \(date[1]) \(year) \(parts[2]) \(parts[3])"
    }

    /// Returns the preferred form of `Sun Nov  6 08:49:37 1994`, or nil for another form.
    private static func text(ofASCTime text: String) -> String? {
        let parts = text.split(separator: " ")
        guard text.utf8.count == 24, parts.count == 5 else { return nil }
        let day = parts[2].utf8.count == 1 ? "0\(parts[2])" : "\(parts[2])"
        return "\(parts[0]), \(day) \(parts[1]) \(parts[4]) \(parts[3]) GMT"
    }

    /// Returns the year with these last two digits, less than 50 years back or at most 50 ahead.
    private static func fullYear(_ lastDigits: Int, at now: Date) -> Int {
        let secondsInYear = 31_556_952.0
        let years = Int(exactly: (now.timeIntervalSince1970 / secondsInYear).rounded(.down)) ?? 0
        // A clock can have any date, but years have four digits.
        let year = 1970 + min(max(years, -900), 7900)
        let ahead = (lastDigits - year % 100 + 100) % 100
        return year + (ahead > 50 ? ahead - 100 : ahead)
    }
}
