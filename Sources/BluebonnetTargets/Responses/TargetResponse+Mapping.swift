public import BluebonnetChain

extension TargetResponse {
    /// Returns the body as plain values, as ``/Bluebonnet/JSONResponseSerializer`` reads them;
    /// fragments are allowed.
    ///
    /// - Parameter failsOnEmptyData: Whether an empty body is an error instead of `NSNull`; true by
    ///   default.
    /// - Returns: The value.
    /// - Throws: ``TargetError/jsonMapping(_:)`` if the body is not JSON.
    public func mapJSON(failsOnEmptyData: Bool = true) throws(TargetError) -> any Sendable {
        if data.isEmpty, !failsOnEmptyData { return NSNull() }
        let serializer = JSONResponseSerializer(
            acceptableStatusCodes: nil, acceptableContentTypes: nil, allowsFragments: true)
        guard let value = try? serializer.serialize(data, head: nil) else {
            throw .jsonMapping(self)
        }
        return value
    }

    /// Returns the body as UTF-8 text, or the string at a key path of a JSON body.
    ///
    /// - Parameter keyPath: Names and array indexes joined by dots, such as `repos.0.name`. If nil,
    ///   the default, the whole body is returned.
    /// - Returns: The text, which is empty for an empty body.
    /// - Throws: ``TargetError/stringMapping(_:)`` if there is no text.
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

    /// Decodes the body, or the value at a key path of it.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - keyPath: Names and array indexes joined by dots, such as `repos.0.name`. The decoder's
    ///     key strategies do not apply to it. If nil, the default, the whole body is decoded.
    ///   - decoder: The decoder; `JSONDecoder()` by default.
    ///   - failsOnEmptyData: Whether an empty body is an error. If false, it is decoded as an empty
    ///     object or as an array of one empty object. The default is true.
    /// - Returns: The value.
    /// - Throws: ``TargetError/objectMapping(_:_:)`` if the value cannot be decoded, or
    ///   ``TargetError/jsonMapping(_:)`` if there is no value at the key path.
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

    /// Returns the body in UTF-8; throws if it is neither empty nor valid JSON.
    private func checkedJSON() throws -> Data {
        let text = try JSONText(data)
        return try data.isEmpty ? data : text.checked(maximumDepth: TypedJSONReader.maximumDepth)
    }
}
