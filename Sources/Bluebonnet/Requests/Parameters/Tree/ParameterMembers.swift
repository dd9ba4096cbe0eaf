/// The names and values of a dictionary, in the order in which the names were first set.
package struct ParameterMembers: Sendable {
    typealias Member = (key: String, value: ParameterTree)

    private(set) var names: [String] = []
    private var values: [String: ParameterTree] = [:]

    init() {}

    /// Creates members from a dictionary, sorted by name because a dictionary has no order.
    package init(_ dictionary: [String: ParameterTree]) {
        names = dictionary.keys.sorted()
        values = dictionary
    }

    var isEmpty: Bool { values.isEmpty }
    var count: Int { values.count }

    subscript(name: String) -> ParameterTree? {
        get { values[name] }
        set {
            let former = values[name] != nil
            values[name] = newValue
            if newValue == nil, former { names.removeAll { $0 == name } }
            if newValue != nil, !former { names.append(name) }
        }
    }

    /// The members in the order in which their names were set.
    var inOrder: [Member] { names.compactMap { name in values[name].map { (name, $0) } } }

    /// The members sorted by name.
    var sorted: [Member] { values.sorted { $0.key < $1.key } }

    /// Returns members with transformed values, in the same order.
    package func mapValues(
        _ transform: (ParameterTree) throws -> ParameterTree
    ) rethrows -> ParameterMembers {
        var mapped = self
        // In order, so that the first error is the same in every process.
        for (name, value) in inOrder { mapped.values[name] = try transform(value) }
        return mapped
    }

    /// Returns the transformed values, without those for which the closure returns nil.
    func compactMapValues<Value>(_ transform: (ParameterTree) -> Value?) -> [String: Value] {
        values.compactMapValues(transform)
    }
}
