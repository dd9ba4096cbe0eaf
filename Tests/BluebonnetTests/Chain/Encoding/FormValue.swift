import Foundation

/// A value of a form vector, which encodes itself like the Swift type of its kind.
indirect enum FormValue: Sendable {
    case null
    /// A nil property.
    case absent
    case text(String)
    case integer(Int64)
    case double(Double)
    case float(Float)
    case decimal(Decimal)
    case bool(Bool)
    case date(Date)
    case data(Data)
    case url(URL)
    case list([FormValue])
    case set(Set<String>)
    case object([Member], inherited: [Member]?)
    case map([String: FormValue])

    struct Member: Sendable {
        let key: String
        let value: FormValue
    }

    struct Key: CodingKey {
        let stringValue: String
        // Like a dictionary's key, whose digits other encoders take for an index.
        var intValue: Int? { Int(stringValue) }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { stringValue = String(intValue) }
    }
}

extension FormValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members, let inherited):
            var container = encoder.container(keyedBy: Key.self)
            try Self.encode(members, into: &container)
            guard let inherited else { return }
            try FormValue.object(inherited, inherited: nil).encode(to: container.superEncoder())
        case .list(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        default:
            var container = encoder.singleValueContainer()
            try encode(into: &container)
        }
    }

    private static func encode(
        _ members: [Member], into container: inout KeyedEncodingContainer<Key>
    ) throws {
        for member in members {
            let key = Key(stringValue: member.key)
            if case .absent = member.value {
                try container.encodeIfPresent(String?.none, forKey: key)
            } else {
                try container.encode(member.value, forKey: key)
            }
        }
    }

    private func encode(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .null, .absent: try container.encodeNil()
        case .text(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .float(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .url(let value): try container.encode(value)
        case .set(let value): try container.encode(value)
        case .map(let value): try container.encode(value)
        case .list, .object: break
        }
    }
}

extension FormValue: Decodable {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let kind = try container.decode(String.self)
        switch kind {
        case "nil": self = .null
        case "absent": self = .absent
        case "b": self = .bool(try container.decode(Bool.self))
        case "data": self = .data(try container.decode(Data.self))
        case "list": self = .list(try container.decode([FormValue].self))
        case "set": self = .set(try container.decode(Set<String>.self))
        case "map": self = .map(try container.decode([String: FormValue].self))
        case "obj":
            let own = try container.decode([Member].self)
            let inherited = container.isAtEnd ? nil : try container.decode([Member].self)
            self = .object(own, inherited: inherited)
        default:
            let text = try container.decode(String.self)
            guard let scalar = Self(kind: kind, text: text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "\(kind) \(text)")
            }
            self = scalar
        }
    }

    private init?(kind: String, text: String) {
        let value: FormValue? =
            switch kind {
            case "s": .text(text)
            case "i": Int64(text).map { .integer($0) }
            case "f64": Double(text).map { .double($0) }
            case "f32": Float(text).map { .float($0) }
            case "dec": Decimal(string: text).map { .decimal($0) }
            case "date":
                Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
            case "url": URL(string: text).map { .url($0) }
            default: nil
            }
        guard let value else { return nil }
        self = value
    }
}

extension FormValue.Member: Decodable {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        key = try container.decode(String.self)
        value = try container.decode(FormValue.self)
    }
}
