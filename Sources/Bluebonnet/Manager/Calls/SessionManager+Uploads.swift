import BluebonnetTransport
public import Foundation
public import FoundationNetworking

extension SessionManager {
    /// Creates a new task that sends a file.
    ///
    /// The file is read in pieces while it is sent. Its size is read when the task starts, and the
    /// task fails if the file grows, shrinks or is replaced during the upload. After a redirect or
    /// a challenge, the file is read again from its start.
    ///
    /// - Parameters:
    ///   - request: The request to send. The file replaces its own body.
    ///   - file: A regular file.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``responseSerializer``.
    ///   - options: Settings for this task alone.
    ///   - uploadProgress: Called on the callback queue while the file is sent.
    ///   - downloadProgress: Called on the callback queue while the response's body arrives.
    ///   - completionHandler: Called exactly once on ``completionQueue``, whether the task
    ///     succeeds, fails or is canceled.
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

    /// Creates a new task that sends bytes.
    ///
    /// - Parameters:
    ///   - request: The request to send. The bytes replace its own body.
    ///   - data: The body.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``responseSerializer``.
    ///   - options: Settings for this task alone.
    ///   - uploadProgress: Called on the callback queue while the bytes are sent.
    ///   - downloadProgress: Called on the callback queue while the response's body arrives.
    ///   - completionHandler: Called exactly once on ``completionQueue``, whether the task
    ///     succeeds, fails or is canceled.
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

    /// Creates a new task that sends a stream.
    ///
    /// - Parameters:
    ///   - request: The request to send. The stream replaces its own body.
    ///   - length: The number of bytes, or nil if it is unknown. The body is then sent chunked. The
    ///     task fails if the length is negative, or if the stream has fewer or more bytes.
    ///   - body: Creates the stream. Called again if the body must be resent, for example after a
    ///     redirect, a challenge or a lost connection. It may block its thread.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``responseSerializer``.
    ///   - options: Settings for this task alone.
    ///   - uploadProgress: Called on the callback queue while the bytes are sent.
    ///   - downloadProgress: Called on the callback queue while the response's body arrives.
    ///   - completionHandler: Called exactly once on ``completionQueue``, whether the task
    ///     succeeds, fails or is canceled.
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

    /// Creates a new task that sends the pieces of an asynchronous sequence.
    ///
    /// The sequence is iterated once, as for ``RequestBody/sequence(_:length:)``.
    ///
    /// - Parameters:
    ///   - request: The request to send. The pieces replace its own body.
    ///   - pieces: The bytes, in pieces of any size.
    ///   - length: The number of bytes, or nil if it is unknown. The body is then sent chunked.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``responseSerializer``.
    ///   - options: Settings for this task alone.
    ///   - uploadProgress: Called on the callback queue while the bytes are sent.
    ///   - downloadProgress: Called on the callback queue while the response's body arrives.
    ///   - completionHandler: Called exactly once on ``completionQueue``, whether the task
    ///     succeeds, fails or is canceled.
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

    /// Creates a new task that sends a file, with AFNetworking's arguments.
    ///
    /// The manager's ``responseSerializer`` serializes the response.
    ///
    /// - Parameters:
    ///   - request: The request to send. The file replaces its own body.
    ///   - file: A regular file.
    ///   - progress: Called on the callback queue while the file is sent; nil for none.
    ///   - downloadProgress: Called on the callback queue while the response's body arrives; nil
    ///     for none.
    ///   - completionHandler: Called exactly once on ``completionQueue``, whether the task
    ///     succeeds, fails or is canceled; nil for none.
    /// - Returns: The suspended task.
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

    /// Creates a new task that sends bytes, with AFNetworking's arguments.
    ///
    /// The manager's ``responseSerializer`` serializes the response.
    ///
    /// - Parameters:
    ///   - request: The request to send. The bytes replace its own body.
    ///   - data: The body.
    ///   - progress: Called on the callback queue while the bytes are sent; nil for none.
    ///   - downloadProgress: Called on the callback queue while the response's body arrives; nil
    ///     for none.
    ///   - completionHandler: Called exactly once on ``completionQueue``, whether the task
    ///     succeeds, fails or is canceled; nil for none.
    /// - Returns: The suspended task.
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

    /// Creates a new task that sends a stream, with AFNetworking's arguments.
    ///
    /// The manager's ``responseSerializer`` serializes the response.
    ///
    /// - Parameters:
    ///   - request: The request to send. The stream replaces its own body.
    ///   - length: The number of bytes, or nil if it is unknown. The body is then sent chunked.
    ///   - body: Creates the stream. Called again if the body must be resent. It may block its
    ///     thread.
    ///   - progress: Called on the callback queue while the bytes are sent; nil for none.
    ///   - downloadProgress: Called on the callback queue while the response's body arrives; nil
    ///     for none.
    ///   - completionHandler: Called exactly once on ``completionQueue``, whether the task
    ///     succeeds, fails or is canceled; nil for none.
    /// - Returns: The suspended task.
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

    /// Sends a file and returns the response.
    ///
    /// Canceling the Swift task cancels the request. ``completionQueue`` is not used.
    ///
    /// - Parameters:
    ///   - request: The request to send. The file replaces its own body.
    ///   - file: A regular file, which is read in pieces while it is sent.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``responseSerializer``.
    ///   - options: Settings for this call alone.
    ///   - progress: Called on the callback queue while the file is sent; nil for none.
    /// - Returns: The response, which contains the error if the task failed.
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

    /// Sends bytes and returns the response.
    ///
    /// Canceling the Swift task cancels the request. ``completionQueue`` is not used.
    ///
    /// - Parameters:
    ///   - request: The request to send. The bytes replace its own body.
    ///   - data: The body.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``responseSerializer``.
    ///   - options: Settings for this call alone.
    ///   - progress: Called on the callback queue while the bytes are sent; nil for none.
    /// - Returns: The response, which contains the error if the task failed.
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

    /// Sends the pieces of an asynchronous sequence and returns the response.
    ///
    /// The sequence is iterated once, as for ``RequestBody/sequence(_:length:)``. Canceling the
    /// Swift task cancels the request. ``completionQueue`` is not used.
    ///
    /// - Parameters:
    ///   - request: The request to send. The pieces replace its own body.
    ///   - pieces: The bytes, in pieces of any size.
    ///   - length: The number of bytes, or nil if it is unknown. The body is then sent chunked.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``responseSerializer``.
    ///   - options: Settings for this call alone.
    ///   - progress: Called on the callback queue while the bytes are sent; nil for none.
    /// - Returns: The response, which contains the error if the task failed.
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
