public import Foundation

/// How a date in parameters is written by a query, a form or JSON.
///
/// Whatever the style, a date outside of the years 1 to 9999 is an error.
public enum ParameterDateEncoding: Sendable {
    /// As text in UTC, rounded down to the second: `2026-03-09T18:05:00Z` (RFC 3339).
    case iso8601
    /// As text in UTC with thousandths of a second, rounded down: `2026-03-09T18:05:00.250Z`.
    case iso8601WithFractionalSeconds
    /// As the number of seconds since 1970, with a fraction where there is one, to the microsecond.
    case secondsSince1970
    /// As the number of milliseconds since 1970, with a fraction where there is one, to the microsecond.
    case millisecondsSince1970
    /// As the text that a closure returns; what it throws fails the request.
    case custom(@Sendable (Date) throws -> String)

    func value(of date: Date) throws -> ParameterValue {
        switch self {
        case .iso8601: .date(date)
        case .iso8601WithFractionalSeconds:
            .string(TimestampText.textWithMilliseconds(of: date))
        case .secondsSince1970: .floating(Self.microseconds(of: date) / 1_000_000)
        case .millisecondsSince1970: .floating(Self.microseconds(of: date) / 1000)
        case .custom(let text): .string(try text(date))
        }
    }

    /// A whole number: a date counts from 2001, and since 1970 its last digits are noise.
    private static func microseconds(of date: Date) -> Double {
        (date.timeIntervalSince1970 * 1_000_000).rounded()
    }
}
