import Foundation

/// A type that texts are decoded as.
struct TypedJSONFamily: Sendable {
    let check: @Sendable (_ decoder: JSONDecoder, _ text: [UInt8]) throws -> Void

    private init<T: Decodable & SendableMetatype>(
        _ type: T.Type, _ show: @escaping @Sendable (T) -> String
    ) {
        check = { try TypedJSONProperty.compare(type, $0, $1, show) }
    }

    private init<T: Decodable & SendableMetatype>(_ type: T.Type) {
        self.init(type) { "\($0)" }
    }

    static let all: [Self] = scalars + collections + types

    private static let scalars: [Self] = [
        Self(Bool.self), Self(Int.self), Self(Int8.self), Self(UInt16.self), Self(UInt64.self),
        Self(Int128.self), Self(String.self), Self(Double.self) { "\($0.bitPattern)" },
        Self(Float.self) { "\($0.bitPattern)" }, Self(Decimal.self), Self(Moment.self),
        Self(Data.self) { $0.base64EncodedString() }, Self(URL.self), Self(Int?.self),
        Self(Double??.self),
    ]

    private static let collections: [Self] = [
        Self([Int].self), Self([Double].self), Self([String].self), Self([Bool?].self),
        Self([Float].self) { "\($0.map(\.bitPattern))" }, Self([Decimal].self),
        Self([[Double]].self), Self([UInt8].self), Self([Moment].self),
        Self([Date].self) { "\($0.map(\.timeIntervalSince1970.bitPattern))" },
        Self([URL?].self), Self([Data].self) { "\($0.map { $0.base64EncodedString() })" },
        Self([String: Int].self, sorted),
        Self([String: [String: Double]].self) { sorted($0.mapValues { sorted($0) }) },
        Self([String: Member].self, sorted), Self([Int: Int].self) { sorted($0) },
        Self([Word: Int].self) { "\($0.map { "\($0.key):\($0.value)" }.sorted())" },
        Self(Set<Int>.self) { "\($0.sorted())" }, Self([String: Member?].self, sorted),
        Self(ClosedRange<Int>.self),
    ]

    private static let types: [Self] = [
        Self(Member.self), Self([Member].self), Self(Record.self), Self(Record?.self),
        Self([Record].self), Self(Choice.self), Self([Choice].self), Self(Word.self),
        Self([Word?].self), Self(Derived.self) { $0.text }, Self([Lossy<Int>].self),
        Self(Lossy<[Member]>.self), Self(WalkedValue.self) { $0.text },
        Self([WalkedValue].self) { "\($0.map(\.text))" },
        Self([String: WalkedValue].self) { sorted($0.mapValues(\.text)) },
        Self(Wide.self), Self(Tree.self) { $0.text },
    ]

    @Sendable private static func sorted<Key: Comparable, Value>(_ members: [Key: Value]) -> String
    {
        "\(members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })"
    }
}

// MARK: The types

/// A date as its bits, because not all years have a description.
private struct Moment: Decodable {
    let seconds: UInt64

    init(from decoder: any Decoder) throws {
        let date = try decoder.singleValueContainer().decode(Date.self)
        seconds = date.timeIntervalSinceReferenceDate.bitPattern
    }
}

private struct Member: Decodable {
    let a: Int
    let b: String?
}

private struct Record: Decodable {
    let userName: String?
    let a: Double?
    let b: [Int]?
    let date: Moment?
    let member: Member?
    let members: [String: Member]?
    let é: Int?
    let K: Bool?
    let url: URL?
    let data: Data?
    let price: Decimal?
    let f: Float?
    let choice: Choice?
}

private enum Choice: Decodable {
    case a(Int)
    case b(x: String, y: Double?)
    case none
}

private enum Word: String, Decodable, CodingKeyRepresentable {
    case a, b, userName = "user_name"
}

private class Base: Decodable {
    let a: Int?
}

private final class Derived: Base {
    private enum CodingKeys: CodingKey { case b }
    let b: Int?

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        b = try container.decodeIfPresent(Int.self, forKey: .b)
        try super.init(from: container.superDecoder())
    }

    var text: String { "\(String(describing: a)) \(String(describing: b))" }
}

/// An array that keeps the elements that can be decoded, and nil for the others.
private struct Lossy<Value: Decodable>: Decodable {
    let values: [Value?]

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var values: [Value?] = []
        while !container.isAtEnd, values.count < 50 {
            if let value = try? container.decode(Value.self) {
                values.append(value)
            } else {
                values.append(nil)
                _ = try container.superDecoder()
            }
        }
        self.values = values
    }
}

/// A type with more members than are searched linearly.
private struct Wide: Decodable {
    struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let values: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let names = (0..<90).reversed().map { "k\($0)" } + (0..<90).map { "k\($0)" }
        values = try names.map {
            let value = try container.decodeIfPresent(Int.self, forKey: Key(stringValue: $0))
            return "\(value ?? -1)"
        }
    }
}

private struct Tree: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.singleValueContainer(), container.decodeNil() {
            text = "null"
        } else if var container = try? decoder.unkeyedContainer() {
            var texts: [String] = []
            while !container.isAtEnd { texts.append(try container.decode(Tree.self).text) }
            text = "[\(texts.joined(separator: ","))]"
        } else if let container = try? decoder.container(keyedBy: Wide.Key.self) {
            let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
            let members = try keys.map {
                "\($0.stringValue):\(try container.decode(Tree.self, forKey: $0).text)"
            }
            text = "{\(members.sorted().joined(separator: ","))}"
        } else {
            let container = try decoder.singleValueContainer()
            let bool = try? "\(container.decode(Bool.self))"
            let number = try? "\(container.decode(Double.self))"
            text = try bool ?? number ?? container.decode(String.self)
        }
    }
}
