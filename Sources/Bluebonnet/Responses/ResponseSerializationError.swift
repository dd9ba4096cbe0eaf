/// Why a body could not be read.
public struct ResponseSerializationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with the body.
    public var reason: String

    /// Makes an error.
    public init(reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }

    /// The error for an empty body of a serializer that has no value for it.
    ///
    /// Tasks whose handler gets an object take it for a success of nothing.
    public static let emptyBody = ResponseSerializationError(reason: "the body is empty")

    static func bodyTooLarge(_ limit: Int) -> ResponseSerializationError {
        ResponseSerializationError(
            reason: """
                it is larger than the \(limit) bytes that its serializer reads, so the transfer was \
                stopped; raise maximumDocumentSize, or download or stream it
                """)
    }

    static let fileIsMissing = ResponseSerializationError(reason: "the download has no file")
}
