public import Foundation

extension DataRequest {
    /// Adds a handler that gets the body as it is, and nil for none.
    ///
    /// The first handler resumes the request, unless it was made with `shouldAutomaticallyResume: false`, or
    /// ``HTTPSessionManager/startRequestsImmediately`` is false. Without a validation every response is a success.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs; nil for the ``SessionManager/completionQueue`` that was the manager's when
    ///     the request was made, as with every handler.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func response(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (AFDataResponse<Data?>) -> Void
    ) -> Self {
        addHandler(OptionalDataSerializer(), queue, completionHandler)
    }

    /// Adds a handler with a serializer of the library's kind; what it accepts is not asked.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs.
    ///   - responseSerializer: Makes the value of the body.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func response<Serializer: ResponseSerializer>(
        queue: DispatchQueue? = nil,
        responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (AFDataResponse<Serializer.Value>) -> Void
    ) -> Self {
        addHandler(responseSerializer, queue, completionHandler)
    }

    /// Adds a handler that gets the body as it is, empty for none.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs.
    ///   - dataPreprocessor: Changes the body first.
    ///   - emptyResponseCodes: Has no effect: an empty body is empty data, whatever the status.
    ///   - emptyRequestMethods: Has no effect.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func responseData(
        queue: DispatchQueue? = nil,
        dataPreprocessor: any DataPreprocessor = .passthrough,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods,
        completionHandler: @escaping @Sendable (AFDataResponse<Data>) -> Void
    ) -> Self {
        addHandler(
            HTTPResponseSerializer(dataPreprocessor: dataPreprocessor), queue, completionHandler)
    }

    /// Adds a handler that gets the body as a text, as ``StringResponseSerializer`` reads it.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs.
    ///   - dataPreprocessor: Changes the body first.
    ///   - encoding: The encoding, whatever the content type says; nil goes by that.
    ///   - emptyResponseCodes: Has no effect: an empty body is an empty text, whatever the status.
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
        completionHandler: @escaping @Sendable (AFDataResponse<String>) -> Void
    ) -> Self {
        addHandler(
            StringResponseSerializer(dataPreprocessor: dataPreprocessor, encoding: encoding),
            queue, completionHandler)
    }

    /// Adds a handler that gets the body decoded.
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
        completionHandler: @escaping @Sendable (AFDataResponse<T>) -> Void
    ) -> Self {
        addHandler(
            DecodableResponseSerializer<T>(
                dataPreprocessor: dataPreprocessor, decoder: decoder,
                emptyResponseCodes: emptyResponseCodes, emptyRequestMethods: emptyRequestMethods),
            queue, completionHandler)
    }

    /// Adds a handler that gets JSON as plain values, as ``JSONResponseSerializer`` reads it.
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
        completionHandler: @escaping @Sendable (AFDataResponse<any Sendable>) -> Void
    ) -> Self {
        let serializer = JSONObjectSerializer(
            json: JSONResponseSerializer(allowsFragments: options.contains(.fragmentsAllowed)),
            options: BodyOptions(
                dataPreprocessor, emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods))
        return addHandler(serializer, queue, completionHandler)
    }
}

extension Request {
    /// Adds a handler: every form ends here.
    func addHandler<Serializer: ResponseSerializer>(
        _ serializer: Serializer, _ queue: DispatchQueue?,
        _ handler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> Self {
        add(
            Responder(
                serializer: delegate.setup.defaults.bound(serializer),
                receiver: .handler(handler, on: queue)))
        return self
    }
}
