import Foundation

/// The parameters of a request by name.
///
/// A literal accepts variables, nil, nested arrays and dictionaries, and `Encodable` values:
///
/// ```swift
/// let draft: Bool? = nil
/// let parameters: Parameters = [
///     "page": 1, "ids": [3, 1, 2], "draft": draft,
///     "filter": ["tags": ["a", nil], "since": Date()], "author": User(name: "Ann"),
/// ]
/// try await api.post("posts", parameters: parameters)
/// ```
///
/// Values can be strings, numbers, `Bool`, `Date`, `Data`, `URL`, `UUID`, `NSNull`, optionals of
/// these, arrays, sets, dictionaries and values of `Encodable` types. Any other sequence of values,
/// such as a slice or the keys of a dictionary, is an array of its elements in their order. Values
/// are copied when they are added, so later changes to them have no effect. The
/// ``RequestSerializer`` determines how each value is written.
///
/// A value that cannot be sent, such as `Double.nan`, fails the request with a
/// ``RequestSerializationError`` that names its place, such as `filter.tags[2]`.
public struct Parameters: Sendable {
    /// A dictionary; for encoded parameters, an object or any other value.
    package var tree: ParameterTree

    package init(tree: ParameterTree) {
        self.tree = tree
    }

    /// Creates empty parameters.
    public init() {
        self.init(tree: .dictionary(ParameterMembers()))
    }

    /// Creates parameters from a dictionary with `Sendable` values.
    public init(_ dictionary: [String: any Sendable]) {
        self.init(unchecked: dictionary)
    }

    /// Creates parameters from a dictionary with values of any type, such as those that
    /// `JSONSerialization` returns.
    ///
    /// - Throws: A ``RequestSerializationError`` with the key path of the first value that cannot
    ///   be sent.
    public init(untyped dictionary: [String: Any]) throws(RequestSerializationError) {
        self.init(unchecked: dictionary)
        if let fault = tree.fault() { throw fault }
    }

    /// Creates parameters from a dictionary; a value that cannot be sent fails the request.
    package init(unchecked dictionary: [String: Any]) {
        let members = ParameterMembers(dictionary.mapValues { ParameterTree(member: $0) })
        self.init(tree: .dictionary(members))
    }

    /// Creates parameters from an encodable value, usually its properties under their coding keys.
    ///
    /// A value that is encoded as an array can be the body of JSON or of a property list, but not a
    /// query.
    ///
    /// - Throws: An error from the value's own `encode(to:)`, or a ``RequestSerializationError``
    ///   with the key path of a value that cannot be sent.
    public init(encoding value: some Encodable) throws {
        self.init(tree: try ParameterTree(encoding: value))
    }

    /// Returns the parameters of an encodable value, or nil if the value is nil or encodes null.
    static func encoded(_ value: (any Encodable)?) throws -> Parameters? {
        guard let value else { return nil }
        let parameters = try Parameters(encoding: value)
        return parameters.tree.isNull ? nil : parameters
    }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters from names and values; a name that occurs twice fails the request.
    public init(dictionaryLiteral elements: (String, Any?)...) {
        var members = ParameterMembers()
        for (name, value) in elements {
            members[name] =
                members[name] == nil
                ? ParameterTree(member: value)
                : .invalid(RequestSerializationError(reason: "the name occurs twice"))
        }
        self.init(tree: .dictionary(members))
    }
}

extension Parameters: Sequence {
    /// The value of a name as a Swift type, or nil if the name does not exist.
    ///
    /// The type is `String`, `Bool`, `Int`, `Double`, `Decimal`, `Date`, `Data`, `NSNull`, or an
    /// array or dictionary of these. Integers beyond `Int` are `UInt` or `Int128`. Encoded objects
    /// are dictionaries. Setting nil removes the name, whereas `NSNull()` sends null.
    public subscript(name: String) -> Any? {
        get { tree.members?[name]?.object }
        set { setMember(name, to: newValue.map { ParameterTree(member: $0) }) }
    }

    /// Returns an iterator over names and values, sorted by name.
    public func makeIterator() -> AnyIterator<(key: String, value: any Sendable)> {
        var names = names.makeIterator()
        return AnyIterator {
            while let name = names.next() {
                if let value = tree.members?[name]?.object { return (name, value) }
            }
            return nil
        }
    }

    /// The names in ascending order.
    public var names: [String] { tree.members?.names.sorted() ?? [] }

    /// Whether there are no parameters.
    public var isEmpty: Bool {
        switch tree {
        case .array(let elements), .set(let elements): elements.isEmpty
        case .dictionary(let members), .object(let members): members.isEmpty
        case .value, .invalid: false
        }
    }

    /// Adds all values of other parameters, which replace existing values of the same names.
    public mutating func merge(_ other: Parameters) {
        guard let members = other.tree.members else {
            guard !other.isEmpty else { return }
            return tree = .invalid(.namelessMembers)
        }
        for (name, value) in members.inOrder { setMember(name, to: value) }
    }

    private mutating func setMember(_ name: String, to value: ParameterTree?) {
        switch tree {
        case .dictionary(var members):
            // Released before the change, which would otherwise copy the shared members.
            tree = .dictionary(ParameterMembers())
            members[name] = value
            tree = .dictionary(members)
        case .object(var members):
            tree = .object(ParameterMembers())
            members[name] = value
            tree = .object(members)
        case .invalid: break
        case .value, .array, .set:
            if isEmpty, let value { return tree = .dictionary(ParameterMembers([name: value])) }
            if value != nil { tree = .invalid(.namelessMembers) }
        }
    }
}

extension Parameters: Encodable {
    /// Encodes the parameters as a dictionary, or in their original form if they were encoded.
    public func encode(to encoder: any Encoder) throws {
        try tree.encode(to: encoder)
    }
}

extension Parameters: CustomStringConvertible, CustomReflectable {
    /// The names only, because values can be secret.
    public var description: String { "parameters \(names.joined(separator: ", "))" }

    /// The names only, because values can be secret.
    public var customMirror: Mirror { Mirror(self, children: ["names": names]) }
}

extension RequestSerializationError {
    fileprivate static let namelessMembers = RequestSerializationError(
        reason: "a name is set in parameters that are not a dictionary; create them from one")
}
