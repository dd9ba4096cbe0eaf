public import FoundationNetworking

extension RequestSerializer {
    /// Returns the request with `headers` and the encoded parameters added; nil adds none.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - parameters: The value to encode, such as a struct or a dictionary.
    /// - Returns: The request to send.
    /// - Throws: An error from the parameters' encoding or from the serialization.
    @_disfavoredOverload
    public func serialize(
        _ request: URLRequest,
        parameters: some Encodable & Sendable
    ) throws -> URLRequest {
        try serialize(request, encoding: parameters)
    }

    /// Returns the request with ``Parameters`` or an encodable value added.
    func serialize(
        _ request: URLRequest, encoding parameters: (any Encodable & Sendable)?
    ) throws -> URLRequest {
        guard let parameters else { return try serialize(request, checking: nil) }
        if let parameters = parameters as? Parameters {
            return try serialize(request, checking: parameters.tree.isNull ? nil : parameters)
        }
        if let json = self as? JSONRequestSerializer, json.putsParametersIntoBody(of: request) {
            return try json.serialize(request, body: json.encoder.presentData(encoding: parameters))
        }
        return try serialize(request, checking: Parameters.encoded(parameters))
    }
}
