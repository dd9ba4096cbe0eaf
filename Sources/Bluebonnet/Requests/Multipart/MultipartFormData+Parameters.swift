import Foundation

extension MultipartFormData {
    /// Appends a field for each scalar in the parameters, with the names and in the order of a query.
    ///
    /// Data is sent as it is where a query has it in base64; nil as an empty field; every other value
    /// as its text in a query, unescaped.
    ///
    /// - Parameters:
    ///   - parameters: What is appended; see ``Parameters``.
    ///   - encoding: How names and values are written.
    /// - Throws: A ``RequestSerializationError`` that names the parameter which cannot be sent.
    public mutating func appendParts(
        parameters: Parameters,
        encoding: QueryEncoding = QueryEncoding()
    ) throws(RequestSerializationError) {
        for (name, value) in try encoding.pairs(of: parameters) {
            appendPart(formData: encoding.content(of: value), name: name)
        }
    }

    /// Appends a field for each scalar in encoded parameters, as if they were ``Parameters``.
    ///
    /// - Parameters:
    ///   - parameters: What is encoded as a dictionary; nil appends nothing.
    ///   - encoding: How names and values are written.
    /// - Throws: A ``RequestSerializationError`` that names the parameter which cannot be sent, and
    ///   whatever the parameters' own encoding throws.
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
    /// The content of a field.
    fileprivate func content(of value: ParameterValue) -> Data {
        switch value {
        case .data(let data): data
        case .bool(let value) where booleans == .literal: Data((value ? "true" : "false").utf8)
        case .null where nulls == .null: Data("null".utf8)
        default: Data((value.text ?? "").utf8)
        }
    }
}
