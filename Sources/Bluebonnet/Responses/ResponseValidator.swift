public import Foundation
public import FoundationNetworking

/// Judges the response of a task, apart from serializing it.
///
/// ```swift
/// task.addValidator(
///     .body { data, head, request in
///         if data.starts(with: Data("error".utf8)) { throw QuotaExceeded() }
///     })
/// ```
///
/// A task's validators are asked in the order in which they were added, on the manager's callback queue,
/// and the first error is the task's: a ``BluebonnetError`` as it is, another one as the underlying error
/// of ``BluebonnetError/validation(_:_:)``. Before them a task that was made with a serializer is judged by
/// that.
public struct ResponseValidator: Sendable {
    enum Judgement: Sendable {
        case serializer(any ResponseSerializer)
        case head(@Sendable (ResponseHead, URLRequest?) throws -> Void)
        case body(@Sendable (Data, ResponseHead, URLRequest?) throws -> Void)
        case file(@Sendable (URL, ResponseHead, URLRequest?) throws -> Void)
    }

    var judgement: Judgement

    /// Judges status and header fields, as soon as they have arrived.
    ///
    /// The body of a response that is refused goes to memory, for the error, and not to a download's file
    /// or to the reader of a stream.
    public static func head(
        _ judge: @escaping @Sendable (ResponseHead, URLRequest?) throws -> Void
    ) -> Self {
        Self(judgement: .head(judge))
    }

    /// Judges a body in memory, when all of it has arrived.
    ///
    /// It is not asked about streams and files, and not about a response that was refused before.
    public static func body(
        _ judge: @escaping @Sendable (Data, ResponseHead, URLRequest?) throws -> Void
    ) -> Self {
        Self(judgement: .body(judge))
    }

    /// Judges the complete file of a download, before it is moved to its destination.
    ///
    /// It is not asked about bodies in memory, and not about a response that was refused before.
    public static func file(
        _ judge: @escaping @Sendable (URL, ResponseHead, URLRequest?) throws -> Void
    ) -> Self {
        Self(judgement: .file(judge))
    }

    /// Accepts the statuses of a set, such as ``Swift/Set/successStatusCodes``.
    public static func statusCodes(_ acceptable: Set<Int>) -> Self {
        serializer(
            HTTPResponseSerializer(
                acceptableStatusCodes: acceptable, acceptableContentTypes: nil))
    }

    /// Accepts media types, written as in ``ResponseSerializer/acceptableContentTypes``.
    public static func contentTypes(_ acceptable: Set<String>) -> Self {
        serializer(
            HTTPResponseSerializer(
                acceptableStatusCodes: nil, acceptableContentTypes: acceptable))
    }

    /// Accepts what a serializer accepts, whether or not it serializes the body.
    public static func serializer(_ serializer: some ResponseSerializer) -> Self {
        Self(judgement: .serializer(serializer))
    }
}

extension SessionTask {
    /// Adds a validator behind those that the task has.
    ///
    /// It counts until the task's first exchange is made; so add it before ``resume()``.
    public func addValidator(_ validator: ResponseValidator) {
        var bound = validator
        if case .serializer(let serializer) = validator.judgement {
            bound.judgement = .serializer(delegate.setup.defaults.bound(any: serializer))
        }
        delegate.state.withLock { [bound] in $0.validators.append(bound) }
    }
}
