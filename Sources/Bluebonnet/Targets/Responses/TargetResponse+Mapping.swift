public import Foundation

extension TargetResponse {
    /// The body as plain values, as ``JSONResponseSerializer`` reads them; fragments are allowed.
    ///
    /// - Parameter failsOnEmptyData: Whether an empty body is an error, rather than `NSNull`; default true.
    /// - Returns: The value.
    /// - Throws: ``TargetError/jsonMapping(_:)`` for what is no JSON.
    public func mapJSON(failsOnEmptyData: Bool = true) throws(TargetError) -> any Sendable {
        if data.isEmpty, !failsOnEmptyData { return NSNull() }
        let serializer = JSONResponseSerializer(
            acceptableStatusCodes: nil, acceptableContentTypes: nil, allowsFragments: true)
        guard let value = try? serializer.serialize(data, head: nil) else {
            throw .jsonMapping(self)
        }
        return value
    }

    /// The body as a text in UTF-8, or the text at a key path of JSON.
    ///
    /// - Parameter keyPath: Names joined by dots, and the numbers of elements, such as `repos.0.name`; nil, the default,
    ///   for the whole body.
    /// - Returns: The text; empty for an empty body.
    /// - Throws: ``TargetError/stringMapping(_:)`` for what is no text.
    public func mapString(atKeyPath keyPath: String? = nil) throws(TargetError) -> String {
        guard let keyPath else {
            guard let text = String(validating: data, as: UTF8.self) else {
                throw .stringMapping(self)
            }
            return text
        }
        guard let document = try? checkedJSON(),
            let value = JSONKeyPath(keyPath).text(in: document),
            let text = try? JSONDecoder().decode(String.self, from: value)
        else { throw .stringMapping(self) }
        return text
    }

    /// The body as a type, or what is at a key path of it.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - keyPath: Names joined by dots, and the numbers of elements, such as `repos.0.name`; nil, the default, for the
    ///     whole body. Key strategies of the decoder do not change it.
    ///   - decoder: The decoder; default `JSONDecoder()`.
    ///   - failsOnEmptyData: Whether an empty body is an error, rather than an empty object, or an array of one; default
    ///     true.
    /// - Returns: The value.
    /// - Throws: ``TargetError/objectMapping(_:_:)`` for JSON of something else, ``TargetError/jsonMapping(_:)`` where
    ///   there is nothing at the key path.
    public func map<D: Decodable>(
        _ type: D.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) throws(TargetError) -> D {
        if data.isEmpty, !failsOnEmptyData {
            for stand in ["{}", "[{}]"] {
                if let value = try? decoder.decode(type, from: Data(stand.utf8)) { return value }
            }
        }
        do {
            guard let keyPath else {
                return try TypedJSONReader(decoder).value(type, of: JSONText(data))
            }
            guard let document = try? checkedJSON(),
                let value = JSONKeyPath(keyPath).text(in: document)
            else { throw TargetError.jsonMapping(self) }
            return try TypedJSONReader(decoder).value(type, of: JSONText(value))
        } catch let error as TargetError {
            throw error
        } catch {
            throw .objectMapping(error, self)
        }
    }

    /// The body in UTF-8, if its syntax is that of JSON.
    private func checkedJSON() throws -> Data {
        let text = try JSONText(data)
        if !data.isEmpty { try text.checkSyntax(maximumDepth: TypedJSONReader.maximumDepth) }
        return text.data
    }
}
