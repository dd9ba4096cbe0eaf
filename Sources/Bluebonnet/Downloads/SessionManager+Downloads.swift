import BluebonnetTransport
public import Foundation
public import FoundationNetworking

extension SessionManager {
    /// Makes a task whose response goes to a file, suspended.
    ///
    /// The body is written to a temporary file beside the destination, off every queue that others
    /// wait for, and appears at the destination complete or not at all. A response whose head is not
    /// accepted leaves no file, and has its body in the error. A disk that is slower than the server
    /// stops the server.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - serializer: Judges the head: its status and its content type. With nil, the manager's
    ///     ``responseSerializer`` does, but for the content type: a file may be of any (AFNetworking,
    ///     S16).
    ///   - destination: Asked once, on the callback queue, when an acceptable head has arrived. With
    ///     nil, or where it answers nil, the file is in a temporary place and is removed when the
    ///     handler has returned, unless
    ///     ``downloadTaskDidFinishDownloading(_:location:)`` says where it goes.
    ///   - options: How the file gets to its destination; by default its directory must exist and
    ///     nothing is replaced.
    ///   - progress: Called as bytes are written, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on ``completionQueue``.
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
            Download(destination: destination, options: options),
            progress,
            .handler(completionHandler),
            validatedBy: serializer
        )
    }

    /// Makes a task that goes on with a download that was cancelled or broke, suspended.
    ///
    /// What is on the disk already is not asked for again, as long as the server still has the same:
    /// if it does not, the download starts from its beginning. The data may come from a process that
    /// has ended.
    ///
    /// - Parameters:
    ///   - data: From ``DownloadTask/cancel(byProducingResumeData:)`` or an error's
    ///     ``BluebonnetError/resumeData``. Data that cannot be used makes the task fail.
    ///   - request: What to send instead of a plain GET of the URL in the data: the same file at
    ///     another URL, such as one signed anew, or with credentials, which the data never holds.
    ///   - serializer: Judges the head of a response that is not the rest of the file, as for
    ///     ``downloadTask(with:validatedBy:destination:options:progress:completionHandler:)``.
    ///   - destination: As for
    ///     ``downloadTask(with:validatedBy:destination:options:progress:completionHandler:)``.
    ///   - options: How the file gets to its destination.
    ///   - progress: Called as bytes are written; what was there before counts.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on ``completionQueue``.
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

    /// Downloads to a file and waits for it.
    ///
    /// The parameters are those of
    /// ``downloadTask(with:validatedBy:destination:options:progress:completionHandler:)``. Cancelling the Swift
    /// task cancels the request and keeps nothing. ``completionQueue`` plays no part.
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

    /// Goes on with a download that was cancelled or broke, and waits for its file.
    ///
    /// The parameters are those of
    /// ``downloadTask(withResumeData:request:validatedBy:destination:options:progress:completionHandler:)``, and
    /// the rest is as for ``download(for:validatedBy:destination:options:progress:)``.
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

    /// What is sent to go on with a download, and what is known of it.
    static func resuming(
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
            DownloadTaskDelegate.self,
            .made(request),
            Responder(serializer: DownloadSerializer(judge: judge), receiver: receiver),
            options: options,
            flow: .file(download),
            downloadProgress: progress
        )
    }
}

extension DownloadTask {
    /// Ends the task as cancelled, and tells what it takes to go on with it later.
    ///
    /// - Parameter handler: Called exactly once, on the manager's callback queue, with nil where the
    ///   download cannot be gone on with: nothing was written yet, or the server gave no strong
    ///   validator, compressed the body or refuses ranges. Without it, as ``SessionTask/cancel()``
    ///   does, nothing is kept.
    public func cancel(byProducingResumeData handler: @escaping @Sendable (Data?) -> Void) {
        delegate.cancel(self, byProducingResumeData: handler)
    }

    /// Removes the partial file that resume data points at, when nobody will go on with it.
    ///
    /// A download that broke leaves one, hidden, in its destination's directory. It is removed on a
    /// queue of its own, and only if it is still what the data describes.
    ///
    /// - Parameter resumeData: From ``cancel(byProducingResumeData:)`` or an error's
    ///   ``BluebonnetError/resumeData``.
    /// - Throws: an error for data that is no resume data.
    public static func discard(resumeData: Data) throws(ResumeDataError) {
        try ResumeRecord(data: resumeData).partial.remove()
    }
}
