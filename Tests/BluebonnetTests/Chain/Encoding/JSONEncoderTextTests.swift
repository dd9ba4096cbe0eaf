import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet
@testable import BluebonnetChain

@Suite("The text of JSONParameterEncoder")
struct JSONEncoderTextTests {
    /// A random value, which encodes itself in one of many ways.
    private indirect enum Value: Encodable, Sendable {
        case null
        case bool(Bool)
        case int(Int)
        case small(Int8)
        case large(UInt64)
        case huge(Int128)
        case double(Double)
        case float(Float)
        case half(Float16)
        case decimal(Decimal)
        case string(String)
        case date(Date)
        case data(Data)
        case url(URL)
        case uuid(UUID)
        case array([Value])
        case object([(String, Value)])
        case nested([(String, Value)])
        case elements([Value])
        case inherited(Value)
        case dictionary([String: Value])
        case numbered([Int: Value])
        case keyless([Bool: Int])
        case set(Set<Int>)
        case optional(Value?)
        case parameters(Parameters)
        case lenient(Value)
        case nothing

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(_ name: String) { stringValue = name }
            init?(stringValue: String) { self.init(stringValue) }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .null:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            case .bool(let value): try single(value, encoder)
            case .int(let value): try single(value, encoder)
            case .small(let value): try single(value, encoder)
            case .large(let value): try single(value, encoder)
            case .huge(let value): try single(value, encoder)
            case .double(let value): try single(value, encoder)
            case .float(let value): try single(value, encoder)
            case .half(let value): try single(value, encoder)
            case .decimal(let value): try single(value, encoder)
            case .string(let value): try single(value, encoder)
            case .date(let value): try single(value, encoder)
            case .data(let value): try single(value, encoder)
            case .url(let value): try single(value, encoder)
            case .uuid(let value): try single(value, encoder)
            case .array(let values): try values.encode(to: encoder)
            case .object(let members):
                var container = encoder.container(keyedBy: Key.self)
                for (name, value) in members { try container.encode(value, forKey: Key(name)) }
            case .nested(let members):
                var container = encoder.container(keyedBy: Key.self)
                var inner = container.nestedContainer(keyedBy: Key.self, forKey: Key("inner"))
                for (name, value) in members { try inner.encode(value, forKey: Key(name)) }
                var list = container.nestedUnkeyedContainer(forKey: Key("list"))
                for (_, value) in members { try list.encode(value) }
            case .elements(let values):
                var container = encoder.unkeyedContainer()
                for value in values { try container.encode(value) }
                try container.encodeNil()
            case .inherited(let value):
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: Key("one"))
                try value.encode(to: container.superEncoder(forKey: Key("parent")))
            case .dictionary(let members): try single(members, encoder)
            case .numbered(let members): try single(members, encoder)
            case .keyless(let members): try single(members, encoder)
            case .set(let values): try single(values, encoder)
            case .optional(let value): try single(value, encoder)
            case .parameters(let parameters): try single(parameters, encoder)
            case .lenient(let value):
                var container = encoder.container(keyedBy: Key.self)
                try? container.encode(value, forKey: Key("value"))
                try container.encode(true, forKey: Key("done"))
            case .nothing: break
            }
        }

        private func single(_ value: some Encodable, _ encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    private static let pieces = [
        "a", "B", "z", "0", "10", "9", "b", "c", "Id", "_", "/", "\"", "\\", "\u{8}", "\u{1F}",
        "\n", "\u{7F}",
        "é", "e\u{301}", "\u{2028}", "🌻", "ß", " ", "\u{FFFF}", "\u{E000}",
    ]

    private static func text(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...3, using: &generator))
            .compactMap { _ in pieces.randomElement(using: &generator) }.joined()
    }

    private static func value(_ generator: inout SeededGenerator, depth: Int = 0) -> Value {
        func bits() -> UInt64 { generator.next() }
        func values() -> [Value] {
            (0..<Int(bits() % 4)).map { _ in value(&generator, depth: depth + 1) }
        }
        func members() -> [(String, Value)] { values().map { (text(&generator), $0) } }
        switch bits() % (depth < 4 ? 30 : 17) {
        case 0: return .null
        case 1: return .bool(bits() % 2 == 0)
        case 2: return .int(Int(truncatingIfNeeded: bits()))
        case 3: return .small(Int8(truncatingIfNeeded: bits()))
        case 4: return .large(bits())
        case 5: return .huge(Int128(bits()) << Int128(bits() % 64))
        case 6: return .double(Double(bitPattern: bits()))
        case 7: return .double(Double(Int64(bitPattern: bits()) >> Int64(bits() % 64)))
        case 8: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits())))
        case 9: return .half(Float16(bitPattern: UInt16(truncatingIfNeeded: bits())))
        case 10:
            return .decimal(
                Decimal(
                    sign: bits() % 2 == 0 ? .plus : .minus, exponent: Int(bits() % 80) - 40,
                    significand: Decimal(bits() >> (bits() % 64))))
        case 11, 12: return .string(text(&generator))
        case 13:
            return .date(
                Date(
                    timeIntervalSinceReferenceDate: Double(Int64(bitPattern: bits()) >> 20) / 1024))
        case 14: return .data(Data((0..<bits() % 9).map { UInt8(truncatingIfNeeded: $0 * 51) }))
        case 15: return .url(URL(fileURLWithPath: "/a b/é/\(bits() % 9)"))
        case 16: return .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID())
        case 17: return .array(values())
        case 18: return .nested(members())
        case 19: return .elements(values())
        case 20: return .inherited(value(&generator, depth: depth + 1))
        case 21: return .dictionary(Dictionary(members()) { $1 })
        case 22:
            return .numbered(Dictionary(values().map { (Int(bits() % 30), $0) }) { $1 })
        case 23: return bits() % 8 == 0 ? .keyless([true: 1]) : .optional(nil)
        case 24: return bits() % 8 == 0 ? .set([1]) : .optional(values().first)
        case 25:
            return .parameters(
                ["a": Date(timeIntervalSinceReferenceDate: 0.5), "b": [1, text(&generator)]])
        case 26: return bits() % 8 == 0 ? .lenient(value(&generator, depth: depth + 1)) : .null
        case 27: return bits() % 8 == 0 ? .nothing : .array(values())
        default: return .object(members())
        }
    }

    private static func foundation() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    @Test("is that of a JSONEncoder for random values, and fails for the same values")
    func random() throws {
        let request = URLRequest(url: try #require(URL(string: "http://h.test/")))
        let style = ParameterStyle(followsJSONEncoder: true)
        var ownCount = 0
        for step in 0..<UInt64(RandomWalks.count(20_000)) {
            var generator = SeededGenerator(seed: RandomWalks.firstSeed &+ step)
            let value = Self.value(&generator)
            let expected = try? Self.foundation().encode(value)
            let body = try? JSONParameterEncoder.default.encode(value, into: request).httpBody
            if (try? JSONFragment.data(of: value, style, [])) != nil { ownCount += 1 }
            guard body != expected else { continue }
            let texts = [body, expected].map { $0.map { String(decoding: $0, as: UTF8.self) } }
            Issue.record(
                "\(texts) for \(value); to repeat it: BLUEBONNET_SEED=\(RandomWalks.firstSeed &+ step)"
            )
            return
        }
        // Otherwise Foundation would mostly be compared with itself.
        #expect(ownCount > RandomWalks.count(20_000) / 5)
    }

    @Test("is that of a JSONEncoder for all formats that its settings can choose")
    func settings() throws {
        struct Order: Encodable, Sendable {
            let placedAt = Date(timeIntervalSinceReferenceDate: 0.25)
            let bytes = Data([0xFB, 0xFF])
            let ratio: Double
        }
        let changes: [(JSONEncoder) -> Void] = [
            { $0.dateEncodingStrategy = .iso8601 },
            { $0.dateEncodingStrategy = .secondsSince1970 },
            { $0.dateEncodingStrategy = .millisecondsSince1970 },
            { encoder in
                encoder.dateEncodingStrategy = .custom { date, encoder in
                    try "\(date.timeIntervalSince1970)".encode(to: encoder)
                }
            },
            { $0.dataEncodingStrategy = .deferredToData },
            { $0.keyEncodingStrategy = .convertToSnakeCase },
            { $0.outputFormatting.insert(.prettyPrinted) },
            {
                $0.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "n")
            },
        ]
        let request = URLRequest(url: try #require(URL(string: "http://h.test/")))
        for change in [{ _ in }] + changes {
            for ratio in [1, 0.1, .infinity] {
                let encoder = Self.foundation()
                change(encoder)
                let expected = try? encoder.encode(Order(ratio: ratio))
                let parameters = JSONParameterEncoder(encoder: encoder)
                let body = try? parameters.encode(Order(ratio: ratio), into: request).httpBody
                #expect(body == expected)
            }
        }
    }
}
