import Foundation
import Testing

@testable import Bluebonnet

/// Cases that random texts cannot show.
///
/// `TypedJSONTests` compares values and errors with `JSONDecoder`.
@Suite("Decoding types from JSON")
struct TypedJSONReaderTests {
    private func read<T: Decodable>(
        _ type: T.Type, _ text: String, _ decoder: JSONDecoder? = nil
    ) throws -> T {
        try TypedJSONReader(decoder).value(type, of: JSONText(Data(text.utf8)))
    }

    // MARK: Users' decoders

    private final class Doubling: JSONDecoder, @unchecked Sendable {
        // @unchecked: it has no state of its own.
        override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
            let text = String(decoding: data, as: UTF8.self)
            return try super.decode(type, from: Data(text.replacing("1", with: "2").utf8))
        }
    }

    @Test("a subclass of the decoder uses its own decode")
    func subclass() throws {
        #expect(try read([Int].self, "[1,3]", Doubling()) == [2, 3])
    }

    @Test("keys from a custom key strategy are used")
    func customKeys() throws {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(_ key: any CodingKey) { stringValue = key.stringValue.lowercased() }
            init?(stringValue: String) { nil }
            init?(intValue: Int) { nil }
        }
        struct Named: Decodable, Equatable { let name: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in path.last.map(Key.init) ?? path[0] }
        #expect(try read([Named].self, #"[{"NAME":"Ada"}]"#, decoder) == [Named(name: "Ada")])
    }

    @Test("types see the decoder's user info and coding path")
    func context() throws {
        struct Context: Decodable {
            let path: String
            let info: String?
            init(from decoder: any Decoder) throws {
                path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
                info = CodingUserInfoKey(rawValue: "info").flatMap {
                    decoder.userInfo[$0] as? String
                }
            }
        }
        let decoder = JSONDecoder()
        decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "info"))] = "here"
        let read = try read([String: [Context]].self, #"{"a":[1,{"b":2}]}"#, decoder)
        #expect(read["a"]?.map(\.path) == ["a.Index 0", "a.Index 1"])
        #expect(read["a"]?.map(\.info) == ["here", "here"])
    }

    @Test("dates are read by a formatter")
    func formatter() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "yyyy-MM-dd"
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .formatted(formatter)
        let dates = try read([Date].self, #"["1970-01-02"]"#, decoder)
        #expect(dates == [Date(timeIntervalSince1970: 86_400)])
    }

    // MARK: Retained decoders

    private final class Keeper: Decodable {
        let decoder: any Decoder
        init(from decoder: any Decoder) throws { self.decoder = decoder }
    }

    @Test("a decoder that a type retains stays valid for its text")
    func keptDecoder() throws {
        let pool = JSONParserPool(maximumCount: 4, maximumCapacity: 1000)
        let reader = TypedJSONReader(nil, parsers: pool)
        var keeper: Keeper? = try reader.value(
            Keeper.self, of: JSONText(Data(#"{"a":[1,2]}"#.utf8)))
        #expect(pool.idleCount == 0)
        // They would overwrite its memory if the parser had been returned.
        for _ in 0..<3 {
            let other = try reader.value([String].self, of: JSONText(Data(#"["x","y"]"#.utf8)))
            #expect(other == ["x", "y"])
        }
        let kept = try #require(keeper)
        #expect(try [String: [Int]](from: kept.decoder) == ["a": [1, 2]])
        #expect(pool.idleCount == 1)
        keeper = nil
        #expect(pool.idleCount == 1)
    }

    @Test("a parser is returned when a type fails")
    func failure() throws {
        let pool = JSONParserPool(maximumCount: 4, maximumCapacity: 1000)
        let reader = TypedJSONReader(nil, parsers: pool)
        #expect(throws: DecodingError.self) {
            try reader.value([String].self, of: JSONText(Data("[1]".utf8)))
        }
        #expect(pool.idleCount == 1)
    }

    @Test("a type can decode another text during its own decoding")
    func nested() throws {
        struct Envelope: Decodable {
            let inner: [Int]
            let outer: Int
            enum CodingKeys: CodingKey { case inner, outer }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                let text = try container.decode(String.self, forKey: .inner)
                inner = try TypedJSONReader(nil).value(
                    [Int].self, of: JSONText(Data(text.utf8)))
                outer = try container.decode(Int.self, forKey: .outer)
            }
        }
        let envelope = try read(Envelope.self, #"{"inner":"[1,2]","outer":3}"#)
        #expect(envelope.inner == [1, 2] && envelope.outer == 3)
    }

    // MARK: Hostile texts

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test(
        "an object with 50,000 members is read in linear time, in any order",
        .timeLimit(.minutes(1)))
    func wideObject() throws {
        struct Wide: Decodable {
            let sum: Int
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                // In reverse order, with a missing key for each: minutes if the time is quadratic.
                sum = try (0..<50_000).reversed().reduce(0) { sum, number in
                    let missing = Key(stringValue: "missing \(number)")
                    let value = try container.decode(
                        Int.self, forKey: Key(stringValue: "\(number)"))
                    return sum + value + (container.contains(missing) ? 1 : 0)
                }
            }
        }
        let members = (0..<50_000).map { "\"\($0)\":1" }
        #expect(try read(Wide.self, "{\(members.joined(separator: ","))}").sum == 50_000)
    }

    @Test(
        "types can read their coding path, or fail, 100,000 times in linear time",
        .timeLimit(.minutes(1)))
    func paths() throws {
        struct Place: Decodable {
            let last: Int?
            init(from decoder: any Decoder) throws {
                let number = try? decoder.singleValueContainer().decode(Int.self)
                last = number ?? decoder.codingPath.last?.intValue
            }
        }
        let text = "[\(Array(repeating: "true", count: 100_000).joined(separator: ","))]"
        #expect(try read([Place].self, text).map(\.last) == (0..<100_000).map { $0 })
        // Also below the root.
        let inner = try read([String: [Place]].self, "{\"a\":\(text)}")
        #expect(inner["a"]?.map(\.last) == (0..<100_000).map { $0 })
    }

    @Test(
        "a number of one megabyte is read or refused quickly", .timeLimit(.minutes(1)))
    func longNumbers() throws {
        let digits = String(repeating: "1", count: 1 << 20)
        #expect(try read([Double].self, "[0.\(digits)]") == [1.0 / 9])
        #expect(try read([Float].self, "[0.\(digits)]") == [1.0 / 9])
        #expect(throws: (any Error).self) { try read([Int].self, "[\(digits)]") }
        #expect(throws: (any Error).self) { try read([Double].self, "[\(digits)]") }
    }

    @Test("two large objects that are read alternately take linear time", .timeLimit(.minutes(1)))
    func twoWideObjects() throws {
        struct Pair: Decodable {
            let sum: Int
            enum CodingKeys: CodingKey { case a, b }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                let first = try container.nestedContainer(keyedBy: Key.self, forKey: .a)
                let second = try container.nestedContainer(keyedBy: Key.self, forKey: .b)
                sum = try first.allKeys.reversed().reduce(0) {
                    try $0 + first.decode(Int.self, forKey: $1)
                        + second.decode(Int.self, forKey: $1)
                }
            }
        }
        let members = (0..<20_000).map { "\"\($0)\":1" }.joined(separator: ",")
        #expect(try read(Pair.self, "{\"a\":{\(members)},\"b\":{\(members)}}").sum == 40_000)
    }

    @Test("null is neither a date nor data, whatever the strategy returns")
    func nullDates() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { _ in .distantPast }
        decoder.dataDecodingStrategy = .custom { _ in Data() }
        #expect(throws: DecodingError.self) { try read([Date].self, "[null]", decoder) }
        #expect(throws: DecodingError.self) { try read([Data].self, "[null]", decoder) }
        #expect(try read([Date].self, "[1]", decoder) == [.distantPast])
    }

    @Test("a float at the border of the subnormal numbers is the nearest one")
    func borderOfFloats() throws {
        let below = try read([Float].self, "[1.17549428075736429e-38]")
        #expect(below.map(\.bitPattern) == [0x7F_FFFF])
        let above = try read([Float].self, "[1.1754943508222875e-38]")
        #expect(above.map(\.bitPattern) == [0x80_0000])
    }

    @Test("a zero with any exponent is zero")
    func zeros() throws {
        #expect(try read([Double].self, "[0e5,0.0E1,-0e400]") == [0, 0, 0])
    }

    @Test("keys that are too slow to hash are refused, also with escapes")
    func markedKeys() {
        for mark in ["\u{301}", "\\u0301"] {
            let key = "a" + String(repeating: mark, count: 1000)
            let error = #expect(throws: JSONResponseSerializer.ParseError.self) {
                try read([String: Int].self, "{\"\(key)\":1}")
            }
            #expect(error?.message.contains("combining marks") == true)
        }
    }
}
