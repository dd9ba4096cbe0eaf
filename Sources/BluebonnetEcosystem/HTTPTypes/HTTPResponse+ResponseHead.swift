#if HTTPTypes
public import Bluebonnet
public import HTTPTypes

extension HTTPResponse {
    /// Creates a response from the head of a response.
    ///
    /// - Throws: ``BluebonnetError/validation(_:_:)`` for a status code or a field that cannot be
    ///   represented, which a response that was received over a network does not have.
    public init(_ head: ResponseHead) throws(BluebonnetError) {
        guard (0...999).contains(head.statusCode) else {
            throw .validation("the status code does not have three digits", .init(head: head))
        }
        do throws(RequestSerializationError) {
            self.init(
                status: Status(code: head.statusCode),
                headerFields: try HTTPFields(head.headers))
        } catch {
            throw .validation("\(error)", .init(head: head, underlying: error))
        }
    }
}

extension ResponseHead {
    /// Creates a head from a response, for example for a test.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - url: The URL that responded.
    ///   - requestMethod: The method of the request; default GET.
    public init(_ response: HTTPResponse, url: URL, requestMethod: String = "GET") {
        self.init(
            statusCode: response.status.code, headers: HTTPHeaders(response.headerFields), url: url,
            requestMethod: requestMethod)
    }
}
#endif
