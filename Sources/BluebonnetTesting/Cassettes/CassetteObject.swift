import Bluebonnet

/// A JSON object of a cassette whose members are removed as they are read.
///
/// ``finish()`` reports a member that was not read.
struct CassetteObject {
    private let what: String
    private let line: Int
    private var members: [JSONValue.Member]

    /// Creates an object from a value; `what` names it in errors.
    init(_ value: JSONValue, _ what: String) throws(CassetteJSONReader.Fault) {
        guard case .object(let members) = value.content else {
            throw value.fault("\(what) is \(value.kind), but must be an object")
        }
        (self.what, line, self.members) = (what, value.line, members)
    }

    mutating func take(_ key: String) -> JSONValue? {
        guard let place = members.firstIndex(where: { $0.key.text == key }) else { return nil }
        return members.remove(at: place).value
    }

    mutating func need(_ key: String) throws(CassetteJSONReader.Fault) -> JSONValue {
        guard let value = take(key) else { throw fault("\(what) has no \"\(key)\"") }
        return value
    }

    mutating func integer(
        _ key: String, in range: ClosedRange<Int>
    ) throws(CassetteJSONReader.Fault) -> Int? {
        guard let value = take(key) else { return nil }
        guard let integer = value.integer, range.contains(integer) else {
            throw value.fault(
                "\"\(key)\" is \(value.shown), but must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)")
        }
        return integer
    }

    mutating func boolean(_ key: String) throws(CassetteJSONReader.Fault) -> Bool? {
        guard let value = take(key) else { return nil }
        switch value.content {
        case .literal("true"): return true
        case .literal("false"): return false
        default: throw value.fault("\"\(key)\" is \(value.shown), but must be true or false")
        }
    }

    /// Returns the elements of an array; nil if the key is missing.
    mutating func list(_ key: String) throws(CassetteJSONReader.Fault) -> [JSONValue]? {
        guard let value = take(key) else { return nil }
        guard case .array(let elements) = value.content else {
            throw value.fault("\"\(key)\" is \(value.kind), but must be an array")
        }
        return elements
    }

    mutating func texts(_ key: String) throws(CassetteJSONReader.Fault) -> [String]? {
        guard let elements = try list(key) else { return nil }
        var texts: [String] = []
        for element in elements {
            guard let text = element.text else {
                throw element.fault(
                    "an element of \"\(key)\" is \(element.kind), but must be a string")
            }
            texts.append(text)
        }
        return texts
    }

    /// The members that have not been taken.
    var rest: JSONValue { JSONValue(content: .object(members), line: line) }

    /// Throws if a member has not been taken.
    func finish() throws(CassetteJSONReader.Fault) {
        guard let member = members.first else { return }
        throw CassetteJSONReader.Fault(
            line: member.line,
            message: "\(member.key.token) is not a key of \(what), or not allowed with others")
    }

    func fault(_ message: String) -> CassetteJSONReader.Fault {
        .init(line: line, message: message)
    }
}

extension JSONValue {
    func fault(_ message: String) -> CassetteJSONReader.Fault {
        .init(line: line, message: message)
    }

    /// The value in errors: a literal as it is, anything else by its kind.
    fileprivate var shown: String {
        if case .literal(let token) = content { return String(token.prefix(40)) }
        return kind
    }
}
