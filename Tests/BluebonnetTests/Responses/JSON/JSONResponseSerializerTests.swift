import Bluebonnet
import Foundation
import Testing

@Suite("JSONResponseSerializer")
struct JSONResponseSerializerTests {
    private let serializer = JSONResponseSerializer()

    private func value(_ text: String) throws -> (any Sendable)? {
        try serializer.serialize(Data(text.utf8), head: nil)
    }

    private func number(_ text: String) throws -> any Sendable {
        try #require(try value("[\(text)]") as? [any Sendable])[0]
    }

    @Test("objects and arrays are plain Swift collections")
    func collections() throws {
        let text = #"{"name":"Ada","tags":["a",{"b":[]}],"on":true,"none":null,"n":1}"#
        let object = try #require(try value(text) as? [String: Any])
        #expect(object["name"] as? String == "Ada")
        #expect(object["on"] as? Bool == true)
        #expect(object["n"] as? Int == 1)
        #expect(object["none"] is NSNull)
        let tags = try #require(object["tags"] as? [Any])
        #expect(tags[0] as? String == "a")
        #expect((tags[1] as? [String: Any])?["b"] as? [Any] != nil)
        #expect(try value(#"["a","b"]"#) as? [String] == ["a", "b"])
        #expect(try value("[1,2]") as? [Int] == [1, 2])
        #expect(try value("{}") is [String: any Sendable])
    }

    @Test(
        "an integer is an Int",
        arguments: [
            ("0", 0), ("1", 1), ("-1", -1), ("-0", 0), ("12", 12), ("127", 127), ("128", 128),
            ("255", 255), ("65536", 65536), ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775807", .max), ("-9223372036854775808", .min),
        ])
    func integers(_ text: String, _ expected: Int) throws {
        let number = try number(text)
        #expect(type(of: number) == Int.self)
        #expect(number as? Int == expected)
        #expect(number as? Bool == nil)
    }

    @Test(
        "an integer too large for an Int is a UInt64",
        arguments: [
            ("9223372036854775808", 9_223_372_036_854_775_808), ("18446744073709551615", .max),
        ] as [(String, UInt64)])
    func unsignedIntegers(_ text: String, _ expected: UInt64) throws {
        let number = try number(text)
        #expect(number as? UInt64 == expected)
        #expect(number as? Int == nil)
    }

    @Test(
        "fractions, exponents and integers of more than 64 bits are Doubles",
        arguments: [
            ("1.0", 1), ("0.0", 0), ("-0.0", 0), ("1e2", 100), ("1.5", 1.5), ("1E-2", 0.01),
            ("18446744073709551616", 18_446_744_073_709_551_616), ("1e19", 1e19),
            ("-9223372036854775809", -9_223_372_036_854_775_808), ("1e-400", 0),
            ("123456789012345678901234567890", 1.2345678901234568e29),
        ])
    func fractions(_ text: String, _ expected: Double) throws {
        let number = try number(text)
        #expect(type(of: number) == Double.self)
        #expect(number as? Double == expected)
    }

    @Test("true and false are Bools and not numbers")
    func booleans() throws {
        for (text, expected) in [("true", true), ("false", false)] {
            let value = try number(text)
            #expect(type(of: value) == Bool.self)
            #expect(value as? Bool == expected)
            #expect(value as? Int == nil)
        }
    }

    @Test("an empty body or a single space is nil, as are 204, 205, 304 and HEAD")
    func empty() throws {
        #expect(try serializer.serialize(Data(), head: head()) == nil)
        #expect(try value(" ") == nil)
        for head in try bodilessHeads() {
            #expect(try serializer.serialize(Data("[".utf8), head: head) == nil)
        }
        #expect(refusal(serializer, "  ") != nil)
    }

    @Test(
        "a root that is neither array nor object is refused unless allowed",
        arguments: [
            "1", "\"a\"", "true", "null", "1.5",
        ])
    func fragments(_ text: String) throws {
        #expect(refusal(serializer, text)?.contains("allowsFragments") == true)
        let lenient = JSONResponseSerializer(allowsFragments: true)
        let value = try lenient.serialize(Data(text.utf8), head: nil)
        #expect(try #require(try self.value("[\(text)]") as? [any Sendable]).count == 1)
        #expect(value != nil)
    }

    @Test("nulls in objects are removed at any depth on request")
    func nullKeys() throws {
        let body = Data(#"{"a":null,"b":{"c":null,"d":1},"e":[null,{"f":null}],"g":{}}"#.utf8)
        let kept = try serializer.serialize(body, head: nil) as? [String: Any]
        #expect(kept?["a"] is NSNull)

        let cleaner = JSONResponseSerializer(removesKeysWithNullValues: true)
        let object = try #require(try cleaner.serialize(body, head: nil) as? [String: Any])
        #expect(Set(object.keys) == ["b", "e", "g"])
        #expect(object["b"] as? [String: Int] == ["d": 1])
        let array = try #require(object["e"] as? [Any])
        try #require(array.count == 2)
        #expect(array[0] is NSNull)
        #expect((array[1] as? [String: Any])?.isEmpty == true)
        #expect((object["g"] as? [String: Any])?.isEmpty == true)
    }

    @Test("nulls in arrays are removed with a separate option")
    func nullElements() throws {
        let body = Data(#"{"a":null,"e":[null,[null,2],null]}"#.utf8)
        let cleaner = JSONResponseSerializer(removesNullArrayElements: true)
        let object = try #require(try cleaner.serialize(body, head: nil) as? [String: Any])
        #expect(object["a"] is NSNull)
        #expect(object["e"] as? [[Int]] == [[2]])
    }

    @Test("a null root stays null when nulls are removed")
    func nullRoot() throws {
        let cleaner = JSONResponseSerializer(
            allowsFragments: true,
            removesKeysWithNullValues: true,
            removesNullArrayElements: true
        )
        #expect(try cleaner.serialize(Data("null".utf8), head: nil) is NSNull)
    }
}
