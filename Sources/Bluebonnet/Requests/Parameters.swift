import Foundation

/// Parameters of a request by name, with values of any type that can be sent.
///
/// A literal takes variables, nil, nested arrays and dictionaries, and whatever is `Encodable`:
///
/// ```swift
/// let draft: Bool? = nil
/// let parameters: Parameters = [
///     "page": 1, "ids": [3, 1, 2], "draft": draft,
///     "filter": ["tags": ["a", nil], "since": Date()], "author": User(name: "Ann"),
/// ]
/// api.post("posts", parameters: parameters)
/// ```
///
/// Values are copied when they are put in, so that what happens to them later changes nothing. They are
/// texts, numbers, `Bool`, `Date`, `Data`, `URL`, `UUID`, `NSNull`, optionals of these, arrays, sets and
/// dictionaries, and types that are `Encodable`. What cannot be sent, `Double.nan` for one, fails the
/// request with a ``RequestSerializationError`` that names its place, such as `filter.tags[2]`. How each
/// value is written is up to the ``RequestSerializer``.
public struct Parameters: Sendable {
    /// A dictionary as a rule, an object where they were encoded, or whatever else was.
    var tree: ParameterTree

    init(tree: ParameterTree) {
        self.tree = tree
    }

    /// Makes parameters of which there are none.
    public init() {
        self.init(tree: .dictionary(ParameterMembers()))
    }

    /// Makes parameters of a dictionary with values of known types.
    public init(_ dictionary: [String: any Sendable]) {
        let members = ParameterMembers(dictionary.mapValues { ParameterTree(member: $0) })
        self.init(tree: .dictionary(members))
    }

    /// Makes parameters of a dictionary with values of any type, such as what `JSONSerialization` reads.
    ///
    /// - Throws: An error with the key path of the first value that cannot be sent.
    public init(untyped dictionary: [String: Any]) throws(RequestSerializationError) {
        let members = ParameterMembers(dictionary.mapValues { ParameterTree(member: $0) })
        self.init(tree: .dictionary(members))
        // The query is the format that holds the most.
        _ = try ParameterWalk.value(of: self, for: .query)
    }

    /// Makes parameters of what a value encodes: as a rule, its properties under its coding keys.
    ///
    /// What is encoded as an array can be the body of JSON or of a property list, but no query.
    ///
    /// - Throws: What the value's own `encode(to:)` throws, or a ``RequestSerializationError`` with the key
    ///   path of what cannot be sent.
    public init(encoding value: some Encodable) throws {
        self.init(tree: try ParameterTree(encoding: value))
    }

    /// Makes parameters of what a value encodes, and none of nil.
    static func encoded(_ value: (any Encodable)?) throws -> Parameters? {
        guard let value else { return nil }
        let parameters = try Parameters(encoding: value)
        return parameters.tree.isNull ? nil : parameters
    }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Makes parameters of names and values; a name that is there twice fails the request.
    public init(dictionaryLiteral elements: (String, Any?)...) {
        var members = ParameterMembers()
        for (name, value) in elements {
            members[name] =
                members[name] == nil
                ? ParameterTree(member: value)
                : .invalid(RequestSerializationError(reason: "it is given twice"))
        }
        self.init(tree: .dictionary(members))
    }
}

extension Parameters: Sequence {
    /// The value of a name, as a type of Swift's own: `String`, `Bool`, `Int`, `Double`, `Decimal`, `Date`,
    /// `Data`, `NSNull`, an array or a dictionary of such.
    ///
    /// What was encoded is a dictionary. Nil is no value: setting it removes the name, where `NSNull()`
    /// sends null.
    public subscript(name: String) -> Any? {
        get { tree.members?[name]?.object }
        set { setMember(name, to: newValue.map { ParameterTree(member: $0) }) }
    }

    /// Names and values, in the order of the names.
    public func makeIterator() -> AnyIterator<(key: String, value: any Sendable)> {
        var names = names.makeIterator()
        return AnyIterator {
            while let name = names.next() {
                if let value = tree.members?[name]?.object { return (name, value) }
            }
            return nil
        }
    }

    /// The names, sorted.
    public var names: [String] { tree.members?.names.sorted() ?? [] }

    /// Whether there is nothing in them.
    public var isEmpty: Bool {
        switch tree {
        case .array(let elements), .set(let elements): elements.isEmpty
        case .dictionary(let members), .object(let members): members.isEmpty
        case .value, .invalid: false
        }
    }

    /// Takes over all of the others; where both have a name, the other's value counts.
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
            // Let go before the change, which would copy what two hold.
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
    /// Encodes a dictionary, whichever way they were made; what was encoded, as it was.
    public func encode(to encoder: any Encoder) throws {
        try tree.encode(to: encoder)
    }
}

extension Parameters: CustomStringConvertible, CustomReflectable {
    /// The names alone: values may be secret.
    public var description: String { "parameters \(names.joined(separator: ", "))" }

    /// The names alone: values may be secret.
    public var customMirror: Mirror { Mirror(self, children: ["names": names]) }
}

extension RequestSerializationError {
    fileprivate static let namelessMembers = RequestSerializationError(
        reason: "a name is set in parameters that are no dictionary; make them of one")
}
