import BluebonnetTransport
public import Foundation
public import FoundationNetworking

extension SessionManager {
    /// Creates a new task that downloads a response to a file.
    ///
    /// The body is written to a temporary file next to the destination, on a queue of its own. The
    /// file appears at the destination complete or not at all. A response whose head is not
    /// accepted leaves no file, and its body is in the error. A disk that is slower than the server
    /// slows the server down.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - serializer: Judges the status code and the content type of the head. If nil, the
    ///     manager's ``responseSerializer`` judges the head, except for its content type: as in
    ///     AFNetworking, a file can have any type.
    ///   - destination: Returns the destination. It is called once, on the callback queue, when an
    ///     acceptable head has arrived. If it is nil or returns nil, the file stays in a temporary
    ///     location and is removed when the handler returns, unless
    ///     ``downloadTaskDidFinishDownloading(_:location:)`` returns a destination.
    ///   - options: The options for moving the file to its destination. By default, its directory
    ///     must exist and nothing is replaced.
    ///   - progress: Called on the callback queue as bytes are written.
    ///   - completionHandler: Called exactly once, on ``completionQueue``, however the task ends.
    /// - Returns: The task.
    public func downloadTask(
        with request: URLRequest,
        validatedBy serializer: (any ResponseSerializer)? = nil,
        destination: (@Sendable (ResponseHead) -> URL?)? = nil,
        options: DownloadOptions = [],
        progress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<URL>) -> Void)?
    ) -> DownloadTask {
        downloadTask(
            .success(request),
            Download(destination: destination, options: options, isKeptAfterFailure: true),
            progress,
            .handler(completionHandler),
            validatedBy: serializer
        )
    }

    /// Creates a new task that continues a canceled or interrupted download.
    ///
    /// Bytes that are already on disk are not requested again if the file is unchanged on the
    /// server. Otherwise the download starts from the beginning. The data can come from an earlier
    /// process.
    ///
    /// - Parameters:
    ///   - data: The resume data, from ``DownloadTask/cancel(byProducingResumeData:)`` or an
    ///     error's ``BluebonnetError/resumeData``. Data that cannot be used fails the task.
    ///   - request: The request to send instead of a plain GET of the URL in the data. Use it for
    ///     the same file at another URL, such as a newly signed one, or to send credentials, which
    ///     the data never contains.
    ///   - serializer: Judges the head of a response that does not continue the file, as in
    ///     ``downloadTask(with:validatedBy:destination:options:progress:completionHandler:)``.
    ///   - destination: Returns the destination, as in
    ///     ``downloadTask(with:validatedBy:destination:options:progress:completionHandler:)``.
    ///   - options: The options for moving the file to its destination.
    ///   - progress: Called as bytes are written; includes the bytes that were already on disk.
    ///   - completionHandler: Called exactly once, on ``completionQueue``, however the task ends.
    /// - Returns: The task.
    public func downloadTask(
        withResumeData data: Data,
        request: URLRequest? = nil,
        validatedBy serializer: (any ResponseSerializer)? = nil,
        destination: (@Sendable (ResponseHead) -> URL?)? = nil,
        options: DownloadOptions = [],
        progress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<URL>) -> Void)?
    ) -> DownloadTask {
        let (request, record) = Self.resuming(data, with: request)
        return downloadTask(
            request,
            Download(destination: destination, options: options, record: record),
            progress,
            .handler(completionHandler),
            validatedBy: serializer
        )
    }

    /// Downloads a response to a file and waits for it.
    ///
    /// Canceling the Swift task cancels the request. A download that fails or is canceled leaves no
    /// partial file, unless the options contain ``DownloadOptions/keepsPartialFile``.
    /// ``completionQueue`` is not used.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - serializer: Judges the status code and the content type of the head. If nil, the
    ///     manager's ``responseSerializer`` judges the head, except for its content type.
    ///   - destination: Returns the location of the file. It is called once, on the callback queue,
    ///     when an acceptable head has arrived.
    ///   - options: The options for moving the file to its destination. By default, its directory
    ///     must exist and nothing is replaced.
    ///   - progress: Called on the callback queue as bytes are written; nil for none.
    /// - Returns: The response, whose value is the location of the file.
    public func download(
        for request: URLRequest,
        validatedBy serializer: (any ResponseSerializer)? = nil,
        destination: @escaping @Sendable (ResponseHead) -> URL,
        options: DownloadOptions = [],
        progress: ProgressHandler? = nil
    ) async -> Response<URL> {
        await download(
            .success(request), Download(destination: destination, options: options), progress,
            validatedBy: serializer)
    }

    /// Continues a canceled or interrupted download and waits for its file.
    ///
    /// Everything else is as in ``download(for:validatedBy:destination:options:progress:)``.
    ///
    /// - Parameters:
    ///   - data: The resume data, from ``DownloadTask/cancel(byProducingResumeData:)`` or an
    ///     error's ``BluebonnetError/resumeData``. Data that cannot be used fails the task.
    ///   - request: The request to send; nil for a plain GET of the URL in the data.
    ///   - serializer: Judges the head of a response that does not continue the file. If nil, the
    ///     manager's ``responseSerializer`` judges the head, except for its content type.
    ///   - destination: Returns the location of the file.
    ///   - options: The options for moving the file to its destination.
    ///   - progress: Called on the callback queue as bytes are written, and includes those that
    ///     were already on disk; nil for none.
    /// - Returns: The response, whose value is the location of the file.
    public func download(
        withResumeData data: Data,
        request: URLRequest? = nil,
        validatedBy serializer: (any ResponseSerializer)? = nil,
        destination: @escaping @Sendable (ResponseHead) -> URL,
        options: DownloadOptions = [],
        progress: ProgressHandler? = nil
    ) async -> Response<URL> {
        let (request, record) = Self.resuming(data, with: request)
        return await download(
            request,
            Download(destination: destination, options: options, record: record),
            progress,
            validatedBy: serializer
        )
    }

    func download(
        _ request: Result<URLRequest, BluebonnetError>,
        _ download: Download,
        _ progress: ProgressHandler? = nil,
        validatedBy serializer: (any ResponseSerializer)? = nil,
        options: TaskOptions? = nil
    ) async -> Response<URL> {
        let pending = PendingResponse<URL>()
        let task = downloadTask(
            request, download, progress, .awaiting(pending), validatedBy: serializer,
            options: options)
        return await withTaskCancellationHandler {
            task.resume()
            return await pending.response
        } onCancel: {
            task.cancel()
        }
    }

    /// Returns the request that continues a download, and the record of the partial file.
    package static func resuming(
        _ data: Data,
        with request: URLRequest?
    ) -> (Result<URLRequest, BluebonnetError>, ResumeRecord?) {
        let record = Result { () throws(ResumeDataError) in try ResumeRecord(data: data) }
        let sent = record.map { request ?? URLRequest(url: $0.url) }.mapError { error in
            BluebonnetError.invalidRequest(
                error.description, .init(request: request, underlying: error))
        }
        return (sent, try? record.get())
    }

    func downloadTask(
        _ request: Result<URLRequest, BluebonnetError>,
        _ download: Download,
        _ progress: ProgressHandler?,
        _ receiver: Responder<DownloadSerializer>.Receiver,
        validatedBy serializer: (any ResponseSerializer)? = nil,
        options: TaskOptions? = nil
    ) -> DownloadTask {
        let judge = HeadJudge(
            serializer: serializerDefaults(options).bound(any: serializer ?? responseSerializer),
            judgesContentType: serializer != nil)
        return makeTask(
            .made(request),
            Responder(serializer: DownloadSerializer(judge: judge), receiver: receiver),
            options: options,
            flow: .file(download),
            downloadProgress: progress
        )
    }
}

extension DownloadTask {
    /// Cancels the task and passes the data for resuming it later to a handler.
    ///
    /// In contrast, ``SessionTask/cancel()`` discards the partial file, unless the download has
    /// the option ``DownloadOptions/keepsPartialFile``.
    ///
    /// - Parameter handler: Called exactly once, on the manager's callback queue, before the
    ///   completion handlers. It receives nil if the task has already ended, or if the download
    ///   cannot be resumed: neither this nor an earlier download has written anything, or the
    ///   server sent no strong validator, compressed the body or refuses ranges.
    /// - Returns: The task.
    @discardableResult
    public func cancel(
        byProducingResumeData handler: @escaping @Sendable (_ data: Data?) -> Void
    ) -> Self {
        delegate.cancel(self, byProducingResumeData: handler)
        return self
    }

    /// Removes the partial file that resume data refers to, when the data will not be used.
    ///
    /// A download that can be resumed leaves a hidden partial file in the directory of its
    /// destination, and at most one for each destination.
    /// The file is removed before the call returns, unless it no longer matches the data, another
    /// download writes to it, or it cannot be opened. The call blocks on the disk.
    ///
    /// - Parameter resumeData: The data from ``cancel(byProducingResumeData:)`` or an error's
    ///   ``BluebonnetError/resumeData``.
    /// - Throws: An error if the data is not valid resume data.
    public static func discard(resumeData: Data) throws(ResumeDataError) {
        try ResumeRecord(data: resumeData).partial.removeBlocking()
    }
}
