public import Foundation
import FoundationNetworking

// By path, with everything that the request serializer adds.
extension HTTPSessionManager {
    /// Downloads what is at a path to a file.
    ///
    /// ```swift
    /// api.download("archive.zip", to: file, options: .downloadProgress { print($0.fractionCompleted) }) {
    ///     response in print(response.value?.path ?? "nothing")
    /// }
    /// ```
    ///
    /// The request has everything that ``requestSerializer`` adds. The file appears complete or not at all,
    /// as ``SessionManager/downloadTask(with:validatedBy:destination:options:progress:completionHandler:)`` says.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - method: The request's method; GET by default.
    ///   - parameters: What ``requestSerializer`` puts into the request.
    ///   - headers: Header fields, which beat those of the serializer.
    ///   - serializer: Judges the head: its status and its content type. With nil, the manager's
    ///     ``SessionManager/responseSerializer`` does, but for the content type.
    ///   - data: What an earlier download of the same left, to go on with; from
    ///     ``DownloadTask/cancel(byProducingResumeData:)`` or an error's ``BluebonnetError/resumeData``.
    ///   - destination: Where the file goes.
    ///   - options: What is different for this call; `.file(.removePreviousFile)`, for example.
    /// - Returns: The task.
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
    ) -> DownloadTask {
        start(
            path, method, parameters, headers, serializer, data, { _ in destination }, options, nil)
    }

    /// Downloads what is at a path to a file, and hands over the response.
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

    /// Downloads what is at a path to a file that is chosen when the head has arrived, and hands over the
    /// response.
    ///
    /// `destination` is asked once, on the callback queue; where it answers nil, the file is in a temporary
    /// place until the handler has returned.
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

    /// Downloads what is at a path to a file and waits for it.
    ///
    /// Cancelling the Swift task cancels the request and keeps nothing.
    ///
    /// - Returns: Where the file is.
    /// - Throws: Whatever made the task fail.
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
        _ completionHandler: (@Sendable (Response<URL>) -> Void)?
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

    /// What is sent, and where the file comes from and goes to.
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
