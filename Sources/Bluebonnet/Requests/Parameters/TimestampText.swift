import Foundation

/// Dates as `2026-03-09T18:05:00Z`, by arithmetic that is defined for every date.
///
/// Foundation's formatters convert dates to `Int`, which traps on infinite dates.
enum TimestampText {
    /// The range of seconds since 1970 for the years 0001 to 9999.
    static let range = -62_135_596_800.0..<253_402_300_800.0

    private static let length = "2026-03-09T18:05:00Z".utf8.count

    /// Returns the date in UTC, rounded down to the second; it must be in ``range``.
    static func text(of date: Date) -> String {
        text(ofSeconds: Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0) + "Z"
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
        return text(ofSeconds: seconds) + "." + digits(rest, 3) + "Z"
    }

    private static func text(ofSeconds seconds: Int) -> String {
        let (days, time) = seconds.quotientAndRemainder(dividingByFloor: 86_400)
        let (year, month, day) = civilDate(days)
        return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(day, 2) + "T"
            + digits(time / 3600, 2) + ":" + digits(time / 60 % 60, 2) + ":" + digits(time % 60, 2)
    }

    /// Returns the date of a text in exactly this form, or nil for any other text.
    ///
    /// Foundation's own parser reads dates before 1582 as dates of the Julian calendar.
    static func date(of text: String) -> Date? {
        // Comparing untrusted text with a million combining marks on a letter would take minutes.
        guard text.utf8.count == length else { return nil }
        let numbers = text.split { "-T:Z".contains($0) }.compactMap { Int64($0) }
        guard numbers.count == 6, numbers.allSatisfy({ (0...9999).contains($0) }),
            (1...12).contains(numbers[1])
        else { return nil }
        let days = HTTPDate.days(year: numbers[0], month: numbers[1], day: numbers[2])
        let seconds = ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
        let date = Date(timeIntervalSince1970: Double(seconds))
        guard range.contains(date.timeIntervalSince1970), Self.text(of: date) == text else {
            return nil
        }
        return date
    }

    /// Returns the year, month and day of a number of days since 1970.
    private static func civilDate(_ days: Int) -> (year: Int, month: Int, day: Int) {
        // Years begin in March here, so that the leap day is at their end.
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingByFloor: 146_097)
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
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
