/// A node of the tree that ``ParameterTreeEncoder`` builds; its content is set after its creation.
final class ParameterNode {
    enum Kind {
        case scalar
        case elements
        case unorderedElements
        case members
        /// Members whose keys are data.
        case pairs
    }

    /// The kind of the content; a value that encodes nothing is an empty dictionary.
    private var kind = Kind.members
    private var scalar = ParameterTree.value(.null)
    private var elements: [ParameterNode] = []
    private var members: [String: ParameterNode] = [:]
    /// The keys of the members in the order in which they were encoded.
    private var keys: [String] = []

    var elementCount: Int { elements.count }

    /// Returns whether the node has content that a value of the kind would hide.
    func isOccupied(against kind: Kind) -> Bool {
        switch kind {
        case .scalar: !elements.isEmpty || !keys.isEmpty
        case .elements, .unorderedElements: !keys.isEmpty
        case .members, .pairs: !elements.isEmpty
        }
    }

    func set(_ scalar: ParameterTree) {
        (kind, self.scalar) = (.scalar, scalar)
    }

    /// Prepares the node for content of a kind.
    ///
    /// Existing content is kept, because two containers can share the node.
    func open(_ kind: Kind) {
        self.kind = kind
    }

    /// Returns the node of a key, and creates it if necessary.
    func member(_ key: String) -> ParameterNode {
        if let member = members[key] { return member }
        let member = ParameterNode()
        members[key] = member
        keys.append(key)
        return member
    }

    /// Creates a node for a key, which replaces an existing one.
    func replaceMember(_ key: String) -> ParameterNode {
        let member = ParameterNode()
        if members.updateValue(member, forKey: key) == nil { keys.append(key) }
        return member
    }

    func addElement() -> ParameterNode {
        let element = ParameterNode()
        elements.append(element)
        return element
    }

    /// The tree of everything that was encoded.
    var tree: ParameterTree {
        switch kind {
        case .scalar: scalar
        case .elements: .array(elements.map(\.tree))
        case .unorderedElements: .set(elements.map(\.tree))
        case .members: .object(orderedMembers)
        // The order of a dictionary differs between processes.
        case .pairs: .dictionary(ParameterMembers(members.mapValues(\.tree)))
        }
    }

    private var orderedMembers: ParameterMembers {
        var ordered = ParameterMembers()
        for key in keys { ordered[key] = members[key]?.tree }
        return ordered
    }
}
