/// A walk through parameters that converts them to a ``ParameterValue`` for a format.
///
/// It throws an error with the place of the first value that the format cannot represent.
/// Dictionaries are visited in the order of their keys, unless the style keeps another order, so
/// the same parameters always give the same error.
struct ParameterWalk {
    /// The maximum nesting of arrays, sets and dictionaries, including the parameters themselves.
    static let maximumDepth = 128

    private let format: ParameterFormat
    private let style: ParameterStyle
    private var path = ParameterPath()
    private var depth = 0

    private init(_ format: ParameterFormat, _ style: ParameterStyle) {
        (self.format, self.style) = (format, style)
    }

    /// Returns parameters as a dictionary, or as an array if the format supports it.
    static func value(
        of parameters: Parameters,
        for format: ParameterFormat,
        in style: ParameterStyle = ParameterStyle()
    ) throws(RequestSerializationError) -> ParameterValue {
        var walk = ParameterWalk(format, style)
        let root = try walk.value(parameters.tree)
        if let objection = format.objection(toRoot: root) { throw walk.error(objection) }
        return root
    }

    /// Returns the JSON value of a tree at a nesting depth; key paths in errors begin at the tree.
    static func value(
        of tree: ParameterTree, in style: ParameterStyle, depth: Int
    ) throws(RequestSerializationError) -> ParameterValue {
        var walk = ParameterWalk(.json, style)
        walk.depth = depth
        return try walk.value(tree)
    }

    private mutating func value(
        _ tree: ParameterTree
    ) throws(RequestSerializationError) -> ParameterValue {
        switch tree {
        case .value(let scalar): try checked(try style.written(scalar, error))
        case .array(let elements): try array(elements)
        case .set(let members): try set(members)
        case .dictionary(let members): try dictionary(members)
        case .object(let members): try dictionary(spelled(members))
        case .invalid(let error): throw error.moved(below: path.text)
        }
    }

    private mutating func array(
        _ elements: [ParameterTree]
    ) throws(RequestSerializationError) -> ParameterValue {
        try goDeeper()
        defer { depth -= 1 }
        var values: [ParameterValue] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            path.steps.append(.index(index))
            values.append(try value(element))
            path.steps.removeLast()
        }
        return .array(values)
    }

    private mutating func dictionary(
        _ members: ParameterMembers
    ) throws(RequestSerializationError) -> ParameterValue {
        try goDeeper()
        defer { depth -= 1 }
        var values: [(key: String, value: ParameterValue)] = []
        values.reserveCapacity(members.count)
        for (key, element) in style.sortsKeys ? members.sorted : members.inOrder {
            path.steps.append(.key(key))
            _ = try checked(.string(key))
            values.append((key, try value(element)))
            path.steps.removeLast()
        }
        return .dictionary(values)
    }

    /// Returns the members of an object, with their keys spelled according to the style.
    private func spelled(
        _ members: ParameterMembers
    ) throws(RequestSerializationError) -> ParameterMembers {
        guard style.respellsKeys else { return members }
        var spelled = ParameterMembers()
        for (key, member) in members.inOrder {
            let spelling = style.keys.spelling(of: key)
            guard spelled[spelling] == nil else {
                throw error(RequestSerializationError.equalKeys(spelling).reason)
            }
            spelled[spelling] = member
        }
        return spelled
    }

    private mutating func set(
        _ members: [ParameterTree]
    ) throws(RequestSerializationError) -> ParameterValue {
        _ = try checked(.set([]))
        try goDeeper()
        defer { depth -= 1 }
        var values: [ParameterValue] = []
        for member in members { values.append(try value(member)) }
        return .set(values)
    }

    private mutating func goDeeper() throws(RequestSerializationError) {
        guard depth < Self.maximumDepth else {
            throw RequestSerializationError.nestedTooDeep.moved(below: path.text)
        }
        depth += 1
    }

    private func checked(
        _ value: ParameterValue
    ) throws(RequestSerializationError) -> ParameterValue {
        if let objection = format.objection(to: value) { throw error(objection) }
        return value
    }

    private func error(_ reason: String) -> RequestSerializationError {
        RequestSerializationError(keyPath: path.text, reason: reason)
    }
}

/// The format of values that can be written in several ways.
struct ParameterStyle {
    /// The format of dates; nil if they stay dates, as in a property list.
    var dates: ParameterDateEncoding?
    var data = ParameterDataEncoding.base64
    /// The spelling of a type's coding keys.
    var keys = ParameterKeyEncoding.unchanged

    /// Whether dictionaries are sorted by key, or keep the order in which they were given.
    var sortsKeys = true

    /// Returns the value that is written for a scalar.
    func written(
        _ value: ParameterValue, _ error: (String) -> RequestSerializationError
    ) throws(RequestSerializationError) -> ParameterValue {
        if case .date(let date) = value, let objection = dates?.objection(to: date) {
            throw error(objection)
        }
        let written: ParameterValue
        do {
            switch value {
            case .date(let date): written = try dates?.value(of: date) ?? value
            case .data(let bytes): written = try data.value(of: bytes)
            default: return value
            }
        } catch let failure {
            throw error("it could not be encoded: \(failure)")
        }
        // The number of milliseconds until a finite date can be infinite.
        if let objection = written.objection { throw error(objection) }
        return written
    }

    var respellsKeys: Bool { if case .unchanged = keys { false } else { true } }
}

extension RequestSerializationError {
    /// Returns the error with its key path placed below another one.
    func moved(below place: String) -> RequestSerializationError {
        var error = self
        let isMember = !keyPath.isEmpty && !keyPath.hasPrefix("[")
        error.keyPath = place + (isMember && !place.isEmpty ? "." : "") + keyPath
        return error
    }
}
