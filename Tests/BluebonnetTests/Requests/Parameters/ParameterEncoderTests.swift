import Foundation
import Testing

import Bluebonnet

@Suite("ParameterEncoder")
struct ParameterEncoderTests {
    func json(_ value: some Encodable & Sendable) throws -> String? {
        try JSONRequestSerializer().serialize(request("POST"), parameters: value).httpBody.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    func failure(_ value: some Encodable & Sendable) -> RequestSerializationError? {
        #expect(throws: RequestSerializationError.self) { try json(value) }
    }

    /// Nested dictionaries or arrays.
    indirect enum Nest: Encodable, Sendable {
        case end
        case array(Nest)
        case dictionary(Nest)
        case container(Nest)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .end: try 1.encode(to: encoder)
            case .array(let inner): try [inner].encode(to: encoder)
            case .dictionary(let inner): try ["k": inner].encode(to: encoder)
            case .container(let inner):
                var container = encoder.unkeyedContainer()
                try container.encode(inner)
            }
        }

        static func nest(_ depth: Int, _ wrap: (Nest) -> Nest) -> Nest {
            (0..<depth).reduce(.end) { inner, _ in wrap(inner) }
        }
    }

    @Test("128 levels are accepted, and 129 are an error with its key path")
    func depth() throws {
        for wrap in [Nest.array, Nest.container] {
            #expect(
                try json(Nest.nest(128, wrap))?.hasSuffix("1" + String(repeating: "]", count: 128))
                    == true)
            for depth in [129, 5_000] {
                let error = failure(Nest.nest(depth, wrap))
                #expect(error?.keyPath == String(repeating: "[0]", count: 128))
                #expect(error?.reason == "values are nested more than 128 levels deep")
            }
        }
        #expect(try json(Nest.nest(128, Nest.dictionary))?.hasPrefix(#"{"k":{"k":"#) == true)
        let keyPath = Array(repeating: "k", count: 128).joined(separator: ".")
        #expect(failure(Nest.nest(5_000, Nest.dictionary))?.keyPath == keyPath)
    }

    @Test("endlessly nested containers and values are errors")
    func endless() {
        struct Manual: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                for _ in 0..<200 { container = container.nestedUnkeyedContainer() }
                try container.encode(1)
            }
        }
        #expect(failure(["m": Manual()])?.reason == "values are nested more than 128 levels deep")
        struct Itself: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
        }
        #expect(failure(["i": [Itself()]])?.keyPath == "i[0]")
        final class Node: Encodable, Sendable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(self, forKey: .next)
            }
        }
        enum Key: CodingKey { case next }
        #expect(failure(Node())?.keyPath.hasPrefix("next.next.") == true)
    }

    class Animal: Encodable {
        let legs = 4
    }

    final class Dog: Animal, @unchecked Sendable {
        // @unchecked: all properties are constants.
        let name = "Rex"

        enum CodingKeys: CodingKey { case name }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test("inherited values are under super, as with JSONEncoder")
    func inheritance() throws {
        #expect(try json(Dog()) == #"{"name":"Rex","super":{"legs":4}}"#)
    }

    struct Manual: Encodable {
        enum Key: String, CodingKey { case a, b, c, d, e }

        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Key.self)
            var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .b)
            try inner.encode(1, forKey: .a)
            var list = outer.nestedUnkeyedContainer(forKey: .c)
            try list.encodeNil()
            var deeper = list.nestedContainer(keyedBy: Key.self)
            try deeper.encode(Int16(2), forKey: .a)
            try list.encode(UInt32(list.count))
            _ = list.nestedUnkeyedContainer()
            try outer.encodeNil(forKey: .d)
            try outer.encodeIfPresent(Int?.none, forKey: .e)
            try "x".encode(to: outer.superEncoder(forKey: .a))
            // Two containers for one key are the same.
            var again = outer.nestedContainer(keyedBy: Key.self, forKey: .b)
            try again.encode(Int?.some(3), forKey: .b)
        }
    }

    @Test("manually requested containers have what was encoded into them")
    func manual() throws {
        #expect(
            try json(Manual()) == #"{"a":"x","b":{"a":1,"b":3},"c":[null,{"a":2},2,[]],"d":null}"#)
    }

    struct Refusing: Encodable {
        func encode(to encoder: any Encoder) throws {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "it will not"
            )
            throw EncodingError.invalidValue(self, context)
        }
    }

    @Test("an encoding error has its key path, and any other error is rethrown")
    func errors() throws {
        #expect(
            failure(["a": [Refusing()]])
                == RequestSerializationError(keyPath: "a[0]", reason: "it will not"))
        struct Other: Error {}
        struct Throwing: Encodable {
            func encode(to encoder: any Encoder) throws { throw Other() }
        }
        #expect(throws: Other.self) { try json(["a": Throwing()]) }
    }
}
