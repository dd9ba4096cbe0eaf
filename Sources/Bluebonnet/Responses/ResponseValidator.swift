public import Foundation
public import FoundationNetworking

/// Judges the response of a task, independently of its serializer.
///
/// ```swift
/// task.addValidator(
///     .body { data, head, request in
///         if data.starts(with: Data("error".utf8)) { throw QuotaExceeded() }
///     })
/// ```
///
/// A task's validators are called on the manager's callback queue, in the order in which they were
/// added. If the task was created with a serializer, the serializer judges the response first. The
/// task fails with the first error: a ``BluebonnetError`` as it is, any other error as the
/// underlying error of ``BluebonnetError/validation(_:_:)``.
public struct ResponseValidator: Sendable {
    enum Judgement: Sendable {
        case serializer(any ResponseSerializer)
        case head(@Sendable (ResponseHead, URLRequest?) throws -> Void)
        case body(@Sendable (Data, ResponseHead, URLRequest?) throws -> Void)
        case file(@Sendable (URL, ResponseHead, URLRequest?) throws -> Void)
    }

    var judgement: Judgement

    /// Judges the status code and header fields as soon as they have arrived.
    ///
    /// If the response is refused, its body is kept in memory for the error. It is not written to a
    /// download's file or delivered to the reader of a stream.
    ///
    /// - Parameter judge: Receives the head and the request that was sent last. An error that it
    ///   throws refuses the response.
    /// - Returns: The validator.
    public static func head(
        _ judge: @escaping @Sendable (ResponseHead, URLRequest?) throws -> Void
    ) -> Self {
        Self(judgement: .head(judge))
    }

    /// Judges a complete body in memory.
    ///
    /// It is not called for streams and files, or for a response that was already refused.
    ///
    /// - Parameter judge: Receives the body, the head and the request that was sent last. An error
    ///   that it throws refuses the response.
    /// - Returns: The validator.
    public static func body(
        _ judge: @escaping @Sendable (Data, ResponseHead, URLRequest?) throws -> Void
    ) -> Self {
        Self(judgement: .body(judge))
    }

    /// Judges the complete file of a download before it is moved to its destination.
    ///
    /// It is not called for bodies in memory, or for a response that was already refused.
    ///
    /// - Parameter judge: Receives the location of the temporary file, the head and the request
    ///   that was sent last. An error that it throws refuses the response.
    /// - Returns: The validator.
    public static func file(
        _ judge: @escaping @Sendable (URL, ResponseHead, URLRequest?) throws -> Void
    ) -> Self {
        Self(judgement: .file(judge))
    }

    /// Accepts the given status codes, for example `Set.successStatusCodes`.
    ///
    /// - Parameter acceptable: The acceptable status codes.
    /// - Returns: The validator.
    public static func statusCodes(_ acceptable: Set<Int>) -> Self {
        serializer(
            HTTPResponseSerializer(
                acceptableStatusCodes: acceptable, acceptableContentTypes: nil))
    }

    /// Accepts the given media types, written as in ``ResponseSerializer/acceptableContentTypes``.
    public static func contentTypes(_ acceptable: Set<String>) -> Self {
        serializer(
            HTTPResponseSerializer(
                acceptableStatusCodes: nil, acceptableContentTypes: acceptable))
    }

    /// Accepts the heads that a serializer accepts, whether or not that serializer reads the body.
    public static func serializer(_ serializer: some ResponseSerializer) -> Self {
        Self(judgement: .serializer(serializer))
    }
}
