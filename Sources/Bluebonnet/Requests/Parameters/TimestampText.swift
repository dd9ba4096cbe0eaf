import Foundation

/// Dates as `2026-03-09T18:05:00Z`, for every date.
///
/// Foundation's formatters convert dates to `Int`, which traps on infinite dates.
package enum TimestampText {
    /// The calendar of the days before 15 October 1582; from that day on, both are the same.
    package enum Calendar {
        /// The Julian calendar, as with `JSONEncoder` and `JSONDecoder`.
        case julian
        /// The Gregorian calendar, as in property lists.
        case gregorian
    }

    /// The dates of the years 0 to 506713, which `JSONDecoder` reads from such text.
    static let range = -62_167_392_000.0..<15_928_182_144_000.0
    /// The dates of the years 1 to 9999 in the Gregorian calendar.
    static let gregorianRange = -62_135_596_800.0..<253_402_300_800.0

    /// Returns why a date cannot be sent as text; nil if it can.
    package static func objection(to date: Date) -> String? {
        range.contains(date.timeIntervalSince1970)
            ? nil : "as text, a date must be in the years 0 to 506713; send it as a number"
    }

    private static let gregorianLength = "2026-03-09T18:05:00Z".utf8.count
    /// The beginnings of the Gregorian calendar, of the Julian year 0 and of 1972.
    private static let cutover = -141_427 * 86_400
    private static let julianYear0 = -719_530 * 86_400
    private static let year1972 = 730 * 86_400

    /// Returns the date in UTC, rounded down to the second; it must be in the calendar's range.
    package static func text(of date: Date, _ calendar: Calendar = .julian) -> String {
        // Rounded before the conversion, which can round a date just before a second up to it.
        let seconds =
            date.timeIntervalSinceReferenceDate.rounded(.down)
            + Date.timeIntervalBetween1970AndReferenceDate
        return text(ofSeconds: Int(exactly: seconds) ?? 0, calendar) + "Z"
    }

    /// Returns the date in UTC with milliseconds, rounded down; it must be in ``range``.
    static func textWithMilliseconds(of date: Date) -> String {
        let exact = date.timeIntervalSince1970 * 1000
        // `Date` counts from 2001, so the conversion can turn .1 into slightly less.
        let nearest = exact.rounded()
        let isHairLess = exact < nearest && exact.distance(to: nearest) < 0.001
        let rounded =
            isHairLess && nearest / 1000 < range.upperBound ? nearest : exact.rounded(.down)
        let milliseconds = Int(exactly: rounded) ?? 0
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingByFloor: 1000)
        return text(ofSeconds: seconds, .julian) + "." + digits(rest, 3) + "Z"
    }

    private static func text(ofSeconds seconds: Int, _ calendar: Calendar) -> String {
        let (time, year) = time(ofSeconds: seconds, calendar)
        return digits(year, 4) + "-" + digits(time.month, 2) + "-" + digits(time.day, 2) + "T"
            + digits(time.hour, 2) + ":" + digits(time.minute, 2) + ":" + digits(time.second, 2)
    }

    /// Returns the Gregorian date of a text in exactly this form, or nil for any other text.
    static func gregorianDate(of text: String) -> Date? {
        // Comparing untrusted text with a million combining marks on a letter would take minutes.
        guard text.utf8.count == gregorianLength else { return nil }
        let numbers = text.split { "-T:Z".contains($0) }.compactMap { Int32($0) }
        guard numbers.count == 6, numbers.allSatisfy({ (0...9999).contains($0) }),
            (1...12).contains(numbers[1])
        else { return nil }
        let time = UTCTime(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3],
            minute: numbers[4], second: numbers[5])
        let date = Date(timeIntervalSince1970: Double(time.seconds))
        guard gregorianRange.contains(date.timeIntervalSince1970),
            Self.text(of: date, .gregorian) == text
        else { return nil }
        return date
    }

    /// Returns a time and its year, which is another one than the time's own before the cutover.
    private static func time(
        ofSeconds seconds: Int, _ calendar: Calendar
    ) -> (time: UTCTime, year: Int) {
        guard calendar == .julian, seconds < cutover else {
            let time = UTCTime(seconds: seconds)
            return (time, time.year)
        }
        // Four Julian years are as long as those from 1972 to 1975, and begin with a leap year, too.
        let (cycle, rest) = (seconds - julianYear0).quotientAndRemainder(
            dividingByFloor: 1461 * 86_400)
        let time = UTCTime(seconds: year1972 + rest)
        return (time, time.year - 1972 + 4 * cycle)
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

extension Int {
    /// Returns the quotient, rounded down, and the remainder, which is not negative.
    fileprivate func quotientAndRemainder(dividingByFloor divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
