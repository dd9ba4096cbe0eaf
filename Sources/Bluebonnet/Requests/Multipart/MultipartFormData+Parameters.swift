import Foundation

extension MultipartFormData {
    /// Appends a field for each scalar in the parameters, named and ordered as in a query.
    ///
    /// Data that a query would contain as base64 is sent as raw bytes. Nil is sent as an empty
    /// field, unless ``QueryEncoding/nulls`` is `null` or `omitted`. Every other value is sent as
    /// its text in a query, unescaped.
    ///
    /// - Parameters:
    ///   - parameters: The values to append.
    ///   - encoding: How names and values are written.
    /// - Throws: A ``RequestSerializationError`` that names the parameter that cannot be sent.
    public mutating func appendParts(
        parameters: Parameters,
        encoding: QueryEncoding = QueryEncoding()
    ) throws(RequestSerializationError) {
        for (name, value) in try encoding.pairs(of: parameters) {
            appendPart(formData: encoding.content(of: value), name: name)
        }
    }

    /// Appends a field for each scalar that a value encodes, as for ``Parameters``.
    ///
    /// - Parameters:
    ///   - parameters: A value that is encoded as a dictionary; nil appends nothing.
    ///   - encoding: How names and values are written.
    /// - Throws: A ``RequestSerializationError`` that names the parameter that cannot be sent, or
    ///   an error from the value's own encoding.
    @_disfavoredOverload
    public mutating func appendParts(
        parameters: some Encodable & Sendable,
        encoding: QueryEncoding = QueryEncoding()
    ) throws {
        guard let parameters = try Parameters.encoded(parameters) else { return }
        try appendParts(parameters: parameters, encoding: encoding)
    }
}

extension QueryEncoding {
    /// Returns the content of a field.
    fileprivate func content(of value: ParameterValue) -> Data {
        switch value {
        case .data(let data): data
        case .bool(let value) where booleans == .literal: Data((value ? "true" : "false").utf8)
        case .null where nulls == .null: Data("null".utf8)
        default: Data((value.text ?? "").utf8)
        }
    }
}
