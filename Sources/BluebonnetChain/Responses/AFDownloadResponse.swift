public import Bluebonnet

/// The response to a download of the chain.
///
/// It has the members of a ``/Bluebonnet/Response``, but is a type of its own, so that a program
/// can extend the responses of data requests and of downloads in different ways.
@dynamicMemberLookup
public struct AFDownloadResponse<Success: Sendable>: Sendable {
    /// The error of a failed request.
    public typealias Failure = BluebonnetError

    let base: Response<Success>

    /// Creates the response of a download from a ``/Bluebonnet/Response``, for example in a test.
    ///
    /// - Parameter response: The response of the library's core.
    public init(_ response: Response<Success>) {
        base = response
    }

    /// The request that was sent last, after redirects; nil if it could not be built.
    public var request: URLRequest? { base.request }
    /// The head as Foundation's type, created on each access; nil if no response was received.
    public var response: HTTPURLResponse? { base.response }
    /// The location of the file; nil if there is none.
    public var fileURL: URL? { base.fileURL }
    /// The data for resuming a download that failed or was canceled; nil if it cannot be resumed.
    public var resumeData: Data? { base.resumeData }
    /// The metrics of the task; nil if nothing was sent.
    public var metrics: TaskMetrics? { base.metrics }
    /// The time spent on serializing the file, in seconds; 0 if nothing was serialized.
    public var serializationDuration: TimeInterval { base.serializationDuration }
    /// The value, or the error of the task.
    public var result: Result<Success, BluebonnetError> { base.result }
    /// The value; nil if the task failed.
    public var value: Success? { base.value }
    /// The error of the task; nil if it succeeded.
    public var error: BluebonnetError? { base.error }

    /// Returns any other property of the ``/Bluebonnet/Response``.
    public subscript<Member>(dynamicMember path: KeyPath<Response<Success>, Member>) -> Member {
        base[keyPath: path]
    }
}

extension AFDownloadResponse {
    /// Returns the response with a transformed value, as ``Bluebonnet/Response/map(_:)`` does.
    ///
    /// - Parameter transform: Changes the value. It is not called if there is an error.
    /// - Returns: The response with the new value, or with the same error.
    public func map<New: Sendable>(_ transform: (Success) -> New) -> AFDownloadResponse<New> {
        AFDownloadResponse<New>(base.map(transform))
    }

    /// Returns the response with a transformed value, as ``Bluebonnet/Response/tryMap(_:)`` does.
    ///
    /// - Parameter transform: Changes the value. An error that it throws becomes the error of the
    ///   response.
    /// - Returns: The response with the new value or an error.
    public func tryMap<New: Sendable>(
        _ transform: (Success) throws -> New
    ) -> AFDownloadResponse<New> {
        AFDownloadResponse<New>(base.tryMap(transform))
    }

    /// Returns the response with a transformed error, as ``Bluebonnet/Response/mapError(_:)``
    /// does.
    public func mapError(_ transform: (BluebonnetError) -> BluebonnetError) -> AFDownloadResponse {
        AFDownloadResponse(base.mapError(transform))
    }

    /// Returns the response with a transformed error, as ``Bluebonnet/Response/tryMapError(_:)``
    /// does.
    public func tryMapError(
        _ transform: (BluebonnetError) throws -> BluebonnetError
    ) -> AFDownloadResponse {
        AFDownloadResponse(base.tryMapError(transform))
    }
}

extension AFDownloadResponse: CustomStringConvertible, CustomReflectable {
    /// The request, status and result on one line.
    public var description: String { base.description }

    /// The response's contents without header fields that can be secret.
    public var customMirror: Mirror { base.customMirror }
}
