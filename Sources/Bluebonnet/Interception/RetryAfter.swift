import BluebonnetTransport
import Foundation

/// How long a server asks its client to wait (RFC 9110 section 10.2.3).
struct RetryAfter: Sendable {
    /// In seconds from the date at which the fields were read; never negative, and infinite beyond every number.
    let delay: TimeInterval

    /// Reads the `Retry-After` fields of a response; nil without a valid one.
    ///
    /// - Parameters:
    ///   - headers: The fields. Of several the longest counts, and invalid ones are ignored.
    ///   - date: The date now.
    init?(_ headers: HTTPHeaders, at date: Date) {
        let delays = headers.values(of: "Retry-After").compactMap { Self.delay($0, at: date) }
        guard let longest = delays.max() else { return nil }
        delay = longest
    }

    private static func delay(_ value: String, at date: Date) -> TimeInterval? {
        let text = value.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return TimeInterval(text) ?? .infinity
        }
        guard let time = HTTPDate(anyForm: text, at: date) else { return nil }
        let delay = TimeInterval(time.seconds) - date.timeIntervalSince1970
        // A clock without a date, which is NaN, compares false.
        return delay > 0 ? delay : 0
    }
}
