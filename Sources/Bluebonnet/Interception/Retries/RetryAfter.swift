import BluebonnetTransport
import Foundation

/// The delay that a server requests from its client (RFC 9110 section 10.2.3).
struct RetryAfter: Sendable {
    /// The delay in seconds from the date at which the fields were read.
    ///
    /// It is never negative, and infinite if the number is too large.
    let delay: TimeInterval

    /// Reads the `Retry-After` fields of a response, or returns nil if none is valid.
    ///
    /// - Parameters:
    ///   - headers: The fields. The longest delay counts, and invalid fields are ignored.
    ///   - date: The current date.
    init?(_ headers: HTTPHeaders, at date: Date) {
        let delays = headers.values(of: "Retry-After").compactMap { Self.delay($0, at: date) }
        guard let longest = delays.max() else { return nil }
        delay = longest
    }

    private static func delay(_ value: String, at date: Date) -> TimeInterval? {
        let text = String(value.trimmed)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return TimeInterval(text) ?? .infinity
        }
        guard let time = HTTPDate(anyForm: text, at: date) else { return nil }
        let delay = TimeInterval(time.seconds) - date.timeIntervalSince1970
        // Comparisons with NaN are false, so a clock with a NaN date gives no delay.
        return delay > 0 ? delay : 0
    }
}
