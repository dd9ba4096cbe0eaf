public import Foundation

/// Why a body could not be read.
public struct ResponseSerializationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with the body.
    public var reason: String

    /// The encoding that the bytes of a text are not in; nil where something else is wrong.
    public var encoding: String.Encoding?

    /// What a decoder threw, with the coding path; nil where something else is wrong.
    public private(set) var decodingError: DecodingError?

    /// Makes an error.
    public init(reason: String, encoding: String.Encoding? = nil) {
        self.reason = reason
        self.encoding = encoding
    }

    init(reason: String, decodingError: DecodingError) {
        self.init(reason: reason)
        self.decodingError = decodingError
    }

    /// Compares reason and encoding.
    public static func == (
        left: ResponseSerializationError, right: ResponseSerializationError
    ) -> Bool {
        left.reason == right.reason && left.encoding == right.encoding
    }

    /// Hashes the reason.
    public func hash(into hasher: inout Hasher) { hasher.combine(reason) }

    /// The reason.
    public var description: String { reason }

    /// The error for an empty body of a serializer that has no value for it.
    ///
    /// Tasks whose handler gets an object take it for a success of nothing.
    public static let emptyBody = ResponseSerializationError(reason: "the body is empty")

    /// Whether it is about an empty body for which there is no value.
    var isAboutEmptyBody: Bool { reason.hasPrefix(Self.emptyBody.reason) }

    static func noEmptyValue(of type: Any.Type) -> ResponseSerializationError {
        ResponseSerializationError(
            reason: """
                the body is empty, and \(type) has no value for that; make it an EmptyResponse, or decode \
                an optional
                """)
    }

    static func bodyTooLarge(_ limit: Int) -> ResponseSerializationError {
        ResponseSerializationError(
            reason: """
                it is larger than the \(limit) bytes that its serializer reads, so the transfer was \
                stopped; raise maximumDocumentSize, or download or stream it
                """)
    }

    static let fileIsMissing = ResponseSerializationError(reason: "the download has no file")
}
