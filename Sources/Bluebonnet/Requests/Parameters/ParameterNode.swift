import Foundation

/// A place in what ``ParameterEncoder`` encodes; it is filled after it was made.
final class ParameterNode {
    enum Kind {
        case scalar
        case elements
        case unorderedElements
        case members
    }

    /// A value that encodes nothing at all is an empty dictionary.
    private var kind = Kind.members
    private var scalar: any Sendable = NSNull()
    private var elements: [ParameterNode] = []
    private var members: [String: ParameterNode] = [:]

    var elementCount: Int { elements.count }

    func set(_ scalar: any Sendable) {
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
        return member
    }

    func addElement() -> ParameterNode {
        let element = ParameterNode()
        elements.append(element)
        return element
    }

    /// The value, when all was encoded.
    var value: any Sendable {
        switch kind {
        case .scalar: scalar
        case .elements: elements.map(\.value)
        case .unorderedElements: UnorderedParameters(members: elements.map(\.value))
        case .members: members.mapValues(\.value)
        }
    }
}
