extension HTTPSessionManager {
    /// Makes a data task for a method and a path, suspended.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: What ``requestSerializer`` puts into the request.
    ///   - headers: Header fields, which beat those of the serializer (AFNetworking, H2).
    ///   - serializer: What judges and serializes the response.
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
        serializer: Serializer,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        dataTask(
            request(method, path, parameters, headers),
            serializer: serializer,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            completionHandler: completionHandler
        )
    }

    /// Makes a data task for a method and a path, suspended, with the manager's
    /// ``SessionManager/responseSerializer``.
    public func dataTask(
        method: HTTPMethod,
        path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> DataTask {
        dataTask(
            method: method,
            path: path,
            parameters: parameters,
            headers: headers,
            serializer: UntypedResponseSerializer(base: responseSerializer),
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            completionHandler: completionHandler
        )
    }

    private func start(_ task: DataTask) -> DataTask {
        task.resume()
        return task
    }
}

extension HTTPSessionManager {
    /// Sends HEAD; the response is serialized by ``SessionManager/responseSerializer``.
    @discardableResult
    public func head(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .head, path: path, parameters: parameters, headers: headers,
                completionHandler: completionHandler
            )
        )
    }

    /// Sends HEAD; the response is serialized by the serializer given.
    @discardableResult
    public func head<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .head, path: path, parameters: parameters, headers: headers,
                serializer: serializer,
                completionHandler: completionHandler
            )
        )
    }

    /// Sends GET; the response is serialized by ``SessionManager/responseSerializer``.
    @discardableResult
    public func get(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .get, path: path, parameters: parameters, headers: headers,
                downloadProgress: downloadProgress,
                completionHandler: completionHandler
            )
        )
    }

    /// Sends GET; the response is serialized by the serializer given.
    @discardableResult
    public func get<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .get, path: path, parameters: parameters, headers: headers,
                serializer: serializer,
                downloadProgress: downloadProgress,
                completionHandler: completionHandler
            )
        )
    }

    /// Sends POST; the response is serialized by ``SessionManager/responseSerializer``.
    @discardableResult
    public func post(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .post, path: path, parameters: parameters, headers: headers,
                uploadProgress: uploadProgress,
                completionHandler: completionHandler
            )
        )
    }

    /// Sends POST; the response is serialized by the serializer given.
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .post, path: path, parameters: parameters, headers: headers,
                serializer: serializer,
                uploadProgress: uploadProgress,
                completionHandler: completionHandler
            )
        )
    }

    /// Sends PUT; the response is serialized by ``SessionManager/responseSerializer``.
    @discardableResult
    public func put(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .put, path: path, parameters: parameters, headers: headers,
                uploadProgress: uploadProgress,
                completionHandler: completionHandler
            )
        )
    }

    /// Sends PUT; the response is serialized by the serializer given.
    @discardableResult
    public func put<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .put, path: path, parameters: parameters, headers: headers,
                serializer: serializer,
                uploadProgress: uploadProgress,
                completionHandler: completionHandler
            )
        )
    }

    /// Sends PATCH; the response is serialized by ``SessionManager/responseSerializer``.
    @discardableResult
    public func patch(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .patch, path: path, parameters: parameters, headers: headers,
                uploadProgress: uploadProgress,
                completionHandler: completionHandler
            )
        )
    }

    /// Sends PATCH; the response is serialized by the serializer given.
    @discardableResult
    public func patch<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer,
        uploadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .patch, path: path, parameters: parameters, headers: headers,
                serializer: serializer,
                uploadProgress: uploadProgress,
                completionHandler: completionHandler
            )
        )
    }

    /// Sends DELETE; the response is serialized by ``SessionManager/responseSerializer``.
    @discardableResult
    public func delete(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .delete, path: path, parameters: parameters, headers: headers,
                completionHandler: completionHandler
            )
        )
    }

    /// Sends DELETE; the response is serialized by the serializer given.
    @discardableResult
    public func delete<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        start(
            dataTask(
                method: .delete, path: path, parameters: parameters, headers: headers,
                serializer: serializer,
                completionHandler: completionHandler
            )
        )
    }
}
