public import Dispatch
public import Foundation
public import FoundationNetworking

/// Makes a value of a response, as Alamofire's serializers do, for code that is ported.
///
/// New code implements ``ResponseSerializer``. It is called on any thread, once a handler, also for a request that has
/// failed: that stays the failure of the response, and another error that it throws, such as what the server says in
/// the body, becomes its ``BluebonnetError/underlyingError``.
public protocol DataResponseSerializerProtocol<SerializedObject>: Sendable {
    /// What a response becomes.
    associatedtype SerializedObject: Sendable

    /// Returns the value; `data` is nil where there is no body.
    ///
    /// - Throws: anything; the request fails with ``BluebonnetError/unreadableBody(_:_:)`` around it.
    func serialize(
        request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
    ) throws -> SerializedObject
}

/// Makes a value of a download's file, as Alamofire's serializers do, for code that is ported.
///
/// It is called as ``DataResponseSerializerProtocol`` is.
public protocol DownloadResponseSerializerProtocol<SerializedObject>: Sendable {
    /// What a file becomes.
    associatedtype SerializedObject: Sendable

    /// Returns the value.
    ///
    /// - Throws: anything; the request fails with ``BluebonnetError/unreadableBody(_:_:)`` around it.
    func serializeDownload(
        request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?
    ) throws -> SerializedObject
}

extension DownloadResponseSerializerProtocol where Self: DataResponseSerializerProtocol {
    /// Maps the file, and serializes its bytes.
    public func serializeDownload(
        request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?
    ) throws -> SerializedObject {
        if let error { throw error }
        guard let fileURL else { throw ResponseSerializationError.fileIsMissing }
        // Foundation leaks memory where there is nothing to map.
        let isEmpty = try fileURL.resourceValues(forKeys: [.fileSizeKey]).fileSize == 0
        return try serialize(
            request: request, response: response,
            data: isEmpty ? nil : Data(contentsOf: fileURL, options: .alwaysMapped), error: nil)
    }
}

extension DataRequest {
    /// Adds a handler with a serializer of ported code.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs.
    ///   - responseSerializer: Makes the value of the response.
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

    /// Starts the request, and makes its value by a serializer of ported code.
    ///
    /// - Parameters:
    ///   - serializer: Makes the value of the response.
    ///   - automaticallyCancelling: Whether cancelling a Swift task that waits cancels the request; default true.
    /// - Returns: What waits for the response.
    public func serializingResponse<Serializer: DataResponseSerializerProtocol>(
        using serializer: Serializer, automaticallyCancelling: Bool = true
    ) -> Serializing<Serializer.SerializedObject> {
        serializing(
            DataSerializerBridge(base: serializer, delegate: delegate),
            automaticallyCancelling: automaticallyCancelling)
    }
}

extension DownloadRequest {
    /// Adds a handler with a serializer of ported code.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs.
    ///   - responseSerializer: Makes the value of the file.
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

    /// Starts the request, and makes its value by a serializer of ported code.
    ///
    /// - Parameters:
    ///   - serializer: Makes the value of the file.
    ///   - automaticallyCancelling: Whether cancelling a Swift task that waits cancels the request; default true.
    /// - Returns: What waits for the response.
    public func serializingDownload<Serializer: DownloadResponseSerializerProtocol>(
        using serializer: Serializer, automaticallyCancelling: Bool = true
    ) -> Serializing<Serializer.SerializedObject> {
        serializing(
            DownloadSerializerBridge(base: serializer, delegate: delegate),
            automaticallyCancelling: automaticallyCancelling)
    }
}

/// A serializer of ported code as one of the library's, which knows the request from its task.
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

/// The same for the file of a download.
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
