import Foundation
import FoundationNetworking

extension HTTPSessionManager {
    /// Creates a new data task for a method and a path.
    ///
    /// For every form and its errors, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: The parameters that ``requestSerializer`` puts into the request.
    ///   - headers: Header fields that override those of the serializer, as in AFNetworking.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``SessionManager/responseSerializer``.
    ///   - options: Settings for this task alone.
    ///   - uploadProgress: Called on the callback queue while the request's body is sent.
    ///   - downloadProgress: Called on the callback queue while the response's body arrives.
    ///   - completionHandler: Called exactly once, whether the task succeeds, fails or is canceled.
    ///     A request that cannot be built fails the task.
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

    /// Creates a new data task for a method, a path and `Encodable` parameters.
    ///
    /// For every form and its errors, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query or the
    ///     body; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``SessionManager/responseSerializer``.
    ///   - options: Settings for this task alone.
    ///   - uploadProgress: Called on the callback queue while the request's body is sent; nil for
    ///     none.
    ///   - downloadProgress: Called on the callback queue while the response's body arrives; nil
    ///     for none.
    ///   - completionHandler: Called exactly once, whether the task succeeds, fails or is canceled;
    ///     nil for none.
    /// - Returns: The suspended task. A request that cannot be built fails it.
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

    /// Creates a suspended data task for a method and a path, without a handler.
    ///
    /// Resume the task to send a request without waiting for its response:
    ///
    /// ```swift
    /// api.dataTask(.delete, "users/7").resume()
    /// ```
    ///
    /// The manager's ``SessionManager/responseSerializer`` validates the response. The outcome is
    /// the task's ``SessionTask/error`` and is posted with ``SessionTask/didCompleteNotification``.
    ///
    /// For every form and its errors, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: The values that ``requestSerializer`` writes into the query or the body; nil
    ///     for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - options: Settings for this task alone.
    /// - Returns: The task. A request that cannot be built fails the task.
    public func dataTask(
        _ method: HTTPMethod,
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        dataTask(
            method: method, path: path, parameters: parameters, headers: headers, options: options,
            completionHandler: nil)
    }

    /// Creates a suspended data task for a method, a path and `Encodable` parameters, without a
    /// handler.
    ///
    /// For every form and its errors, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query or the
    ///     body; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - options: Settings for this task alone.
    /// - Returns: The suspended task. A request that cannot be built fails it.
    @_disfavoredOverload
    public func dataTask(
        _ method: HTTPMethod,
        _ path: String,
        parameters: (any Encodable & Sendable)?,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        dataTask(
            method: method, path: path, parameters: parameters, headers: headers, options: options,
            completionHandler: nil)
    }

    /// Sends a request for a path and waits for its response.
    ///
    /// The response contains the head, body and metrics as well as the value. The serializer can be
    /// of any kind, and alone decides which responses are accepted.
    ///
    /// ```swift
    /// let response = await api.response(.get, "feed", serializer: .xmlDocument)
    /// print(response.head?.statusCode ?? 0, response.value?.root.name ?? "nothing")
    /// ```
    ///
    /// Canceling the Swift task cancels the request. ``SessionManager/completionQueue`` is not
    /// used. For the other forms, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - method: The request's method, such as `.get` or `"PURGE"`.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: The values that ``requestSerializer`` writes into the query or the body; nil
    ///     for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``SessionManager/responseSerializer``.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The response, which contains the error if the task failed.
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

    /// Sends a request with `Encodable` parameters for a path and waits for its response.
    ///
    /// For the other forms, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - method: The request's method, such as `.post` or `"PURGE"`.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query or the
    ///     body; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``SessionManager/responseSerializer``.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The response, which contains the error if the task failed.
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

    /// Sends a request and waits for its response, with the former argument labels.
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

    /// Sends a request for a path and returns its response as soon as the head has arrived.
    ///
    /// The body is read piece by piece, and a slow reader slows the server down. For
    /// examples, see <doc:Streams>.
    ///
    /// For every form and its errors, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - method: The method. The default is GET.
    ///   - parameters: The values that ``requestSerializer`` writes into the query or the body; nil
    ///     for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - serializer: The serializer that validates the head. It does not serialize the body. By
    ///     default, a status of 200–299 with any content type is valid.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The response, whose body has yet to arrive.
    /// - Throws: The error of a task that fails before its head is accepted. For an unacceptable
    ///   status, the error's context contains the body.
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

    /// Sends a request with `Encodable` parameters for a path and returns its response as soon as
    /// the head has arrived.
    ///
    /// For every form and its errors, see <doc:VerbForms>. For examples, see <doc:Streams>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - method: The method. The default is GET.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query or the
    ///     body; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - serializer: The serializer that validates the head. It does not serialize the body. By
    ///     default, a status of 200–299 with any content type is valid.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The response, whose body has yet to arrive.
    /// - Throws: The error of a task that fails before its head is accepted. For an unacceptable
    ///   status, the error's context contains the body.
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
