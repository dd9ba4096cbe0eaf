import Foundation

/// An encoder that encodes a value into a ``ParameterTree``.
///
/// The same content gives the same bytes, whether it is passed as a dictionary or an encodable
/// value. ``ParameterWalk`` handles the differences between formats.
struct ParameterTreeEncoder: Encoder {
    let codingPath: [any CodingKey]
    let node: ParameterNode
    let state: State
    /// The number of enclosing encoders, including those of subclasses.
    var depth = 0

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The state that all encoders of one value share, on one thread.
    final class State {
        /// The first failure in a function that cannot throw.
        var failure: RequestSerializationError?
        /// The number of nested `encode(to:)` calls.
        var calls = 0
        let options: Options

        init(_ options: Options) { self.options = options }
    }

    /// Options that differ between formats.
    struct Options {
        /// Whether nil properties are encoded as null, although synthesized conformances skip them.
        var keepsNil = false
        /// Whether inherited members are encoded beside those of the subclass, not under `super`.
        var inheritsInPlace = false
        /// Whether a dictionary can have keys of type `Int`.
        var acceptsIntegerKeys = false
    }

    /// The maximum number of nested `encode(to:)` calls, which stops endless recursion.
    static let maximumCalls = 4 * ParameterWalk.maximumDepth

    /// Returns the tree that a value encodes, which is null for nil.
    ///
    /// - Throws: A ``RequestSerializationError`` that names the place, or an error from the value's
    ///   own `encode(to:)`.
    static func tree(
        of value: some Encodable, options: Options = Options()
    ) throws -> ParameterTree {
        let encoder = ParameterTreeEncoder(
            codingPath: [], node: ParameterNode(), state: State(options))
        do {
            try encoder.encode(value)
        } catch EncodingError.invalidValue(_, let context) {
            throw error(context.debugDescription, at: context.codingPath)
        }
        return encoder.node.tree
    }

    /// Encodes a value into the node.
    func encode(_ value: some Encodable) throws {
        if let failure = state.failure { throw failure }
        if let scalar = (value as? any ScalarParameter)?.scalar {
            if let objection = scalar.objection { throw Self.error(objection, at: codingPath) }
            if node.isOccupied(against: .scalar) { throw Self.contradiction(at: codingPath) }
            return node.set(.value(scalar))
        }
        if let parameters = value as? Parameters {
            let room = ParameterWalk.maximumDepth - depth
            if parameters.tree.isDeeper(than: room) {
                throw Self.error(RequestSerializationError.nestedTooDeep.reason, at: codingPath)
            }
            return node.set(parameters.tree)
        }
        if let set = value as? any EncodableSet { return try set.encodeMembers(into: self) }
        let dictionary = value as? any EncodableDictionary
        if let dictionary, !accepts(dictionary) {
            let reason = "\(type(of: value)) is not supported; keys must be strings"
            throw Self.error(reason, at: codingPath)
        }
        guard state.calls < Self.maximumCalls else {
            let reason = "encode(to:) calls itself more than \(Self.maximumCalls) levels deep"
            throw Self.error(reason, at: codingPath)
        }
        state.calls += 1
        defer { state.calls -= 1 }
        try value.encode(to: self)
        if let failure = state.failure { throw failure }
        if dictionary != nil { node.open(.pairs) }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        open(.members)
        return KeyedEncodingContainer(KeyedContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(.elements)
        return UnkeyedContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueContainer(encoder: self)
    }

    /// Returns the encoder of an inner value.
    func inner(_ key: any CodingKey, _ node: ParameterNode) -> ParameterTreeEncoder {
        ParameterTreeEncoder(
            codingPath: codingPath + [key], node: node, state: state, depth: depth + 1)
    }

    /// Returns the encoder of inherited members, in the container of the subclass.
    func inherited() -> ParameterTreeEncoder {
        ParameterTreeEncoder(codingPath: codingPath, node: node, state: state, depth: depth + 1)
    }

    private func accepts(_ dictionary: any EncodableDictionary) -> Bool {
        type(of: dictionary).hasStringKeys
            || type(of: dictionary).hasIntegerKeys && state.options.acceptsIntegerKeys
    }

    /// Prepares the node for inner values, and records a failure if they are nested too deeply or
    /// contradict its content.
    func open(_ kind: ParameterNode.Kind) {
        if depth >= ParameterWalk.maximumDepth, state.failure == nil {
            let reason = "values are nested more than \(ParameterWalk.maximumDepth) levels deep"
            state.failure = Self.error(reason, at: codingPath)
        }
        if node.isOccupied(against: kind), state.failure == nil {
            state.failure = Self.contradiction(at: codingPath)
        }
        node.open(kind)
    }

    private static func contradiction(at codingPath: [any CodingKey]) -> RequestSerializationError {
        error(
            "encode(to:) mixes keyed, unkeyed and single-value containers for one value",
            at: codingPath)
    }

    private static func error(
        _ reason: String,
        at codingPath: [any CodingKey]
    ) -> RequestSerializationError {
        let path = ParameterPath(
            steps: codingPath.map { key in
                (key as? IndexKey).map { .index($0.index) } ?? .key(key.stringValue)
            }
        )
        return RequestSerializationError(keyPath: path.text, reason: reason)
    }
}
