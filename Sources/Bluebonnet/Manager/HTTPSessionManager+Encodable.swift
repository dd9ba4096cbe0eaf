// The verbs with parameters that are encoded; the same content gives the same bytes as `Parameters`.
extension HTTPSessionManager {
    /// Makes a data task for a method, a path and encoded parameters, suspended.
    ///
    /// The other arguments are those of the form with ``Parameters``. What the parameters throw when
    /// they are encoded is the error of the task.
    public func dataTask<Serializer: ResponseSerializer>(
        method: HTTPMethod,
        path: String,
        parameters: some Encodable & Sendable,
        headers: HTTPHeaders? = nil,
        serializer: Serializer,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        dataTask(
            request(method, path, encoding: parameters, headers),
            serializer: serializer,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            completionHandler: completionHandler
        )
    }

    /// Makes a data task for a method, a path and encoded parameters, suspended, with the manager's
    /// ``SessionManager/responseSerializer``.
    public func dataTask(
        method: HTTPMethod,
        path: String,
        parameters: some Encodable & Sendable,
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
    /// Sends HEAD with encoded parameters; the response is serialized by
    /// ``SessionManager/responseSerializer``.
    @discardableResult
    public func head(
        _ path: String,
        parameters: some Encodable & Sendable,
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

    /// Sends HEAD with encoded parameters; the response is serialized by the serializer given.
    @discardableResult
    public func head<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: some Encodable & Sendable,
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

    /// Sends GET with encoded parameters; the response is serialized by
    /// ``SessionManager/responseSerializer``.
    @discardableResult
    public func get(
        _ path: String,
        parameters: some Encodable & Sendable,
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

    /// Sends GET with encoded parameters; the response is serialized by the serializer given.
    @discardableResult
    public func get<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: some Encodable & Sendable,
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

    /// Sends POST with encoded parameters; the response is serialized by
    /// ``SessionManager/responseSerializer``.
    @discardableResult
    public func post(
        _ path: String,
        parameters: some Encodable & Sendable,
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

    /// Sends POST with encoded parameters; the response is serialized by the serializer given.
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: some Encodable & Sendable,
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

    /// Sends PUT with encoded parameters; the response is serialized by
    /// ``SessionManager/responseSerializer``.
    @discardableResult
    public func put(
        _ path: String,
        parameters: some Encodable & Sendable,
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

    /// Sends PUT with encoded parameters; the response is serialized by the serializer given.
    @discardableResult
    public func put<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: some Encodable & Sendable,
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

    /// Sends PATCH with encoded parameters; the response is serialized by
    /// ``SessionManager/responseSerializer``.
    @discardableResult
    public func patch(
        _ path: String,
        parameters: some Encodable & Sendable,
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

    /// Sends PATCH with encoded parameters; the response is serialized by the serializer given.
    @discardableResult
    public func patch<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: some Encodable & Sendable,
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

    /// Sends DELETE with encoded parameters; the response is serialized by
    /// ``SessionManager/responseSerializer``.
    @discardableResult
    public func delete(
        _ path: String,
        parameters: some Encodable & Sendable,
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

    /// Sends DELETE with encoded parameters; the response is serialized by the serializer given.
    @discardableResult
    public func delete<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: some Encodable & Sendable,
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
