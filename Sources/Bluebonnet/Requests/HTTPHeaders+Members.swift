import BluebonnetTransport

// Alamofire's members, which keep one field per name.
extension HTTPHeaders {
    /// The fields that every request has unless the configuration changes them: ``sessionDefault``.
    public static var `default`: HTTPHeaders { .sessionDefault }

    /// Sets the value of a name.
    ///
    /// The first field with the name is replaced, including its spelling, and other fields with the
    /// name are removed. If there is none, the field is appended.
    public mutating func update(name: String, value: String) {
        update(Field(name: name, value: value))
    }

    /// Sets a field.
    ///
    /// The first field with the same name is replaced, and other fields with the name are removed.
    /// If there is none, the field is appended.
    public mutating func update(_ field: Field) {
        guard let place = fields.firstIndex(where: { $0.name.caseInsensitiveEquals(field.name) })
        else { return add(field.name, field.value) }
        let kept = fields[(place + 1)...].filter { !$0.name.caseInsensitiveEquals(field.name) }
        self = HTTPHeaders(fields[..<place] + [field] + kept)
    }

    /// Sets the value of a name, as ``update(name:value:)`` does.
    @available(*, deprecated, renamed: "update(name:value:)", message: "it replaces the old value")
    public mutating func add(name: String, value: String) { update(name: name, value: value) }

    /// Sets a field, as ``update(_:)`` does.
    @available(*, deprecated, renamed: "update(_:)", message: "it replaces the old field")
    public mutating func add(_ field: Field) { update(field) }

    /// Removes all fields with a name.
    public mutating func remove(name: String) { remove(name) }

    /// Sorts the fields by name, ignoring case; fields with the same name keep their order.
    public mutating func sort() { self = sorted() }

    /// Returns the fields sorted by name, as by ``sort()``.
    public func sorted() -> HTTPHeaders {
        let places = fields.enumerated().sorted { left, right in
            let (first, second) = (left.element.name.lowercased(), right.element.name.lowercased())
            return first == second ? left.offset < right.offset : first < second
        }
        return HTTPHeaders(places.map(\.element))
    }

    /// Returns the first value of a name, or nil if the name does not exist.
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
    public init(arrayLiteral elements: Field...) {
        self.init()
        for field in elements { update(field) }
    }
}
