public import BluebonnetTransport

/// An ordered list of header fields, whose names are case-insensitive and can repeat.
public struct HTTPHeaders: Sendable {
    /// One header field.
    public typealias Field = Exchange.Field

    /// The fields in order.
    public private(set) var fields: [Field]
    /// Whether these are the default fields and changes to them, so that a missing default field
    /// has been removed.
    private(set) var includesDefaults = false

    /// Creates headers from fields in order, including repeated names.
    ///
    /// - Parameter fields: The fields. The default is none.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Creates headers from a dictionary, sorted by name.
    ///
    /// - Parameter dictionary: The values by name.
    public init(_ dictionary: [String: String]) {
        fields = dictionary.sorted { $0.key < $1.key }.map { Field(name: $0.key, value: $0.value) }
    }

    /// The first value of a name.
    ///
    /// Setting a value replaces all fields with the name, including its spelling. Setting nil
    /// removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.caseInsensitiveEquals(name) }?.value }
        set {
            guard let newValue else { return remove(name) }
            guard let place = fields.firstIndex(where: { $0.name.caseInsensitiveEquals(name) })
            else { return add(name, newValue) }
            fields[place] = Field(name: name, value: newValue)
            var seen = 0
            fields.removeAll { field in
                guard field.name.caseInsensitiveEquals(name) else { return false }
                seen += 1
                return seen > 1
            }
        }
    }

    /// Returns all values of a name, in order.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The values; empty if there is no such field.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.caseInsensitiveEquals(name) }.map(\.value)
    }

    /// Appends a field, even if its name already exists.
    ///
    /// - Parameters:
    ///   - name: The name, sent as it is spelled here.
    ///   - value: The value.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes all fields with a name.
    ///
    /// - Parameter name: The name, in any case.
    public mutating func remove(_ name: String) {
        fields.removeAll { $0.name.caseInsensitiveEquals(name) }
    }

    /// Returns whether a field with the name exists.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: Whether there is at least one.
    public func contains(_ name: String) -> Bool {
        fields.contains { $0.name.caseInsensitiveEquals(name) }
    }

    /// Sorts the fields by name, ignoring case; fields with the same name keep their order.
    public mutating func sort() {
        let keyed = fields.enumerated().map { (key: $1.name.lowercased(), place: $0, field: $1) }
        fields = keyed.sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map(\.field)
    }

    /// Appends the fields with the names of default fields that `former` has and these lack, unless
    /// they were removed here.
    mutating func addDefaults(of former: HTTPHeaders) {
        guard !includesDefaults else { return }
        let names = Self.defaultFields.map(\.name).filter { !contains($0) }
        fields += former.fields.filter { field in
            names.contains { $0.caseInsensitiveEquals(field.name) }
        }
        includesDefaults = true
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The fields in order, each in a line of its own, with `<redacted>` in place of secret values.
    ///
    /// A value is secret if its name is `Authorization`, `Cookie` or `Set-Cookie`, or contains a
    /// word such as "token", "secret", "session" or "key". URLs are shown without user, query and
    /// fragment.
    public var description: String {
        fields.map(\.description).joined(separator: "\n")
    }

    /// The fields, redacted as in ``description``.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields) }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from the pairs of a literal in order, including repeated names.
    ///
    /// - Parameter elements: The names and values.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}

extension HTTPHeaders: Equatable {
    /// Returns whether both have the same fields in the same order, ignoring the case of names.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.elementsEqual(right.fields) {
            $0.name.caseInsensitiveEquals($1.name) && $0.value == $1.value
        }
    }
}
