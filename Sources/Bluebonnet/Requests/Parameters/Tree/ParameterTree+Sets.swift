extension ParameterTree {
    /// Returns the tree with each outermost set replaced by an array.
    package func mapSets(
        _ transform: ([ParameterTree]) throws -> [ParameterTree]
    ) rethrows -> ParameterTree {
        switch self {
        case .value, .invalid: self
        case .set(let elements): .array(try transform(elements))
        case .array(let elements): .array(try elements.map { try $0.mapSets(transform) })
        case .dictionary(let members): .dictionary(try members.mapSets(transform))
        case .object(let members): .object(try members.mapSets(transform))
        }
    }
}

extension ParameterMembers {
    fileprivate func mapSets(
        _ transform: ([ParameterTree]) throws -> [ParameterTree]
    ) rethrows -> ParameterMembers {
        var mapped = ParameterMembers()
        for (name, value) in inOrder { mapped[name] = try value.mapSets(transform) }
        return mapped
    }
}
