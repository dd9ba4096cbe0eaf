/// A place in what ``ParameterTreeEncoder`` encodes; it is filled after it was made.
final class ParameterNode {
    enum Kind {
        case scalar
        case elements
        case unorderedElements
        case members
        /// Members whose keys are data.
        case pairs
    }

    /// A value that encodes nothing at all is an empty dictionary.
    private var kind = Kind.members
    private var scalar = ParameterTree.value(.null)
    private var elements: [ParameterNode] = []
    private var members: [String: ParameterNode] = [:]
    /// The keys of the members in the order in which they were encoded.
    private var keys: [String] = []

    var elementCount: Int { elements.count }

    /// Whether something was encoded here that a value of the kind would hide.
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

    /// Makes room for what is inside; what is there already stays, as two containers may share it.
    func open(_ kind: Kind) {
        self.kind = kind
    }

    /// The node of a key, which may be there already.
    func member(_ key: String) -> ParameterNode {
        if let member = members[key] { return member }
        let member = ParameterNode()
        members[key] = member
        keys.append(key)
        return member
    }

    /// A new node for a key, which replaces the one that may be there.
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

    /// What is there when all was encoded.
    var tree: ParameterTree {
        switch kind {
        case .scalar: scalar
        case .elements: .array(elements.map(\.tree))
        case .unorderedElements: .set(elements.map(\.tree))
        case .members: .object(orderedMembers)
        // The order of a dictionary is another in each process.
        case .pairs: .dictionary(ParameterMembers(members.mapValues(\.tree)))
        }
    }

    private var orderedMembers: ParameterMembers {
        var ordered = ParameterMembers()
        for key in keys { ordered[key] = members[key]?.tree }
        return ordered
    }
}
