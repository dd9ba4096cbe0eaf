/// An error that describes why a stream could not be sent as a request's body.
public struct StreamFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failures.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The closure that creates the stream threw, the stream was already opened, or the
        /// announced length is negative.
        case unusable
        /// The stream reported an error.
        case failed
        /// The stream ended before the announced length.
        case tooShort
        /// The stream contained more than the announced length.
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

    /// Throws if the length is negative.
    static func check(_ length: Int64?) throws(StreamFailure) {
        guard let length, length < 0 else { return }
        throw StreamFailure(
            .unusable, "the announced length is \(length); pass nil if it is not known")
    }
}
