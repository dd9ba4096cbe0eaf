public import Bluebonnet

extension DataRequest {
    /// Adds a handler that receives the body, or nil if it is empty.
    ///
    /// The first handler resumes the request, unless the request was created with
    /// `shouldAutomaticallyResume: false` or ``HTTPSessionManager/startRequestsImmediately`` is
    /// false. Without a validation, every response is a success.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler is called. As for every handler, nil stands for
    ///     the ``/Bluebonnet/SessionManager/completionQueue`` that the manager had when the request
    ///     was created.
    ///   - completionHandler: Called exactly once.
    /// - Returns: The request.
    @discardableResult
    public func response(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (AFDataResponse<Data?>) -> Void
    ) -> Self {
        addHandler(OptionalDataSerializer(), queue, completionHandler)
    }

    /// Adds a handler that uses a ``ResponseSerializer``.
    ///
    /// The status codes and content types that the serializer accepts are ignored.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler is called.
    ///   - responseSerializer: Creates the value from the body.
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

    /// Adds a handler that receives the bytes of the body.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler is called.
    ///   - dataPreprocessor: Changes the body before it is serialized.
    ///   - emptyResponseCodes: Has no effect: an empty body is empty data for any status code.
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

    /// Adds a handler that receives the body as text, as ``/Bluebonnet/StringResponseSerializer``
    /// reads it.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler is called.
    ///   - dataPreprocessor: Changes the body before it is serialized.
    ///   - encoding: The text encoding, which overrides the content type. If it is nil, the content
    ///     type decides.
    ///   - emptyResponseCodes: Has no effect: an empty body is an empty string for any status code.
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

    /// Adds a handler that receives the decoded body.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - queue: The queue on which the handler is called.
    ///   - dataPreprocessor: Changes the body before it is serialized.
    ///   - decoder: The decoder. If it is nil, the manager's
    ///     ``/Bluebonnet/HTTPSessionManager/JSON/decoder`` is used.
    ///   - emptyResponseCodes: Status codes for which an ``/Bluebonnet/EmptyResponse`` type accepts
    ///     an empty body, in addition to 204, 205 and 304.
    ///   - emptyRequestMethods: Methods for which it accepts one, in addition to HEAD.
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

    /// Adds a handler that receives JSON as plain values, as ``/Bluebonnet/JSONResponseSerializer``
    /// reads it.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler is called.
    ///   - dataPreprocessor: Changes the body before it is serialized.
    ///   - emptyResponseCodes: Status codes for which an empty body is `NSNull`, in addition to
    ///     204, 205 and 304. Otherwise, it is an error.
    ///   - emptyRequestMethods: Methods for which an empty body is `NSNull`, in addition to HEAD.
    ///   - options: Whether the root can be neither an array nor an object. By default, it can.
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
    /// Adds a handler; all methods that add one end here.
    func addHandler<Serializer: ResponseSerializer>(
        _ serializer: Serializer, _ queue: DispatchQueue?,
        _ handler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> Self {
        addResponseHandler(serializer: serializer, on: queue, handler: handler)
        return self
    }
}
