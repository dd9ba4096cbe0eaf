/// Why a stream could not be sent as a request's body.
public struct StreamFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failures.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The closure that makes the stream threw, the stream was opened before, or the announced
        /// length is below zero.
        case unusable
        /// The stream reported an error.
        case failed
        /// The stream ended before the announced length.
        case tooShort
        /// The stream held more than the announced length.
        case tooLong
    }

    /// The kind of failure.
    public let reason: Reason
    /// What happened and what to do.
    public let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    /// Throws for a length that no body has.
    static func check(_ length: Int64?) throws(StreamFailure) {
        guard let length, length < 0 else { return }
        throw StreamFailure(
            .unusable, "the announced length is \(length); announce none if it is not known")
    }
}
