public import Foundation

extension DownloadRequest {
    /// A request that is under way and whose response Swift tasks wait for.
    public typealias Serializing = SerializingTask

    /// Starts the request, and gives the place of its file.
    ///
    /// Without a destination the file gets a place of its own in the temporary directory, and is yours to remove. Ask
    /// before the response comes: if the file is removed with the other handlers, this fails.
    ///
    /// - Parameter automaticallyCancelling: Whether cancelling a Swift task that waits cancels the request; default
    ///   true.
    /// - Returns: What waits for the response.
    public func serializingDownloadedFileURL(
        automaticallyCancelling: Bool = true
    ) -> Serializing<URL> {
        // Without a handler, the file would be removed before the caller gets its URL.
        delegate.state.withLock { $0.download }?.state.withLock { $0.keepsFile = true }
        return serializing(
            URLResponseSerializer(findingFile: true),
            automaticallyCancelling: automaticallyCancelling)
    }

    /// Starts the request, and gives the bytes of its file, which are mapped rather than read.
    ///
    /// - Parameters:
    ///   - automaticallyCancelling: Whether cancelling a Swift task that waits cancels the request; default true.
    ///   - dataPreprocessor: Changes the body first.
    ///   - emptyResponseCodes: Has no effect: an empty file is empty data, whatever the status.
    ///   - emptyRequestMethods: Has no effect.
    /// - Returns: What waits for the response.
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

    /// Starts the request, and gives its file as a text, as ``StringResponseSerializer`` reads it.
    ///
    /// - Parameters:
    ///   - automaticallyCancelling: Whether cancelling a Swift task that waits cancels the request; default true.
    ///   - dataPreprocessor: Changes the body first.
    ///   - encoding: The encoding, whatever the content type says; nil goes by that.
    ///   - emptyResponseCodes: Has no effect: an empty file is an empty text, whatever the status.
    ///   - emptyRequestMethods: Has no effect.
    /// - Returns: What waits for the response.
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

    /// Starts the request, and decodes its file.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - automaticallyCancelling: Whether cancelling a Swift task that waits cancels the request; default true.
    ///   - dataPreprocessor: Changes the body first.
    ///   - decoder: The decoder; nil for the manager's ``HTTPSessionManager/JSON/decoder``.
    ///   - emptyResponseCodes: Statuses with which an ``EmptyResponse`` may have no body, beside 204, 205 and 304.
    ///   - emptyRequestMethods: Methods for which it may have none, beside HEAD.
    /// - Returns: What waits for the response.
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

    /// Starts the request, and serializes its file; what the serializer accepts is not asked.
    ///
    /// - Parameters:
    ///   - serializer: Makes the value of the file.
    ///   - automaticallyCancelling: Whether cancelling a Swift task that waits cancels the request; default true.
    /// - Returns: What waits for the response.
    public func serializingDownload<Serializer: ResponseSerializer>(
        using serializer: Serializer, automaticallyCancelling: Bool = true
    ) -> Serializing<Serializer.Value> {
        serializing(serializer, automaticallyCancelling: automaticallyCancelling)
    }
}
