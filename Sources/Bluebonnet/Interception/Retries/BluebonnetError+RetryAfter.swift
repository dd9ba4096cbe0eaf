public import Foundation

extension BluebonnetError {
    /// The seconds after which the server asks for another request; nil if it does not.
    ///
    /// They are those of the response's `Retry-After` (RFC 9110 section 10.2.3): never negative, and
    /// infinite if the number is too large. A date counts from now, by the system's clock.
    public var retryAfter: TimeInterval? {
        context.head.flatMap { RetryAfter($0.headers, at: Date())?.delay }
    }
}
