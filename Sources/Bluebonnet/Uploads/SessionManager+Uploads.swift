import BluebonnetTransport
public import Foundation
public import FoundationNetworking

extension SessionManager {
    /// Makes a task that sends a file, suspended.
    ///
    /// The file is read while it is sent, never whole. Its size is taken when the task starts; one
    /// that grows, shrinks or is replaced meanwhile makes the task fail. Redirects and
    /// authentication read it again from its start.
    ///
    /// - Parameters:
    ///   - request: What to send, without its own body.
    ///   - file: A regular file.
    ///   - serializer: What judges and serializes the response.
    ///   - uploadProgress: Called while the file is sent, on the callback queue.
    ///   - downloadProgress: Called while the response's body comes, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on ``completionQueue``.
    /// - Returns: The task.
    public func uploadTask<Serializer: ResponseSerializer>(
        with request: URLRequest,
        fromFile file: URL,
        serializer: Serializer,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            request, .file(file), serializer, uploadProgress, downloadProgress, completionHandler
        )
    }

    /// Makes a task that sends a file, suspended, with the manager's ``responseSerializer``.
    ///
    /// The parameters are those of
    /// ``uploadTask(with:fromFile:serializer:uploadProgress:downloadProgress:completionHandler:)``.
    public func uploadTask(
        with request: URLRequest,
        fromFile file: URL,
        progress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            request, .file(file), UntypedResponseSerializer(base: responseSerializer), progress,
            downloadProgress, completionHandler
        )
    }

    /// Makes a task that sends bytes, suspended.
    ///
    /// - Parameters:
    ///   - request: What to send, without its own body.
    ///   - data: The body.
    ///   - serializer: What judges and serializes the response.
    ///   - uploadProgress: Called while the bytes are sent, on the callback queue.
    ///   - downloadProgress: Called while the response's body comes, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on ``completionQueue``.
    /// - Returns: The task.
    public func uploadTask<Serializer: ResponseSerializer>(
        with request: URLRequest,
        from data: Data,
        serializer: Serializer,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            request, .data(data), serializer, uploadProgress, downloadProgress, completionHandler
        )
    }

    /// Makes a task that sends bytes, suspended, with the manager's ``responseSerializer``.
    ///
    /// The parameters are those of
    /// ``uploadTask(with:from:serializer:uploadProgress:downloadProgress:completionHandler:)``.
    public func uploadTask(
        with request: URLRequest,
        from data: Data,
        progress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            request, .data(data), UntypedResponseSerializer(base: responseSerializer), progress,
            downloadProgress, completionHandler
        )
    }

    /// Makes a task that sends what streams give, suspended.
    ///
    /// - Parameters:
    ///   - request: What to send, without its own body.
    ///   - length: How many bytes will come; nil, when that is not known, sends them chunked. A
    ///     stream that has fewer or more makes the task fail, as does a length below zero.
    ///   - body: Makes the stream, and makes it again where the body must be sent once more: after
    ///     a redirect, an authentication or a lost connection. Called on a thread that may wait.
    ///   - serializer: What judges and serializes the response.
    ///   - uploadProgress: Called while the bytes are sent, on the callback queue.
    ///   - downloadProgress: Called while the response's body comes, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on ``completionQueue``.
    /// - Returns: The task.
    public func uploadTask<Serializer: ResponseSerializer>(
        withStreamedRequest request: URLRequest,
        length: Int64? = nil,
        body: @escaping BodyStreamFactory,
        serializer: Serializer,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            request, .stream(length: length, body), serializer, uploadProgress, downloadProgress,
            completionHandler
        )
    }

    /// Makes a task that sends what streams give, suspended, with the manager's
    /// ``responseSerializer``.
    ///
    /// The parameters are those of
    /// ``uploadTask(withStreamedRequest:length:body:serializer:uploadProgress:downloadProgress:completionHandler:)``.
    public func uploadTask(
        withStreamedRequest request: URLRequest,
        length: Int64? = nil,
        body: @escaping BodyStreamFactory,
        progress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            request, .stream(length: length, body),
            UntypedResponseSerializer(base: responseSerializer), progress, downloadProgress,
            completionHandler
        )
    }

    /// Sends a file and waits for the response.
    ///
    /// Cancelling the Swift task cancels the request. ``completionQueue`` plays no part.
    public func upload<Serializer: ResponseSerializer>(
        for request: URLRequest,
        fromFile file: URL,
        serializer: Serializer,
        progress: ProgressHandler? = nil
    ) async -> Response<Serializer.Value> {
        await response(
            .success(request), serializer: serializer, upload: .file(file), uploadProgress: progress
        )
    }

    /// Sends bytes and waits for the response.
    ///
    /// Cancelling the Swift task cancels the request. ``completionQueue`` plays no part.
    public func upload<Serializer: ResponseSerializer>(
        for request: URLRequest,
        from data: Data,
        serializer: Serializer,
        progress: ProgressHandler? = nil
    ) async -> Response<Serializer.Value> {
        await response(
            .success(request), serializer: serializer, upload: .data(data), uploadProgress: progress
        )
    }

    private func uploadTask<Serializer: ResponseSerializer>(
        _ request: URLRequest,
        _ body: UploadBody,
        _ serializer: Serializer,
        _ uploadProgress: ProgressHandler?,
        _ downloadProgress: ProgressHandler?,
        _ completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        makeTask(
            UploadTaskDelegate.self,
            .success(request),
            Responder(
                serializer: serializer,
                receiver: .handler(completionHandler)
            ),
            upload: body,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress
        )
    }
}
