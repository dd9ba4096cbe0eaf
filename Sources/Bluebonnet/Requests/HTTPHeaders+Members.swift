import BluebonnetTransport

// Alamofire's members, which keep one field per name.
extension HTTPHeaders {
    /// Sets the value of a name.
    ///
    /// The first field with the name is replaced, including its spelling, and other fields with the
    /// name are removed. If there is none, the field is appended.
    ///
    /// - Parameters:
    ///   - name: The name, sent as it is spelled here.
    ///   - value: The new value.
    public mutating func update(name: String, value: String) { self[name] = value }

    /// Sets a field.
    ///
    /// The first field with the same name is replaced, and other fields with the name are removed.
    /// If there is none, the field is appended.
    ///
    /// - Parameter field: The new field.
    public mutating func update(_ field: Field) { self[field.name] = field.value }

    /// Sets the value of a name, as ``update(name:value:)`` does.
    @available(*, deprecated, renamed: "update(name:value:)", message: "it replaces the old value")
    public mutating func add(name: String, value: String) { update(name: name, value: value) }

    /// Sets a field, as ``update(_:)`` does.
    ///
    /// - Parameter field: The new field.
    @available(*, deprecated, renamed: "update(_:)", message: "it replaces the old field")
    public mutating func add(_ field: Field) { update(field) }

    /// Removes all fields with a name.
    public mutating func remove(name: String) { remove(name) }

    /// Returns the fields sorted by name, as by ``sort()``.
    public func sorted() -> HTTPHeaders {
        var headers = self
        headers.sort()
        return headers
    }

    /// Returns the first value of a name, or nil if the name does not exist.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The value.
    public func value(for name: String) -> String? { self[name] }

    /// The values by name, in the spelling of the name's first field.
    ///
    /// The values of a repeated name are joined by commas (RFC 9110 section 5.3).
    public var dictionary: [String: String] {
        var names: [String: String] = [:]
        return fields.reduce(into: [:]) { dictionary, field in
            let name = names[field.name.lowercased()] ?? field.name
            names[field.name.lowercased()] = name
            dictionary[name] = dictionary[name].map { "\($0), \(field.value)" } ?? field.value
        }
    }
}

extension HTTPHeaders: ExpressibleByArrayLiteral {
    /// Creates headers from fields.
    ///
    /// If a name repeats, its last value takes the position of the first.
    ///
    /// - Parameter elements: The fields, such as `.accept("application/json")`.
    public init(arrayLiteral elements: Field...) {
        self.init()
        for field in elements { update(field) }
    }
}
