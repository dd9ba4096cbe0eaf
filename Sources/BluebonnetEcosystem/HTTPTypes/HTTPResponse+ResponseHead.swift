#if HTTPTypes
public import Bluebonnet
public import HTTPTypes

extension HTTPResponse {
    /// Creates a response from the head of a response.
    ///
    /// Control characters in values, which servers should not send, become spaces.
    ///
    /// - Throws: ``BluebonnetError/validation(_:_:)`` for a status code without three digits, or more
    ///   fields than an `HTTPFields` can hold.
    public init(_ head: ResponseHead) throws(BluebonnetError) {
        guard (0...999).contains(head.statusCode), head.headers.fields.count < Int(UInt16.max)
        else {
            throw .validation(
                "the status code does not have three digits, or the head has too many fields",
                .init(head: head))
        }
        var fields = HTTPFields()
        for field in head.headers {
            guard let name = HTTPField.Name(field.name) else { continue }
            fields.append(HTTPField(name: name, lenientValue: field.value.utf8))
        }
        self.init(status: Status(code: head.statusCode), headerFields: fields)
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
