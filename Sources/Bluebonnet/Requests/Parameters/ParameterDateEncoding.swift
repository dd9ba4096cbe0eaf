public import Foundation

/// The format of dates in parameters, for queries, forms and JSON.
///
/// Text has the same days as that of `JSONEncoder`, which `JSONDecoder` reads: those before 15
/// October 1582 are of the Julian calendar. As text, a date outside the years 0 to 506713 is an
/// error. An infinite date is an error in every format.
public enum ParameterDateEncoding: Sendable {
    /// Text in UTC, rounded down to the second: `2026-03-09T18:05:00Z` (RFC 3339).
    case iso8601
    /// Text in UTC with milliseconds, rounded down: `2026-03-09T18:05:00.250Z`.
    case iso8601WithFractionalSeconds
    /// The number of seconds since 1970, with a fraction if there is one, to the microsecond.
    case secondsSince1970
    /// The number of milliseconds since 1970, with a fraction if there is one, to the microsecond.
    case millisecondsSince1970
    /// The text that a closure returns; an error that it throws fails the request.
    case custom(@Sendable (Date) throws -> String)

    /// Returns why a date cannot be sent in the format; nil if it can.
    func objection(to date: Date) -> String? {
        switch self {
        case .iso8601, .iso8601WithFractionalSeconds: TimestampText.objection(to: date)
        case .secondsSince1970, .millisecondsSince1970, .custom: nil
        }
    }

    func value(of date: Date) throws -> ParameterValue {
        switch self {
        case .iso8601: .date(date)
        case .iso8601WithFractionalSeconds:
            .string(TimestampText.textWithMilliseconds(of: date))
        case .secondsSince1970: .floating(Self.number(of: date, unitsPerSecond: 1))
        case .millisecondsSince1970: .floating(Self.number(of: date, unitsPerSecond: 1000))
        case .custom(let text): .string(try text(date))
        }
    }

    /// Returns the number of units since 1970.
    private static func number(of date: Date, unitsPerSecond units: Double) -> Double {
        let seconds = date.timeIntervalSince1970
        // Rounded, because the conversion from 2001 is inexact.
        let microseconds = (seconds * 1_000_000).rounded()
        // A larger number of microseconds would itself be inexact.
        guard microseconds.magnitude < 0x1p53 else { return seconds * units }
        return microseconds / (1_000_000 / units)
    }
}
