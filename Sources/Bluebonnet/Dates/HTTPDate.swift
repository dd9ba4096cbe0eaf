/// A date in the preferred format of HTTP, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section
/// 5.6.7).
struct HTTPDate: Sendable, Hashable, Comparable {
    /// The number of seconds since 1970.
    let seconds: Int64

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses a date; returns nil for other formats, including the two obsolete ones.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, parts.count == 6, parts[0].hasSuffix(","),
            Self.weekdays.contains(String(parts[0].dropLast())), parts[5] == "GMT",
            let day = Self.number(parts[1], digits: 2),
            let month = Self.months.firstIndex(of: String(parts[2])),
            let year = Self.number(parts[3], digits: 4)
        else { return nil }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = Self.number(clock[0], digits: 2),
            let minute = Self.number(clock[1], digits: 2),
            // 60 is a leap second.
            let second = Self.number(clock[2], digits: 2),
            (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = Self.days(year: year, month: Int64(month) + 1, day: day)
        seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    }

    static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.seconds < right.seconds }

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }

    /// Returns the number of days since 1970 in the Gregorian calendar.
    ///
    /// Years start in March, so that the leap day is the last day of a year.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let leapDays = year / 4 - year / 100 + year / 400
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        // 719,468 days lie between March 1 of the year 0 and 1970.
        return year * 365 + leapDays + dayOfYear - 719_468
    }
}
