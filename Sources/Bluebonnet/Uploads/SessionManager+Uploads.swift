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
    ///   - serializer: What judges and serializes the response; default the manager's
    ///     ``responseSerializer``.
    ///   - options: What is different for this task.
    ///   - uploadProgress: Called while the file is sent, on the callback queue.
    ///   - downloadProgress: Called while the response's body comes, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on ``completionQueue``.
    /// - Returns: The task.
    public func uploadTask<Serializer: ResponseSerializer>(
        with request: URLRequest,
        fromFile file: URL,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            .success(request), .file(file), serializer, TaskOptions(options), uploadProgress,
            downloadProgress, completionHandler: completionHandler
        )
    }

    /// Makes a task that sends bytes, suspended.
    ///
    /// - Parameters:
    ///   - request: What to send, without its own body.
    ///   - data: The body.
    ///   - serializer: What judges and serializes the response; default the manager's
    ///     ``responseSerializer``.
    ///   - options: What is different for this task.
    ///   - uploadProgress: Called while the bytes are sent, on the callback queue.
    ///   - downloadProgress: Called while the response's body comes, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on ``completionQueue``.
    /// - Returns: The task.
    public func uploadTask<Serializer: ResponseSerializer>(
        with request: URLRequest,
        from data: Data,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            .success(request), .data(data), serializer, TaskOptions(options), uploadProgress,
            downloadProgress, completionHandler: completionHandler
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
    ///   - serializer: What judges and serializes the response; default the manager's
    ///     ``responseSerializer``.
    ///   - options: What is different for this task.
    ///   - uploadProgress: Called while the bytes are sent, on the callback queue.
    ///   - downloadProgress: Called while the response's body comes, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on ``completionQueue``.
    /// - Returns: The task.
    public func uploadTask<Serializer: ResponseSerializer>(
        withStreamedRequest request: URLRequest,
        length: Int64? = nil,
        body: @escaping BodyStreamFactory,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            .success(request), .stream(length: length, body), serializer, TaskOptions(options),
            uploadProgress, downloadProgress, completionHandler: completionHandler
        )
    }

    /// Makes a task that sends the pieces of an asynchronous sequence, suspended.
    ///
    /// The sequence is iterated once, as ``RequestBody/sequence(_:length:)`` says.
    ///
    /// - Parameters:
    ///   - request: What to send, without its own body.
    ///   - pieces: The bytes, in pieces of any size.
    ///   - length: How many bytes will come; nil, when that is not known, sends them chunked.
    ///   - serializer: What judges and serializes the response; default the manager's
    ///     ``responseSerializer``.
    ///   - options: What is different for this task.
    ///   - uploadProgress: Called while the bytes are sent, on the callback queue.
    ///   - downloadProgress: Called while the response's body comes, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on ``completionQueue``.
    /// - Returns: The task.
    public func uploadTask<Pieces: AsyncSequence & Sendable, Serializer: ResponseSerializer>(
        with request: URLRequest,
        from pieces: Pieces,
        length: Int64? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask where Pieces.Element == Data {
        uploadTask(
            .success(request),
            .pieces(UploadPieces(pieces, length: length)), serializer,
            TaskOptions(options), uploadProgress, downloadProgress,
            completionHandler: completionHandler
        )
    }

    /// Makes a task that sends a file, suspended, with the manager's ``responseSerializer``; AFNetworking's form.
    public func uploadTask(
        with request: URLRequest,
        fromFile file: URL,
        progress: ProgressHandler?,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<any Sendable>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            with: request, fromFile: file, uploadProgress: progress,
            downloadProgress: downloadProgress, completionHandler: completionHandler)
    }

    /// Makes a task that sends bytes, suspended, with the manager's ``responseSerializer``; AFNetworking's form.
    public func uploadTask(
        with request: URLRequest,
        from data: Data,
        progress: ProgressHandler?,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<any Sendable>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            with: request, from: data, uploadProgress: progress,
            downloadProgress: downloadProgress, completionHandler: completionHandler)
    }

    /// Makes a task that sends what streams give, suspended, with the manager's ``responseSerializer``; AFNetworking's form.
    public func uploadTask(
        withStreamedRequest request: URLRequest,
        length: Int64? = nil,
        body: @escaping BodyStreamFactory,
        progress: ProgressHandler?,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<any Sendable>) -> Void)?
    ) -> UploadTask {
        uploadTask(
            withStreamedRequest: request, length: length, body: body, uploadProgress: progress,
            downloadProgress: downloadProgress, completionHandler: completionHandler)
    }

    /// Sends a file and waits for the response.
    ///
    /// Cancelling the Swift task cancels the request. ``completionQueue`` plays no part.
    public func upload<Serializer: ResponseSerializer>(
        for request: URLRequest,
        fromFile file: URL,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        progress: ProgressHandler? = nil
    ) async -> Response<Serializer.Value> {
        await response(
            .success(request), serializer: serializer, options: TaskOptions(options),
            upload: .file(file), uploadProgress: progress
        )
    }

    /// Sends bytes and waits for the response.
    ///
    /// Cancelling the Swift task cancels the request. ``completionQueue`` plays no part.
    public func upload<Serializer: ResponseSerializer>(
        for request: URLRequest,
        from data: Data,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        progress: ProgressHandler? = nil
    ) async -> Response<Serializer.Value> {
        await response(
            .success(request), serializer: serializer, options: TaskOptions(options),
            upload: .data(data), uploadProgress: progress
        )
    }

    /// Sends the pieces of an asynchronous sequence and waits for the response.
    ///
    /// The sequence is iterated once, as ``RequestBody/sequence(_:length:)`` says. Cancelling the Swift task
    /// cancels the request. ``completionQueue`` plays no part.
    public func upload<Pieces: AsyncSequence & Sendable, Serializer: ResponseSerializer>(
        for request: URLRequest,
        from pieces: Pieces,
        length: Int64? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        progress: ProgressHandler? = nil
    ) async -> Response<Serializer.Value> where Pieces.Element == Data {
        await response(
            .success(request), serializer: serializer, options: TaskOptions(options),
            upload: .pieces(UploadPieces(pieces, length: length)),
            uploadProgress: progress
        )
    }

    func uploadTask<Serializer: ResponseSerializer>(
        _ request: Result<URLRequest, BluebonnetError>,
        _ body: UploadBody?,
        _ serializer: Serializer,
        _ options: TaskOptions?,
        _ uploadProgress: ProgressHandler? = nil,
        _ downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> UploadTask {
        makeTask(
            UploadTaskDelegate.self,
            .made(request),
            Responder(
                serializer: serializerDefaults(options).bound(serializer),
                receiver: .handler(completionHandler)
            ),
            options: options,
            upload: body,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress
        )
    }
}
