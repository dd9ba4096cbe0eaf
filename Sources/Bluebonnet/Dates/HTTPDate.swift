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
        let time = UTCTime(
            year: year, month: Int32(month) + 1, day: day, hour: hour, minute: minute,
            second: second)
        seconds = Int64(time.seconds)
    }

    static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.seconds < right.seconds }

    private static func number(_ text: Substring, digits: Int) -> Int32? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int32(text)
    }
}
