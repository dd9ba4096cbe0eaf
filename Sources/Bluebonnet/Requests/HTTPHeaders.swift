public import BluebonnetTransport

/// Header fields in order; names are compared without regard to case, and may repeat.
public struct HTTPHeaders: Sendable {
    /// One header field.
    public typealias Field = Exchange.Field

    /// The fields in order.
    public private(set) var fields: [Field]

    /// Makes headers of fields in order, repeats included.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Makes headers of a dictionary, in the order of the names.
    public init(_ dictionary: [String: String]) {
        fields = dictionary.sorted { $0.key < $1.key }.map { Field(name: $0.key, value: $0.value) }
    }

    /// The first value of a name.
    ///
    /// Setting replaces every field of the name; nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.caseInsensitiveEquals(name) }?.value }
        set {
            guard let newValue else { return remove(name) }
            guard let place = fields.firstIndex(where: { $0.name.caseInsensitiveEquals(name) })
            else { return add(name, newValue) }
            fields[place].value = newValue
            var seen = 0
            fields.removeAll { field in
                guard field.name.caseInsensitiveEquals(name) else { return false }
                seen += 1
                return seen > 1
            }
        }
    }

    /// Every value of a name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.caseInsensitiveEquals(name) }.map(\.value)
    }

    /// Appends a field, whether or not its name is there already.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes every field of a name.
    public mutating func remove(_ name: String) {
        fields.removeAll { $0.name.caseInsensitiveEquals(name) }
    }

    /// Whether a field of that name is there.
    public func contains(_ name: String) -> Bool {
        fields.contains { $0.name.caseInsensitiveEquals(name) }
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The fields in order, with `<redacted>` for what their names say is secret.
    ///
    /// That is `Authorization`, `Cookie`, `Set-Cookie`, and any name with a word in it such as
    /// "token", "secret", "session" or "key". URLs are without user, query and fragment.
    public var description: String {
        "[\(fields.map(\.description).joined(separator: ", "))]"
    }

    /// The fields as in ``description``.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields) }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The place of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The place behind the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a place.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Makes headers of the literal's pairs, in their order; a name may repeat, and keeps each value.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}

extension HTTPHeaders: Equatable {
    /// Whether both hold the same fields in the same order; names may differ in case.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.elementsEqual(right.fields) {
            $0.name.caseInsensitiveEquals($1.name) && $0.value == $1.value
        }
    }
}
