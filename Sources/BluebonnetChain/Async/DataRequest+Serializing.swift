public import Bluebonnet

extension DataRequest {
    /// A handle for awaiting the response of a running request.
    public typealias Serializing = SerializingTask

    /// Starts the request and provides the bytes of its body.
    ///
    /// - Parameters:
    ///   - automaticallyCancelling: Whether canceling a waiting Swift task cancels the request. The
    ///     default is true.
    ///   - dataPreprocessor: Changes the body before it is serialized.
    ///   - emptyResponseCodes: Has no effect: an empty body is empty data for any status code.
    ///   - emptyRequestMethods: Has no effect.
    /// - Returns: A handle for awaiting the response.
    public func serializingData(
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = .passthrough,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods
    ) -> Serializing<Data> {
        serializing(
            HTTPResponseSerializer(dataPreprocessor: dataPreprocessor),
            automaticallyCancelling: automaticallyCancelling)
    }

    /// Starts the request and provides its body as text, as
    /// ``/Bluebonnet/StringResponseSerializer`` reads it.
    ///
    /// - Parameters:
    ///   - automaticallyCancelling: Whether canceling a waiting Swift task cancels the request. The
    ///     default is true.
    ///   - dataPreprocessor: Changes the body before it is serialized.
    ///   - encoding: The text encoding, which overrides the content type. If it is nil, the content
    ///     type decides.
    ///   - emptyResponseCodes: Has no effect: an empty body is an empty string for any status code.
    ///   - emptyRequestMethods: Has no effect.
    /// - Returns: A handle for awaiting the response.
    public func serializingString(
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = .passthrough,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods
    ) -> Serializing<String> {
        serializing(
            StringResponseSerializer(dataPreprocessor: dataPreprocessor, encoding: encoding),
            automaticallyCancelling: automaticallyCancelling)
    }

    /// Starts the request and decodes its body.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - automaticallyCancelling: Whether canceling a waiting Swift task cancels the request. The
    ///     default is true.
    ///   - dataPreprocessor: Changes the body before it is serialized.
    ///   - decoder: The decoder. If it is nil, the manager's
    ///     ``/Bluebonnet/HTTPSessionManager/JSON/decoder`` is used.
    ///   - emptyResponseCodes: Status codes for which an ``/Bluebonnet/EmptyResponse`` type accepts
    ///     an empty body, in addition to 204, 205 and 304.
    ///   - emptyRequestMethods: Methods for which it accepts one, in addition to HEAD.
    /// - Returns: A handle for awaiting the response.
    public func serializingDecodable<T: Decodable & Sendable>(
        _ type: T.Type = T.self,
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = .passthrough,
        decoder: (any DataDecoder)? = nil,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods
    ) -> Serializing<T> {
        serializing(
            DecodableResponseSerializer<T>(
                dataPreprocessor: dataPreprocessor, decoder: decoder,
                emptyResponseCodes: emptyResponseCodes, emptyRequestMethods: emptyRequestMethods),
            automaticallyCancelling: automaticallyCancelling)
    }

    /// Starts the request and serializes its body with a serializer.
    ///
    /// The status codes and content types that the serializer accepts are ignored.
    ///
    /// - Parameters:
    ///   - serializer: Creates the value from the body.
    ///   - automaticallyCancelling: Whether canceling a waiting Swift task cancels the request. The
    ///     default is true.
    /// - Returns: A handle for awaiting the response.
    public func serializingResponse<Serializer: ResponseSerializer>(
        using serializer: Serializer, automaticallyCancelling: Bool = true
    ) -> Serializing<Serializer.Value> {
        serializing(serializer, automaticallyCancelling: automaticallyCancelling)
    }
}
