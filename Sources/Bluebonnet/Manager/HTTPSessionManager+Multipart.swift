import Foundation
import FoundationNetworking

// Each makes a request with a `multipart/form-data` body, and resumes its task. Parameters are the
// form's first fields, whatever the request serializer does with them elsewhere.
extension HTTPSessionManager {
    /// Sends POST with a form; the response is serialized by ``SessionManager/responseSerializer``.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: Fields that come first, in the order and with the names of a query.
    ///   - headers: Header fields, which beat those of the serializer. The body's own
    ///     `Content-Type` stays, because its boundary is in it.
    ///   - constructingBody: Appends the other parts; called on this thread, before this returns,
    ///     once, or not at all where path, headers or parameters fail the task already. What it
    ///     throws fails the task. Without any part the form is no form: the request is that of the
    ///     serializer.
    ///   - uploadProgress: Called while the body is sent, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on
    ///     ``SessionManager/completionQueue``.
    /// - Returns: The task.
    @discardableResult
    public func post(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        constructingBody: (inout MultipartFormData) throws -> Void,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> UploadTask {
        post(
            path, parameters: parameters, headers: headers,
            serializer: UntypedResponseSerializer(base: responseSerializer),
            constructingBody: constructingBody, uploadProgress: uploadProgress,
            completionHandler: completionHandler
        )
    }

    /// Sends POST with a form; the response is serialized by the serializer given.
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer,
        constructingBody: (inout MultipartFormData) throws -> Void,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        start(
            multipartRequest(.post, path, parameters, headers, constructingBody), serializer,
            uploadProgress, completionHandler
        )
    }

    /// Sends PUT with a form; the response is serialized by ``SessionManager/responseSerializer``.
    @discardableResult
    public func put(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        constructingBody: (inout MultipartFormData) throws -> Void,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> UploadTask {
        put(
            path, parameters: parameters, headers: headers,
            serializer: UntypedResponseSerializer(base: responseSerializer),
            constructingBody: constructingBody, uploadProgress: uploadProgress,
            completionHandler: completionHandler
        )
    }

    /// Sends PUT with a form; the response is serialized by the serializer given.
    @discardableResult
    public func put<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer,
        constructingBody: (inout MultipartFormData) throws -> Void,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        start(
            multipartRequest(.put, path, parameters, headers, constructingBody), serializer,
            uploadProgress, completionHandler
        )
    }

    /// Sends PATCH with a form; the response is serialized by ``SessionManager/responseSerializer``.
    @discardableResult
    public func patch(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        constructingBody: (inout MultipartFormData) throws -> Void,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> UploadTask {
        patch(
            path, parameters: parameters, headers: headers,
            serializer: UntypedResponseSerializer(base: responseSerializer),
            constructingBody: constructingBody, uploadProgress: uploadProgress,
            completionHandler: completionHandler
        )
    }

    /// Sends PATCH with a form; the response is serialized by the serializer given.
    @discardableResult
    public func patch<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer,
        constructingBody: (inout MultipartFormData) throws -> Void,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        start(
            multipartRequest(.patch, path, parameters, headers, constructingBody), serializer,
            uploadProgress, completionHandler
        )
    }

    private func start<Serializer: ResponseSerializer>(
        _ request: Result<URLRequest, BluebonnetError>,
        _ serializer: Serializer,
        _ uploadProgress: ProgressHandler?,
        _ completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        let task: UploadTask = makeTask(
            UploadTaskDelegate.self,
            request,
            Responder(
                serializer: serializer,
                receiver: .handler(completionHandler)
            ),
            upload: request.multipartUpload,
            uploadProgress: uploadProgress
        )
        task.resume()
        return task
    }
}
