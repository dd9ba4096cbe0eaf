/// A node of the tree that ``ParameterTreeEncoder`` builds; its content is set after its creation.
final class ParameterNode {
    enum Kind {
        /// No content; a value that encodes nothing is an empty dictionary.
        case nothing
        case scalar
        case elements
        case unorderedElements
        case members
        /// Members whose keys are data.
        case pairs

        /// Whether content of the other kind can be added to content of this kind.
        func canHold(_ other: Kind) -> Bool {
            switch (self, other) {
            case (.members, .members), (.members, .pairs), (.pairs, .members), (.pairs, .pairs),
                (.elements, .elements), (.elements, .unorderedElements),
                (.unorderedElements, .elements), (.unorderedElements, .unorderedElements):
                true
            default: false
            }
        }
    }

    /// What was encoded; the former content is restored if a value fails and its type continues.
    struct Content {
        fileprivate(set) var kind = Kind.nothing
        fileprivate var scalar = ParameterTree.value(.null)
        fileprivate(set) var elements: [ParameterNode] = []
        fileprivate var members: [String: ParameterNode] = [:]
        /// The keys of the members in the order in which they were first encoded.
        fileprivate var keys: [String] = []

        fileprivate init() {}
    }

    var content = Content()
    /// Whether the node belongs to a nested container or encoder, to which values can be added.
    private let isNested: Bool

    init(isNested: Bool = false) { self.isNested = isNested }

    /// Returns whether the node has content that a value of the kind would hide.
    func isOccupied(against kind: Kind) -> Bool {
        if kind != .scalar, content.kind == .scalar { return true }
        return !content.kind.canHold(kind) && !(content.elements.isEmpty && content.keys.isEmpty)
    }

    func set(_ scalar: ParameterTree) { (content.kind, content.scalar) = (.scalar, scalar) }

    /// Prepares the node for content of a kind.
    ///
    /// Existing content is kept, because two containers can share the node.
    func open(_ kind: Kind) { content.kind = kind }

    /// Sets the node of a key, which replaces an existing one.
    func setMember(_ key: String, _ member: ParameterNode) {
        if content.members.updateValue(member, forKey: key) == nil { content.keys.append(key) }
    }

    /// Returns the node of a nested container for a key.
    ///
    /// An earlier container of the same kind is shared. Everything else is replaced.
    func nestedMember(_ key: String, sharing kind: Kind?) -> ParameterNode {
        if let kind, let former = content.members[key], former.isNested,
            former.content.kind.canHold(kind)
        {
            return former
        }
        let member = ParameterNode(isNested: true)
        setMember(key, member)
        return member
    }

    func add(_ element: ParameterNode) { content.elements.append(element) }

    /// The tree of everything that was encoded.
    var tree: ParameterTree {
        switch content.kind {
        case .nothing: .object(ParameterMembers())
        case .scalar: content.scalar
        case .elements: .array(content.elements.map(\.tree))
        case .unorderedElements: .set(content.elements.map(\.tree))
        case .members: .object(orderedMembers)
        // The order of a dictionary differs between processes.
        case .pairs: .dictionary(ParameterMembers(content.members.mapValues(\.tree)))
        }
    }

    private var orderedMembers: ParameterMembers {
        var ordered = ParameterMembers()
        for key in content.keys { ordered[key] = content.members[key]?.tree }
        return ordered
    }
}
