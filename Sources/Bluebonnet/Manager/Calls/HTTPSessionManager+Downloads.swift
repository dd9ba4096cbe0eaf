public import Foundation
import FoundationNetworking

// Downloads by path, with everything that the request serializer adds.
extension HTTPSessionManager {
    /// Downloads from a path to a file, and calls a handler with the response.
    ///
    /// ```swift
    /// api.download(
    ///     "archive.zip", to: file, options: .downloadProgress { print($0.fractionCompleted) }
    /// ) { response in
    ///     print(response.value?.path ?? "nothing")
    /// }
    /// ```
    ///
    /// The request has everything that ``requestSerializer`` adds. The file appears at its
    /// destination complete or not at all, as described in
    /// ``SessionManager/downloadTask(with:validatedBy:destination:options:progress:completionHandler:)``.
    ///
    /// For every form and its errors, see <doc:VerbForms>. For examples, see <doc:Downloads>.
    ///
    /// - Parameters:
    ///   - path: A path relative to ``baseURL``, or an absolute URL.
    ///   - method: The HTTP method; GET by default.
    ///   - parameters: The parameters that ``requestSerializer`` adds to the request.
    ///   - headers: Header fields, which override those of the serializer.
    ///   - serializer: Judges the status code and the content type of the head. If nil, the
    ///     manager's ``SessionManager/responseSerializer`` judges the head, except for its content
    ///     type.
    ///   - data: The resume data of an earlier download of the same file, from
    ///     ``DownloadTask/cancel(byProducingResumeData:)`` or an error's
    ///     ``BluebonnetError/resumeData``.
    ///   - destination: The location of the file.
    ///   - options: The options of this call, for example `.file(.removePreviousFile)`.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled.
    /// - Returns: The running task.
    @discardableResult
    public func download(
        _ path: String,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        validatedBy serializer: (any ResponseSerializer)? = nil,
        resumingWith data: Data? = nil,
        to destination: URL,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<URL>) -> Void
    ) -> DownloadTask {
        start(
            path, method, parameters, headers, serializer, data, { _ in destination }, options,
            completionHandler)
    }

    /// Downloads from a path to a file whose destination is chosen when the head has arrived.
    ///
    /// `destination` is called once, on the callback queue. If it returns nil, the file stays in a
    /// temporary location until the handler returns.
    ///
    /// For every form and its errors, see <doc:VerbForms>. For examples, see <doc:Downloads>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - method: The method. The default is GET.
    ///   - parameters: The values that ``requestSerializer`` adds to the request; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - serializer: Judges the status code and the content type of the head. If nil, the
    ///     manager's ``SessionManager/responseSerializer`` judges the head, except for its content
    ///     type.
    ///   - data: The resume data of an earlier download of the same file; nil to start from the
    ///     beginning.
    ///   - destination: Returns the location of the file, such as
    ///     ``SessionManager/suggestedDownloadDestination(in:)``.
    ///   - options: Settings for this call alone, for example `.file(.removePreviousFile)`.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled.
    /// - Returns: The running task.
    @discardableResult
    public func download(
        _ path: String,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        validatedBy serializer: (any ResponseSerializer)? = nil,
        resumingWith data: Data? = nil,
        destination: @escaping @Sendable (ResponseHead) -> URL?,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<URL>) -> Void
    ) -> DownloadTask {
        start(
            path, method, parameters, headers, serializer, data, destination, options,
            completionHandler)
    }

    /// Downloads from a path to a file and waits for it.
    ///
    /// Canceling the Swift task cancels the request. A download that fails or is canceled leaves no
    /// partial file, unless the options contain ``DownloadOptions/keepsPartialFile``.
    ///
    /// For every form and its errors, see <doc:VerbForms>. For examples, see <doc:Downloads>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - method: The method. The default is GET.
    ///   - parameters: The values that ``requestSerializer`` adds to the request; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - serializer: Judges the status code and the content type of the head. If nil, the
    ///     manager's ``SessionManager/responseSerializer`` judges the head, except for its content
    ///     type.
    ///   - data: The resume data of an earlier download of the same file, from an error's
    ///     ``BluebonnetError/resumeData``; nil to start from the beginning.
    ///   - destination: The location of the file. By default, its directory must exist, and an
    ///     existing file is an error.
    ///   - options: Settings for this call alone, for example `.file(.removePreviousFile)`.
    /// - Returns: The location of the file.
    /// - Throws: The error that the task failed with.
    @discardableResult
    public func download(
        _ path: String,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        validatedBy serializer: (any ResponseSerializer)? = nil,
        resumingWith data: Data? = nil,
        to destination: URL,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> URL {
        let options = TaskOptions(options)
        let (request, download) = parts(
            path, method, parameters, headers, data, { _ in destination }, options)
        return try await self.download(
            request, download, validatedBy: serializer, options: options
        ).result.get()
    }

    private func start(
        _ path: String,
        _ method: HTTPMethod,
        _ parameters: Parameters?,
        _ headers: HTTPHeaders?,
        _ serializer: (any ResponseSerializer)?,
        _ data: Data?,
        _ destination: @escaping Download.Destination,
        _ options: RequestOptions,
        _ completionHandler: @escaping @Sendable (Response<URL>) -> Void
    ) -> DownloadTask {
        let options = TaskOptions(options)
        let (request, download) = parts(
            path, method, parameters, headers, data, destination, options)
        let task = downloadTask(
            request, download, nil, .handler(completionHandler), validatedBy: serializer,
            options: options)
        task.resume()
        return task
    }

    /// Returns the request to send, and its download.
    private func parts(
        _ path: String,
        _ method: HTTPMethod,
        _ parameters: Parameters?,
        _ headers: HTTPHeaders?,
        _ data: Data?,
        _ destination: @escaping Download.Destination,
        _ options: TaskOptions?
    ) -> (Result<URLRequest, BluebonnetError>, Download) {
        let request = request(method, path, parameters, headers, options)
        let files = options?.values.files ?? []
        guard let data, case .success(let sent) = request else {
            return (request, Download(destination: destination, options: files))
        }
        let (resuming, record) = Self.resuming(data, with: sent)
        return (resuming, Download(destination: destination, options: files, record: record))
    }
}
