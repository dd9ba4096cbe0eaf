public import Foundation

extension DownloadRequest {
    /// Adds a handler that gets the file's place, and nil where there is no file.
    ///
    /// Without a destination the file is removed when the last handler has returned. The rest is as for
    /// ``DataRequest/response(queue:completionHandler:)``.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs; nil for the ``SessionManager/completionQueue`` that was the manager's when
    ///     the request was made, as with every handler.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func response(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (AFDownloadResponse<URL?>) -> Void
    ) -> Self {
        addHandler(OptionalURLSerializer(), queue, completionHandler)
    }

    /// Adds a handler that gets the file's place.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func responseURL(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (AFDownloadResponse<URL>) -> Void
    ) -> Self {
        addHandler(URLResponseSerializer(), queue, completionHandler)
    }

    /// Adds a handler with a serializer of the library's kind; what it accepts is not asked.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs.
    ///   - responseSerializer: Makes the value of the file.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func response<Serializer: ResponseSerializer>(
        queue: DispatchQueue? = nil,
        responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (AFDownloadResponse<Serializer.Value>) -> Void
    ) -> Self {
        addHandler(responseSerializer, queue, completionHandler)
    }

    /// Adds a handler that gets the file's bytes, which are mapped rather than read.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs.
    ///   - dataPreprocessor: Changes the body first.
    ///   - emptyResponseCodes: Has no effect: an empty file is empty data, whatever the status.
    ///   - emptyRequestMethods: Has no effect.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func responseData(
        queue: DispatchQueue? = nil,
        dataPreprocessor: any DataPreprocessor = .passthrough,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods,
        completionHandler: @escaping @Sendable (AFDownloadResponse<Data>) -> Void
    ) -> Self {
        addHandler(
            HTTPResponseSerializer(dataPreprocessor: dataPreprocessor), queue, completionHandler)
    }

    /// Adds a handler that gets the file as a text, as ``StringResponseSerializer`` reads it.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs.
    ///   - dataPreprocessor: Changes the body first.
    ///   - encoding: The encoding, whatever the content type says; nil goes by that.
    ///   - emptyResponseCodes: Has no effect: an empty file is an empty text, whatever the status.
    ///   - emptyRequestMethods: Has no effect.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func responseString(
        queue: DispatchQueue? = nil,
        dataPreprocessor: any DataPreprocessor = .passthrough,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods,
        completionHandler: @escaping @Sendable (AFDownloadResponse<String>) -> Void
    ) -> Self {
        addHandler(
            StringResponseSerializer(dataPreprocessor: dataPreprocessor, encoding: encoding),
            queue, completionHandler)
    }

    /// Adds a handler that gets the file decoded.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - queue: Where the handler runs.
    ///   - dataPreprocessor: Changes the body first.
    ///   - decoder: The decoder; nil for the manager's ``HTTPSessionManager/JSON/decoder``.
    ///   - emptyResponseCodes: Statuses with which an ``EmptyResponse`` may have no body, beside 204, 205 and 304.
    ///   - emptyRequestMethods: Methods for which it may have none, beside HEAD.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func responseDecodable<T: Decodable & Sendable>(
        of type: T.Type = T.self,
        queue: DispatchQueue? = nil,
        dataPreprocessor: any DataPreprocessor = .passthrough,
        decoder: (any DataDecoder)? = nil,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods,
        completionHandler: @escaping @Sendable (AFDownloadResponse<T>) -> Void
    ) -> Self {
        addHandler(
            DecodableResponseSerializer<T>(
                dataPreprocessor: dataPreprocessor, decoder: decoder,
                emptyResponseCodes: emptyResponseCodes, emptyRequestMethods: emptyRequestMethods),
            queue, completionHandler)
    }

    /// Adds a handler that gets the file's JSON as plain values, as ``JSONResponseSerializer`` reads it.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs.
    ///   - dataPreprocessor: Changes the body first.
    ///   - emptyResponseCodes: Statuses with which no body is `NSNull`, beside 204, 205 and 304; otherwise it is an
    ///     error.
    ///   - emptyRequestMethods: Methods for which it is, beside HEAD.
    ///   - options: Whether the root may be neither an array nor an object; default that it may.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @available(*, deprecated, message: "use responseDecodable, or responseData and a parser")
    @discardableResult
    public func responseJSON(
        queue: DispatchQueue? = nil,
        dataPreprocessor: any DataPreprocessor = .passthrough,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods,
        options: JSONSerialization.ReadingOptions = .allowFragments,
        completionHandler: @escaping @Sendable (AFDownloadResponse<any Sendable>) -> Void
    ) -> Self {
        let serializer = JSONObjectSerializer(
            json: JSONResponseSerializer(allowsFragments: options.contains(.fragmentsAllowed)),
            options: BodyOptions(
                dataPreprocessor, emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods))
        return addHandler(serializer, queue, completionHandler)
    }
}
