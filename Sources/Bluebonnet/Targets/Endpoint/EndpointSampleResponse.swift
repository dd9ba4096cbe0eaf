public import Foundation
public import FoundationNetworking

/// The response of a stub.
public enum EndpointSampleResponse: Sendable {
    /// A status and a body.
    case networkResponse(Int, Data)
    /// A head with its status and header fields, and a body.
    case response(HTTPURLResponse, Data)
    /// A failure to get a response; the call fails with it.
    case networkError(any Error)
}
