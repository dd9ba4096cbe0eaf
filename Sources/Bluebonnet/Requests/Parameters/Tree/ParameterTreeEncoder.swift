import Foundation

/// An encoder that encodes a value into a ``ParameterTree``.
///
/// The same content gives the same bytes, whether it is passed as a dictionary or an encodable
/// value. ``ParameterWalk`` handles the differences between formats.
package struct ParameterTreeEncoder: Encoder {
    package let codingPath: [any CodingKey]
    let node: ParameterNode
    let state: State
    /// The number of enclosing encoders, including those of subclasses.
    var depth = 0

    package var userInfo: [CodingUserInfoKey: Any] { [:] }

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
    package struct Options {
        /// Whether nil properties are encoded as null, although synthesized conformances skip them.
        var keepsNil: Bool
        /// Whether inherited members are encoded beside those of the subclass, not under `super`.
        var inheritsInPlace: Bool
        /// Whether a second container of a key replaces the first, instead of adding to it.
        var replacesContainers: Bool

        package init(
            keepsNil: Bool = false, inheritsInPlace: Bool = false, replacesContainers: Bool = false
        ) {
            self.keepsNil = keepsNil
            self.inheritsInPlace = inheritsInPlace
            self.replacesContainers = replacesContainers
        }
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

    /// Encodes a value into the node, which stays as it was if that fails.
    func encode(_ value: some Encodable) throws {
        if let scalar = (value as? any ScalarParameter)?.scalar {
            if let objection = scalar.objection { throw error(objection) }
            return try set(.value(scalar))
        }
        if let parameters = value as? Parameters {
            let room = ParameterWalk.maximumDepth - depth
            if parameters.tree.isDeeper(than: room) {
                throw error(RequestSerializationError.nestedTooDeep.reason)
            }
            return try set(parameters.tree)
        }
        try check()
        let former = node.content
        do {
            try encodeContent(of: value)
            try check()
        } catch {
            node.content = former
            throw error
        }
    }

    private func encodeContent(of value: some Encodable) throws {
        if let contents = value as? any EncodableContents {
            return try contents.encodeContents(into: self)
        }
        if value is any EncodableDictionary {
            throw error(RequestSerializationError.foreignKeys(of: type(of: value)).reason)
        }
        guard state.calls < Self.maximumCalls else {
            throw error("encode(to:) calls itself more than \(Self.maximumCalls) levels deep")
        }
        state.calls += 1
        defer { state.calls -= 1 }
        try value.encode(to: self)
    }

    /// Sets a scalar or a finished tree as the content of the node.
    func set(_ scalar: ParameterTree) throws {
        try check()
        if node.isOccupied(against: .scalar) { throw contradiction }
        node.set(scalar)
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        open(.members)
        return KeyedEncodingContainer(KeyedContainer<Key>(encoder: self))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(.elements)
        return UnkeyedContainer(encoder: self)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer {
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

    /// Prepares the node for inner values, and records a failure if they are nested too deeply or
    /// contradict its content.
    func open(_ kind: ParameterNode.Kind) {
        if depth >= ParameterWalk.maximumDepth {
            fail(error(RequestSerializationError.nestedTooDeep.reason))
        }
        if node.isOccupied(against: kind) { fail(contradiction) }
        node.open(kind)
    }

    /// Records a failure in a function that cannot throw; the first one fails the encoding.
    func fail(_ error: RequestSerializationError) { state.failure = state.failure ?? error }

    /// Throws the recorded failure, if there is one.
    private func check() throws(RequestSerializationError) {
        if let failure = state.failure { throw failure }
    }

    /// Throws an error if a container of the kind cannot be used now.
    func check(_ kind: ParameterNode.Kind) throws(RequestSerializationError) {
        try check()
        // Another container of the same value can have replaced it while it was empty.
        guard node.content.kind.canHold(kind) else { throw contradiction }
    }

    /// Records a failure if a container of the kind cannot be used now.
    func requireOpen(_ kind: ParameterNode.Kind) {
        do throws(RequestSerializationError) { try check(kind) } catch { fail(error) }
    }

    private var contradiction: RequestSerializationError {
        error("encode(to:) mixes keyed, unkeyed and single-value containers for one value")
    }

    /// Returns an error with the path to the value.
    func error(_ reason: String) -> RequestSerializationError { Self.error(reason, at: codingPath) }

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
