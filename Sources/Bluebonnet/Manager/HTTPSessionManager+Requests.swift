import Foundation
import FoundationNetworking

extension HTTPSessionManager {
    /// Makes a data task for a method and a path, suspended.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: What ``requestSerializer`` puts into the request.
    ///   - headers: Header fields, which beat those of the serializer (AFNetworking, H2).
    ///   - serializer: What judges and serializes the response; default the manager's
    ///     ``SessionManager/responseSerializer``.
    ///   - options: What is different for this task.
    ///   - uploadProgress: Called while the request's body is sent, on the callback queue.
    ///   - downloadProgress: Called while the response's body comes, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, also for a request
    ///     that could not be built.
    /// - Returns: The task.
    public func dataTask<Serializer: ResponseSerializer>(
        method: HTTPMethod,
        path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        let options = TaskOptions(options)
        return dataTask(
            request(method, path, parameters, headers, options),
            serializer: serializer, options: options, uploadProgress: uploadProgress,
            downloadProgress: downloadProgress, completionHandler: completionHandler)
    }

    /// Makes a data task for a method, a path and parameters that are encoded, suspended.
    @_disfavoredOverload
    public func dataTask<Serializer: ResponseSerializer>(
        method: HTTPMethod,
        path: String,
        parameters: (any Encodable & Sendable)?,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        let options = TaskOptions(options)
        return dataTask(
            request(method, path, parameters, headers, options),
            serializer: serializer, options: options, uploadProgress: uploadProgress,
            downloadProgress: downloadProgress, completionHandler: completionHandler)
    }

    /// Sends a request with a method, for a path, and waits for its response.
    ///
    /// It gives head, body and metrics beside the value, and takes a serializer of any kind, which alone
    /// decides what is accepted.
    ///
    /// ```swift
    /// let response = await api.response(.get, "feed", serializer: .xmlDocument)
    /// print(response.head?.statusCode ?? 0, response.value?.root.name ?? "nothing")
    /// ```
    ///
    /// The arguments are those of the verbs, such as `get`. Cancelling the Swift task cancels the request.
    /// ``SessionManager/completionQueue`` plays no part.
    ///
    /// - Returns: The response, which has the error of a task that failed.
    public func response<Serializer: ResponseSerializer>(
        _ method: HTTPMethod,
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = []
    ) async -> Response<Serializer.Value> {
        let options = TaskOptions(options)
        return await response(
            request(method, path, parameters, headers, options), serializer: serializer,
            options: options)
    }

    /// Sends a request with a method, for a path, with parameters that are encoded, and waits for its
    /// response.
    @_disfavoredOverload
    public func response<Serializer: ResponseSerializer>(
        _ method: HTTPMethod,
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = []
    ) async -> Response<Serializer.Value> {
        let options = TaskOptions(options)
        return await response(
            request(method, path, parameters, headers, options),
            serializer: serializer, options: options)
    }

    /// Sends a request and waits for its response, with the former names of the arguments.
    @available(
        *, deprecated, renamed: "response(_:_:parameters:headers:serializer:options:)"
    )
    public func response<Serializer: ResponseSerializer>(
        method: HTTPMethod,
        path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer
    ) async -> Response<Serializer.Value> {
        await response(
            method, path, parameters: parameters, headers: headers, serializer: serializer)
    }

    /// Sends a request and returns its response as soon as its head has arrived, for a path; the body is read
    /// piece by piece.
    ///
    /// As ``SessionManager/stream(for:validatedBy:options:)``, with the arguments of a verb, and with
    /// everything that ``requestSerializer`` adds.
    public func stream(
        _ path: String,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        validatedBy serializer: some ResponseSerializer = HTTPResponseSerializer(),
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> ResponseStream {
        let options = TaskOptions(options)
        return try await stream(
            request(method, path, parameters, headers, options), serializer, options)
    }

    /// Sends a request with parameters that are encoded, for a path, and returns its response as soon as its
    /// head has arrived.
    @_disfavoredOverload
    public func stream(
        _ path: String,
        method: HTTPMethod = .get,
        parameters: (any Encodable & Sendable)?,
        headers: HTTPHeaders? = nil,
        validatedBy serializer: some ResponseSerializer = HTTPResponseSerializer(),
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> ResponseStream {
        let options = TaskOptions(options)
        return try await stream(
            request(method, path, parameters, headers, options), serializer, options)
    }
}
