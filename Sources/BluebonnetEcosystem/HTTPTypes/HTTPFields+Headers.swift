#if HTTPTypes
public import Bluebonnet
public import HTTPTypes

extension HTTPFields {
    /// Creates fields from headers, in the same order.
    ///
    /// - Throws: The reason why a field cannot be represented: its name is not a token, or its value
    ///   has a control character or a space at an end.
    public init(_ headers: HTTPHeaders) throws(RequestSerializationError) {
        self.init()
        guard headers.fields.count < Int(UInt16.max) else {
            throw RequestSerializationError(reason: "HTTPFields cannot hold so many header fields")
        }
        for header in headers {
            guard let name = HTTPField.Name(header.name) else {
                throw RequestSerializationError(reason: "the name of a header field is not a token")
            }
            // The value can be a secret, so the message does not contain it.
            guard HTTPField.isValidValue(header.value) else {
                throw RequestSerializationError(
                    reason: "the value of the header \(name) cannot be sent in an HTTP field")
            }
            append(HTTPField(name: name, value: header.value))
        }
    }
}

extension HTTPHeaders {
    /// Creates headers from fields, in the same order and with the spelling of their names.
    public init(_ fields: HTTPFields) {
        self.init(fields.map { Field(name: $0.name.rawName, value: $0.value) })
    }
}
#endif
