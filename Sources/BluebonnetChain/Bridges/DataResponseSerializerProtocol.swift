public import Bluebonnet
public import Dispatch

/// A response serializer with Alamofire's signature, for ported code.
///
/// New code implements ``/Bluebonnet/ResponseSerializer``.
///
/// The serializer is called on any thread, once for each handler, and also for a failed request. In
/// that case the response keeps the request's error. If the serializer throws another error, such
/// as one parsed from the body, it becomes the ``Bluebonnet/BluebonnetError/underlyingError``.
public protocol DataResponseSerializerProtocol<SerializedObject>: Sendable {
    /// The type of the value.
    associatedtype SerializedObject: Sendable

    /// Returns the value of a response; `data` is nil if there is no body.
    ///
    /// - Throws: Any error. The request fails with
    ///   ``/Bluebonnet/BluebonnetError/unreadableBody(_:_:)``, which wraps it.
    func serialize(
        request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
    ) throws -> SerializedObject
}

/// A serializer for downloads with Alamofire's signature, for ported code.
///
/// It is called under the same conditions as a ``DataResponseSerializerProtocol``.
public protocol DownloadResponseSerializerProtocol<SerializedObject>: Sendable {
    /// The type of the value.
    associatedtype SerializedObject: Sendable

    /// Returns the value of a file.
    ///
    /// - Throws: Any error. The request fails with
    ///   ``/Bluebonnet/BluebonnetError/unreadableBody(_:_:)``, which wraps it.
    func serializeDownload(
        request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?
    ) throws -> SerializedObject
}

extension DownloadResponseSerializerProtocol where Self: DataResponseSerializerProtocol {
    /// Maps the file into memory and serializes its bytes.
    public func serializeDownload(
        request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?
    ) throws -> SerializedObject {
        if let error { throw error }
        guard let fileURL else { throw ResponseSerializationError.fileIsMissing }
        let data = try Data(mapping: fileURL)
        return try serialize(
            request: request, response: response, data: data.isEmpty ? nil : data, error: nil)
    }
}

extension DataRequest {
    /// Adds a handler that uses a ported serializer.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler is called.
    ///   - responseSerializer: Creates the value from the response.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func response<Serializer: DataResponseSerializerProtocol>(
        queue: DispatchQueue? = nil,
        responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void
    ) -> Self {
        addHandler(
            DataSerializerBridge(base: responseSerializer, delegate: delegate), queue,
            completionHandler)
    }

    /// Starts the request and serializes its response with a ported serializer.
    ///
    /// - Parameters:
    ///   - serializer: Creates the value from the response.
    ///   - automaticallyCancelling: Whether canceling a waiting Swift task cancels the request. The
    ///     default is true.
    /// - Returns: A handle for awaiting the response.
    public func serializingResponse<Serializer: DataResponseSerializerProtocol>(
        using serializer: Serializer, automaticallyCancelling: Bool = true
    ) -> Serializing<Serializer.SerializedObject> {
        serializing(
            DataSerializerBridge(base: serializer, delegate: delegate),
            automaticallyCancelling: automaticallyCancelling)
    }
}

extension DownloadRequest {
    /// Adds a handler that uses a ported serializer.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler is called.
    ///   - responseSerializer: Creates the value from the file.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func response<Serializer: DownloadResponseSerializerProtocol>(
        queue: DispatchQueue? = nil,
        responseSerializer: Serializer,
        completionHandler:
            @escaping @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void
    ) -> Self {
        addHandler(
            DownloadSerializerBridge(base: responseSerializer, delegate: delegate), queue,
            completionHandler)
    }

    /// Starts the request and serializes its file with a ported serializer.
    ///
    /// - Parameters:
    ///   - serializer: Creates the value from the file.
    ///   - automaticallyCancelling: Whether canceling a waiting Swift task cancels the request. The
    ///     default is true.
    /// - Returns: A handle for awaiting the response.
    public func serializingDownload<Serializer: DownloadResponseSerializerProtocol>(
        using serializer: Serializer, automaticallyCancelling: Bool = true
    ) -> Serializing<Serializer.SerializedObject> {
        serializing(
            DownloadSerializerBridge(base: serializer, delegate: delegate),
            automaticallyCancelling: automaticallyCancelling)
    }
}

/// Adapts a ported serializer to the library's protocol; the request comes from the task.
private struct DataSerializerBridge<Base: DataResponseSerializerProtocol>: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>?
    var acceptableContentTypes: Set<String>?
    let base: Base
    let delegate: TaskDelegate

    func serialize(_ data: Data, head: ResponseHead?) throws -> Base.SerializedObject {
        try base.serialize(
            request: delegate.currentRequest, response: head?.httpURLResponse,
            data: data.isEmpty ? nil : data, error: nil)
    }
}

extension DataSerializerBridge: FailureHearing {
    func value(of outcome: TaskOutcome, _ error: BluebonnetError) throws -> Base.SerializedObject {
        try base.serialize(
            request: outcome.request, response: outcome.head?.httpURLResponse,
            data: outcome.data?.isEmpty == false ? outcome.data : nil, error: error)
    }
}

/// Adapts a ported serializer for downloads to the library's protocol.
private struct DownloadSerializerBridge<Base: DownloadResponseSerializerProtocol>:
    ResponseSerializer
{
    var acceptableStatusCodes: Set<Int>?
    var acceptableContentTypes: Set<String>?
    let base: Base
    let delegate: TaskDelegate

    func serialize(_ data: Data, head: ResponseHead?) throws -> Base.SerializedObject {
        try base.serializeDownload(
            request: delegate.currentRequest, response: head?.httpURLResponse, fileURL: nil,
            error: nil)
    }

    func serialize(file: URL, head: ResponseHead?) throws -> Base.SerializedObject {
        try base.serializeDownload(
            request: delegate.currentRequest, response: head?.httpURLResponse, fileURL: file,
            error: nil)
    }
}

extension DownloadSerializerBridge: FailureHearing {
    func value(of outcome: TaskOutcome, _ error: BluebonnetError) throws -> Base.SerializedObject {
        try base.serializeDownload(
            request: outcome.request, response: outcome.head?.httpURLResponse,
            fileURL: outcome.fileURL, error: error)
    }
}
