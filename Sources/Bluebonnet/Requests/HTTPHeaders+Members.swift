import BluebonnetTransport

// Alamofire's members, which keep one field a name.
extension HTTPHeaders {
    /// The fields that every request has unless the configuration says otherwise: ``sessionDefault``.
    public static var `default`: HTTPHeaders { .sessionDefault }

    /// Sets the value of a name, in the place of its first field and with this spelling of the name, or at
    /// the end; further fields of the name are removed.
    public mutating func update(name: String, value: String) {
        update(Field(name: name, value: value))
    }

    /// Sets a field, in the place of the first of its name or at the end; further fields of the name are
    /// removed.
    public mutating func update(_ field: Field) {
        guard let place = fields.firstIndex(where: { $0.name.caseInsensitiveEquals(field.name) })
        else { return add(field.name, field.value) }
        let kept = fields[(place + 1)...].filter { !$0.name.caseInsensitiveEquals(field.name) }
        self = HTTPHeaders(fields[..<place] + [field] + kept)
    }

    /// Sets the value of a name, as ``update(name:value:)``.
    @available(*, deprecated, renamed: "update(name:value:)", message: "it replaces what is there")
    public mutating func add(name: String, value: String) { update(name: name, value: value) }

    /// Sets a field, as ``update(_:)``.
    @available(*, deprecated, renamed: "update(_:)", message: "it replaces what is there")
    public mutating func add(_ field: Field) { update(field) }

    /// Removes every field of a name.
    public mutating func remove(name: String) { remove(name) }

    /// Puts the fields in the order of their names, regardless of case; those of one name keep theirs.
    public mutating func sort() { self = sorted() }

    /// The fields in the order of their names, regardless of case; those of one name keep theirs.
    public func sorted() -> HTTPHeaders {
        let places = fields.enumerated().sorted { left, right in
            let (first, second) = (left.element.name.lowercased(), right.element.name.lowercased())
            return first == second ? left.offset < right.offset : first < second
        }
        return HTTPHeaders(places.map(\.element))
    }

    /// The first value of a name.
    public func value(for name: String) -> String? { self[name] }

    /// The values by name, as first spelled; those of a name that repeats are joined by a comma
    /// (RFC 9110 section 5.3).
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
    /// Makes headers of fields; where a name repeats, its last value is in its first place.
    public init(arrayLiteral elements: Field...) {
        self.init()
        for field in elements { update(field) }
    }
}
