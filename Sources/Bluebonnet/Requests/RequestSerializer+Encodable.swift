public import FoundationNetworking

extension RequestSerializer {
    /// Returns the request with `headers` and what the parameters encode in it; nil is no parameters.
    ///
    /// - Throws: whatever their encoding or the serialization throws.
    @_disfavoredOverload
    public func serialize(
        _ request: URLRequest,
        parameters: some Encodable & Sendable
    ) throws -> URLRequest {
        try serialize(request, checking: Parameters.encoded(parameters))
    }
}
