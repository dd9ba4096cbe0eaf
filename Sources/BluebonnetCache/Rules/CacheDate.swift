import Foundation

/// A date of HTTP in its three formats (RFC 9110 section 5.6.7), in seconds since 1970.
enum CacheDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Returns a date's seconds; returns nil for other formats and for zones other than GMT.
    ///
    /// The letters can have any case. The current date decides the century of two digits.
    static func seconds(_ text: String, now: Date) -> Int64? {
        // Longer than the longest of them.
        guard text.utf8.count <= 40 else { return nil }
        let parts = text.lowercased().split(separator: " ", omittingEmptySubsequences: true)
        switch parts.count {
        case 6 where parts[0].hasSuffix(",") && parts[5] == "gmt":
            // Sun, 06 Nov 1994 08:49:37 GMT
            guard weekdays.contains(String(parts[0].dropLast())), parts[1].utf8.count == 2,
                parts[3].utf8.count == 4
            else { return nil }
            return seconds(
                day: number(parts[1]), month: parts[2], year: number(parts[3]), time: parts[4])
        case 4 where parts[0].hasSuffix(",") && parts[3] == "gmt":
            // Sunday, 06-Nov-94 08:49:37 GMT
            let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, date[2].utf8.count == 2,
                weekdays.contains(String(parts[0].prefix(3))), parts[0].hasSuffix("day,"),
                let year = number(date[2])
            else { return nil }
            let century = self.date(ofDay: Int64(now.timeIntervalSince1970 / 86_400)).year / 100
            func seconds(inCentury century: Int64) -> Int64? {
                self.seconds(
                    day: number(date[0]), month: date[1], year: century * 100 + year,
                    time: parts[2])
            }
            // What seems to be more than 50 years ahead is the last year with these digits.
            return seconds(inCentury: century)
                .flatMap { isFarAhead($0, now) ? seconds(inCentury: century - 1) : $0 }
        case 5 where weekdays.contains(String(parts[0])):
            // Sun Nov  6 08:49:37 1994
            guard parts[4].utf8.count == 4 else { return nil }
            return seconds(
                day: number(parts[2]), month: parts[1], year: number(parts[4]), time: parts[3])
        default: return nil
        }
    }

    /// Returns a date in the preferred format.
    static func text(_ seconds: Int64) -> String {
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let (year, month, day) = date(ofDay: days)
        let time = seconds - days * 86_400
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let weekday = weekdays[Int(((days + 3) % 7 + 7) % 7)].capitalized
        let name = months[Int(month) - 1].capitalized
        let digits = "\(year)"
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "\(weekday), \(two(day)) \(name) \(padded) "
            + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.utf8.count <= 4 else {
            return nil
        }
        return Int64(text)
    }

    private static func isFarAhead(_ seconds: Int64, _ now: Date) -> Bool {
        let today = Int64(now.timeIntervalSince1970)
        let (year, month, day) = date(ofDay: today / 86_400)
        return seconds > days(year + 50, month, day) * 86_400 + today % 86_400
    }

    private static func seconds(
        day: Int64?, month: Substring, year: Int64?, time: Substring
    ) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let day, let year, let month = months.firstIndex(of: String(month)),
            clock.count == 3, clock.allSatisfy({ $0.utf8.count == 2 }),
            let hour = number(clock[0]), let minute = number(clock[1]),
            let second = number(clock[2]), hour < 24, minute < 60,
            // 60 is a leap second.
            second <= 60, day >= 1, day <= length(ofMonth: Int64(month) + 1, year)
        else { return nil }
        let days = self.days(year, Int64(month) + 1, day)
        return days * 86_400 + hour * 3600 + minute * 60 + min(second, 59)
    }

    private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
        let next = month == 12 ? days(year + 1, 1, 1) : days(year, month + 1, 1)
        return next - days(year, month, 1)
    }

    /// Returns the days from 1970 to a date, counted in years that begin with March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return shifted * 365 + leapDays + (monthFromMarch * 153 + 2) / 5 + day - 719_469
    }

    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // An estimate that is at most one too high or too low.
        var year = 1970 + day * 400 / 146_097
        while days(year, 1, 1) > day { year -= 1 }
        while days(year + 1, 1, 1) <= day { year += 1 }
        var month: Int64 = 1
        while month < 12, days(year, month + 1, 1) <= day { month += 1 }
        return (year, month, day - days(year, month, 1) + 1)
    }
}
