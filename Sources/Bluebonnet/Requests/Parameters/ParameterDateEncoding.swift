public import Foundation

/// The format of dates in parameters, for queries, forms and JSON.
///
/// In every format, a date outside the years 1 to 9999 is an error.
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

    /// Returns the microseconds since 1970, rounded because the conversion from 2001 is inexact.
    private static func microseconds(of date: Date) -> Double {
        (date.timeIntervalSince1970 * 1_000_000).rounded()
    }
}
