public import BluebonnetChain

/// The response of a stub.
public enum EndpointSampleResponse: Sendable {
    /// A status code and a body.
    case networkResponse(Int, Data)
    /// A head with a status code and header fields, and a body.
    case response(HTTPURLResponse, Data)
    /// An error instead of a response; the call fails with it.
    case networkError(any Error)
}
