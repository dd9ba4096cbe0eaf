import Foundation

/// A reader that copies values of any type into a ``ParameterTree``.
package struct ParameterReader {
    /// The number of arrays, sets and dictionaries that contain the value.
    var depth: Int

    package init(depth: Int = 0) { self.depth = depth }

    package func tree(of input: Any?) -> ParameterTree {
        guard let input = input.flatMap(Self.unwrapped) else { return .value(.null) }
        if let scalar = ParameterValue(scalar: input) {
            guard let objection = scalar.objection else { return .value(scalar) }
            return .invalid(RequestSerializationError(reason: objection))
        }
        // Checked before the casts below, which convert whole containers to objects.
        if let parameters = input as? Parameters {
            let room = ParameterWalk.maximumDepth - depth
            return parameters.tree.isDeeper(than: room) ? .invalid(.nestedTooDeep) : parameters.tree
        }
        return container(input)
    }

    private func container(_ input: Any) -> ParameterTree {
        guard depth < ParameterWalk.maximumDepth else { return .invalid(.nestedTooDeep) }
        var inner = self
        inner.depth += 1
        if let elements = input as? [Any] { return .array(elements.map(inner.tree)) }
        if let pairs = input as? [String: Any] {
            return .dictionary(ParameterMembers(pairs.mapValues(inner.tree)))
        }
        if let members = input as? Set<AnyHashable> {
            return .set(members.map { inner.tree(of: $0.base) })
        }
        if let pairs = input as? [AnyHashable: Any] {
            return inner.dictionary(pairs, of: type(of: input))
        }
        if let value = input as? any Encodable { return encoded(value) }
        if let elements = input as? any Sequence { return inner.array(elements) }
        let reason =
            "\(type(of: input)) is not supported; convert it to another type, or make it Encodable"
        return .invalid(RequestSerializationError(reason: reason))
    }

    private func dictionary(_ pairs: [AnyHashable: Any], of type: any Any.Type) -> ParameterTree {
        var members: [String: ParameterTree] = [:]
        for (key, value) in pairs {
            guard let key = key.base as? any CodingKeyRepresentable else {
                return .invalid(.foreignKeys(of: type))
            }
            let name = key.codingKey.stringValue
            guard members.updateValue(tree(of: value), forKey: name) == nil else {
                return .invalid(.equalKeys(name))
            }
        }
        return .dictionary(ParameterMembers(members))
    }

    /// The number of elements after which a sequence that is no collection is considered infinite.
    private static let maximumIteration = 1_000_000

    private func array(_ elements: some Sequence) -> ParameterTree {
        let limit = elements is any Collection ? Int.max : Self.maximumIteration
        var trees: [ParameterTree] = []
        for element in elements {
            guard trees.count < limit else {
                let reason = "the sequence has more than \(limit) elements; pass it as an array"
                return .invalid(RequestSerializationError(reason: reason))
            }
            trees.append(tree(of: element))
        }
        return .array(trees)
    }

    private func encoded(_ value: some Encodable) -> ParameterTree {
        do {
            return try ParameterTree(encoding: value)
        } catch let error as RequestSerializationError {
            return .invalid(error)
        } catch {
            return .invalid(RequestSerializationError(reason: "it could not be encoded: \(error)"))
        }
    }
}

extension RequestSerializationError {
    static let nestedTooDeep = RequestSerializationError(
        reason: "values are nested more than \(ParameterWalk.maximumDepth) levels deep")

    /// An error for a dictionary whose keys are not encoded as strings.
    static func foreignKeys(of type: any Any.Type) -> RequestSerializationError {
        RequestSerializationError(
            reason: "\(type) is not supported; keys must be strings, Int or CodingKeyRepresentable")
    }

    /// An error for a dictionary or an object with two members of the same name.
    static func equalKeys(_ name: String) -> RequestSerializationError {
        RequestSerializationError(reason: "two of its keys are both spelled \(name.quoted)")
    }
}

extension ParameterReader {
    /// Returns the value inside any number of optionals; nil for nil and for `NSNull`.
    private static func unwrapped(_ input: Any) -> Any? {
        var input = input
        while let optional = input as? any OptionalValue {
            guard let wrapped = optional.wrappedValue else { return nil }
            input = wrapped
        }
        // The cast `input is NSNull` would convert a whole array to objects, with unlimited
        // recursion.
        return type(of: input) is NSNull.Type ? nil : input
    }
}

/// An `Optional` of any type.
private protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrappedValue: Any? { map { $0 } }
}
