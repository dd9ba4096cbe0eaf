import Foundation

/// Dates as `2026-03-09T18:05:00Z`, by arithmetic that is defined for every date.
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
    /// The first day of the Gregorian calendar, in days since 1970.
    private static let cutover = -141_427

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
        let (days, time) = seconds.quotientAndRemainder(dividingByFloor: 86_400)
        let (year, month, day) = civilDate(days, calendar)
        return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(day, 2) + "T"
            + digits(time / 3600, 2) + ":" + digits(time / 60 % 60, 2) + ":" + digits(time % 60, 2)
    }

    /// Returns the Gregorian date of a text in exactly this form, or nil for any other text.
    static func gregorianDate(of text: String) -> Date? {
        // Comparing untrusted text with a million combining marks on a letter would take minutes.
        guard text.utf8.count == gregorianLength else { return nil }
        let numbers = text.split { "-T:Z".contains($0) }.compactMap { Int64($0) }
        guard numbers.count == 6, numbers.allSatisfy({ (0...9999).contains($0) }),
            (1...12).contains(numbers[1])
        else { return nil }
        let days = HTTPDate.days(year: numbers[0], month: numbers[1], day: numbers[2])
        let seconds = ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
        let date = Date(timeIntervalSince1970: Double(seconds))
        guard gregorianRange.contains(date.timeIntervalSince1970),
            Self.text(of: date, .gregorian) == text
        else { return nil }
        return date
    }

    /// Returns the year, month and day of a number of days since 1970.
    private static func civilDate(
        _ days: Int, _ calendar: Calendar
    ) -> (year: Int, month: Int, day: Int) {
        // Years begin in March here, so that the leap day is at their end.
        let isJulian = calendar == .julian && days < cutover
        let (eraYears, eraDays) = isJulian ? (4, 1461) : (400, 146_097)
        let (era, dayOfEra) =
            (days + (isJulian ? 719_470 : 719_468)).quotientAndRemainder(dividingByFloor: eraDays)
        // In the Julian calendar, only the first of these is ever above 0.
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * eraYears + (month <= 2 ? 1 : 0),
            month,
            dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
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
