import Foundation

/// Turns parameters into a ``ParameterValue``, and names the place of the first that cannot be.
///
/// Dictionaries are walked in the order of their keys, so that the same parameters always give the
/// same error.
struct ParameterWalk {
    /// How many arrays, sets and dictionaries may lie in each other, the parameters included.
    static let maximumDepth = 128

    private let format: ParameterFormat
    private let dates: ParameterDateEncoding
    private let data: ParameterDataEncoding
    private var path = ParameterPath()
    private var depth = 0

    private init(
        _ format: ParameterFormat,
        _ dates: ParameterDateEncoding,
        _ data: ParameterDataEncoding
    ) {
        (self.format, self.dates, self.data) = (format, dates, data)
    }

    /// The parameters as a dictionary, or as an array where the format has room for one.
    static func value(
        of parameters: any Sendable,
        for format: ParameterFormat,
        dates: ParameterDateEncoding = .iso8601,
        data: ParameterDataEncoding = .base64
    ) throws(RequestSerializationError) -> ParameterValue {
        var walk = ParameterWalk(format, dates, data)
        let root = try walk.value(parameters)
        if let objection = format.objection(toRoot: root) { throw walk.error(objection) }
        return root
    }

    private mutating func value(_ input: Any) throws(RequestSerializationError) -> ParameterValue {
        guard let input = Self.unwrapped(input) else { return try checked(.null) }
        if let scalar = try scalar(input) { return try checked(scalar) }
        return try container { walk throws(RequestSerializationError) in
            // First: the casts below make objects of whole containers.
            if let set = input as? UnorderedParameters { return try walk.set(set.members) }
            if let elements = input as? [Any] { return try walk.array(elements) }
            if let pairs = input as? [String: Any] { return try walk.dictionary(pairs) }
            if let members = input as? Set<AnyHashable> {
                return try walk.set(members.map(\.base))
            }
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
            path.steps.append(.index(index))
            values.append(try value(element))
            path.steps.removeLast()
        }
        return .array(values)
    }

    private mutating func dictionary(
        _ pairs: [String: Any]
    ) throws(RequestSerializationError) -> ParameterValue {
        var values: [(key: String, value: ParameterValue)] = []
        values.reserveCapacity(pairs.count)
        for (key, element) in pairs.sorted(by: { $0.key < $1.key }) {
            path.steps.append(.key(key))
            _ = try checked(.string(key))
            values.append((key, try value(element)))
            path.steps.removeLast()
        }
        return .dictionary(values)
    }

    private mutating func set(
        _ members: [Any]
    ) throws(RequestSerializationError) -> ParameterValue {
        _ = try checked(.set([]))
        var values: [ParameterValue] = []
        for member in members { values.append(try value(member)) }
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
        do {
            switch value {
            case .date(let date): return try dates.value(of: date)
            case .data(let bytes): return try data.value(of: bytes)
            default: return value
            }
        } catch {
            throw self.error("its encoding failed: \(error)")
        }
    }

    private func error(_ reason: String) -> RequestSerializationError {
        RequestSerializationError(keyPath: path.text, reason: reason)
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
