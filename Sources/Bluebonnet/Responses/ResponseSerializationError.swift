public import Foundation

/// An error that describes why a body could not be read.
public struct ResponseSerializationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the problem.
    public var reason: String

    /// The encoding in which the bytes of a text are not valid; nil for other errors.
    public var encoding: String.Encoding?

    /// The decoder's error, with the coding path; nil for other errors.
    public private(set) var decodingError: DecodingError?

    /// Creates an error.
    public init(reason: String, encoding: String.Encoding? = nil) {
        self.reason = reason
        self.encoding = encoding
    }

    package init(reason: String, decodingError: DecodingError) {
        self.init(reason: reason)
        self.decodingError = decodingError
    }

    /// Compares the reasons and encodings.
    public static func == (
        left: ResponseSerializationError, right: ResponseSerializationError
    ) -> Bool {
        left.reason == right.reason && left.encoding == right.encoding
    }

    /// Hashes the reason.
    public func hash(into hasher: inout Hasher) { hasher.combine(reason) }

    /// The reason.
    public var description: String { reason }

    /// The error of a serializer that has no value for an empty body.
    ///
    /// A task that delivers an untyped object treats it as a success without an object.
    public static let emptyBody = ResponseSerializationError(reason: "the body is empty")

    /// Whether the error is about an empty body for which the serializer has no value.
    var isAboutEmptyBody: Bool { reason.hasPrefix(Self.emptyBody.reason) }

    static func noEmptyValue(of type: Any.Type) -> ResponseSerializationError {
        ResponseSerializationError(
            reason: """
                the body is empty, and \(type) has no empty value; conform it to EmptyResponse, or \
                decode an optional
                """)
    }

    static func bodyTooLarge(_ limit: Int) -> ResponseSerializationError {
        ResponseSerializationError(
            reason: """
                it is larger than the \(limit) bytes that its serializer accepts, so the transfer was \
                stopped; raise maximumDocumentSize, or download or stream the body
                """)
    }

    package static let fileIsMissing = ResponseSerializationError(
        reason: "the download has no file")
}
