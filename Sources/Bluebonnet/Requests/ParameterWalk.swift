import Foundation

/// Turns parameters into a ``ParameterValue``, and names the place of the first that cannot be.
///
/// Dictionaries are walked in the order of their keys, so that the same parameters always give the
/// same error.
struct ParameterWalk {
    /// How many arrays, sets and dictionaries may lie in each other, the parameters included.
    static let maximumDepth = 128

    private let format: ParameterFormat
    private var path: [Step] = []
    private var depth = 0

    private enum Step {
        case key(String)
        case index(Int)
    }

    private init(_ format: ParameterFormat) {
        self.format = format
    }

    /// The parameters as a dictionary value that the format can hold.
    static func value(
        of parameters: Parameters,
        for format: ParameterFormat
    ) throws(RequestSerializationError) -> ParameterValue {
        var walk = ParameterWalk(format)
        return try walk.container { walk throws(RequestSerializationError) in
            try walk.dictionary(parameters)
        }
    }

    private mutating func value(_ input: Any) throws(RequestSerializationError) -> ParameterValue {
        guard let input = Self.unwrapped(input) else { return try checked(.null) }
        if let scalar = try scalar(input) { return try checked(scalar) }
        return try container { walk throws(RequestSerializationError) in
            if let elements = input as? [Any] { return try walk.array(elements) }
            if let pairs = input as? [String: Any] { return try walk.dictionary(pairs) }
            if let members = input as? Set<AnyHashable> { return try walk.set(members) }
            if input is [AnyHashable: Any] {
                throw walk.error("\(type(of: input)) is not supported; keys must be strings")
            }
            throw walk.error("\(type(of: input)) is not supported")
        }
    }

    private mutating func array(
        _ elements: [Any]
    ) throws(RequestSerializationError) -> ParameterValue {
        var values: [ParameterValue] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            path.append(.index(index))
            values.append(try value(element))
            path.removeLast()
        }
        return .array(values)
    }

    private mutating func dictionary(
        _ pairs: [String: Any]
    ) throws(RequestSerializationError) -> ParameterValue {
        var values: [(key: String, value: ParameterValue)] = []
        values.reserveCapacity(pairs.count)
        for (key, element) in pairs.sorted(by: { $0.key < $1.key }) {
            path.append(.key(key))
            _ = try checked(.string(key))
            values.append((key, try value(element)))
            path.removeLast()
        }
        return .dictionary(values)
    }

    private mutating func set(
        _ members: Set<AnyHashable>
    ) throws(RequestSerializationError) -> ParameterValue {
        _ = try checked(.set([]))
        var values: [ParameterValue] = []
        for member in members { values.append(try value(member.base)) }
        return .set(values)
    }

    private mutating func container(
        _ body: (inout ParameterWalk) throws(RequestSerializationError) -> ParameterValue
    ) throws(RequestSerializationError) -> ParameterValue {
        guard depth < Self.maximumDepth else {
            throw error("values are nested more than \(Self.maximumDepth) deep")
        }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private func checked(
        _ value: ParameterValue
    ) throws(RequestSerializationError) -> ParameterValue {
        if let objection = format.objection(to: value) { throw error(objection) }
        return value
    }

    private func scalar(_ input: Any) throws(RequestSerializationError) -> ParameterValue? {
        guard let value = ParameterValue(scalar: input) else { return nil }
        if let objection = value.objection { throw error(objection) }
        return value
    }

    private func error(_ reason: String) -> RequestSerializationError {
        var keyPath = ""
        for step in path {
            switch step {
            case .key(let key): keyPath += keyPath.isEmpty ? key : ".\(key)"
            case .index(let index): keyPath += "[\(index)]"
            }
        }
        return RequestSerializationError(keyPath: keyPath, reason: reason)
    }
}

extension ParameterWalk {
    /// The value inside of any number of optionals; nil for nil and for `NSNull`.
    private static func unwrapped(_ input: Any) -> Any? {
        var input = input
        while let optional = input as? any OptionalValue {
            guard let wrapped = optional.wrappedValue else { return nil }
            input = wrapped
        }
        // The cast `input is NSNull` would turn a whole array into objects to look at it, by a
        // recursion without a limit.
        return type(of: input) is NSNull.Type ? nil : input
    }
}

/// An `Optional` of whatever type.
private protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrappedValue: Any? { map { $0 } }
}
