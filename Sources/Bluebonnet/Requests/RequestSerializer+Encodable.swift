public import FoundationNetworking

extension RequestSerializer {
    /// Returns the request with `headers` and the parameters in it, encoded to ``Parameters``.
    ///
    /// - Throws: A ``RequestSerializationError`` where they are not encoded as a dictionary, and
    ///   whatever their encoding or the serialization throws.
    public func serialize<Value: Encodable & Sendable>(
        _ request: URLRequest,
        parameters: Value
    ) throws -> URLRequest {
        try serialize(request, parameters: ParameterEncoder.parameters(of: parameters))
    }
}
