import Foundation
import Testing

@testable import Bluebonnet

@Suite("JSONBodyEncoder with values")
struct JSONBodyEncoderTests {
    private let encoder = JSONBodyEncoder()

    private func text(
        _ value: some Encodable, _ change: (inout JSONBodyEncoder) -> Void = { _ in }
    ) throws -> String {
        var encoder = encoder
        change(&encoder)
        return String(decoding: try encoder.data(encoding: value), as: UTF8.self)
    }

    private func failure(_ value: some Encodable) -> RequestSerializationError? {
        #expect(throws: RequestSerializationError.self) { try encoder.data(encoding: value) }
    }

    /// A type that is encoded by a closure.
    private struct Free: Encodable {
        let body: (any Encoder) throws -> Void

        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }
    }

    private func object(
        _ body: @escaping (inout KeyedEncodingContainer<Key>) throws -> Void
    ) -> Free {
        Free { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try body(&container)
        }
    }

    private func array(_ body: @escaping (inout any UnkeyedEncodingContainer) throws -> Void)
        -> Free
    {
        Free { encoder in
            var container = encoder.unkeyedContainer()
            try body(&container)
        }
    }

    @Test("a value is encoded like the body of a request, and nil as nothing")
    func publicForm() throws {
        struct Draft: Encodable {
            let userName = "Ann"
            let sentAt = Date(timeIntervalSince1970: 0.25)
        }
        let text = try text(Draft()) {
            $0.keys = .snakeCase
            $0.dates = .millisecondsSince1970
            $0.writingOptions = .prettyPrinted
        }
        #expect(text == "{\n  \"sent_at\": 250,\n  \"user_name\": \"Ann\"\n}")
        for single in [.none, .some(Draft?.none)] as [Draft??] {
            #expect(failure(single)?.reason.contains("a single value") == true)
            #expect(try encoder.presentData(encoding: single) == nil)
        }
        #expect(failure("text")?.reason.contains("a single value") == true)
        #expect(try self.text(Parameters(dictionaryLiteral: ("a", 1))) == #"{"a":1}"#)
    }

    @Test("a value whose error the type ignores leaves no output")
    func swallowedErrors() throws {
        let value = object { container in
            try? container.encode(Double.nan, forKey: Key("a"))
            try container.encode(1, forKey: Key("b"))
            try? container.encode(
                array { inner in
                    var nested = inner.nestedContainer(keyedBy: Key.self)
                    try nested.encode(1, forKey: Key("x"))
                    try inner.encode([Double.infinity])
                }, forKey: Key("c"))
            try container.encode(
                array { inner in
                    try? inner.encode(Float.nan)
                    try? inner.encode([1.5: 1])
                    try inner.encode(inner.count)
                }, forKey: Key("d"))
        }
        #expect(try text(value) == #"{"b":1,"d":[0]}"#)
    }

    @Test("nested containers can be filled alternately")
    func nestedInTurn() throws {
        let value = object { container in
            var second = container.nestedUnkeyedContainer(forKey: Key("b"))
            var first = container.nestedContainer(keyedBy: Key.self, forKey: Key("a"))
            for number in 0..<3 {
                try second.encode(number)
                try first.encode([number], forKey: Key("\(2 - number)"))
            }
            try container.encode("between", forKey: Key("aa"))
            var inner = second.nestedContainer(keyedBy: Key.self)
            try second.encode("end")
            try inner.encode(1, forKey: Key("z"))
            // The same container again.
            var again = container.nestedUnkeyedContainer(forKey: Key("b"))
            try again.encode(again.count)
        }
        #expect(
            try text(value)
                == #"{"a":{"0":[2],"1":[1],"2":[0]},"aa":"between","b":[0,1,2,{"z":1},"end",5]}"#)
        #expect(
            try text(value) { $0.writingOptions = .prettyPrinted } == """
                {
                  "a": {
                    "0": [
                      2
                    ],
                    "1": [
                      1
                    ],
                    "2": [
                      0
                    ]
                  },
                  "aa": "between",
                  "b": [
                    0,
                    1,
                    2,
                    {
                      "z": 1
                    },
                    "end",
                    5
                  ]
                }
                """)
    }

    @Test("using a container while another value is encoded, or after its own, is an error")
    func outOfTurn() throws {
        let inside = object { container in
            let outer = container
            try container.encode(
                Free { encoder in
                    var outer = outer
                    try outer.encode(1, forKey: Key("x"))
                }, forKey: Key("a"))
        }
        #expect(failure(inside)?.reason.contains("uses a container that is") == true)
        var kept: (any UnkeyedEncodingContainer)?
        let after = object { container in
            try container.encode(array { kept = $0 }, forKey: Key("list"))
            try kept?.encode(1)
        }
        #expect(failure(after)?.reason.contains("uses a container that is") == true)
        let inAnother = object { container in
            try container.encode(array { kept = $0 }, forKey: Key("list"))
            try container.encode(array { _ in try kept?.encode(1) }, forKey: Key("other"))
        }
        #expect(failure(inAnother)?.reason.contains("uses a container that is") == true)
        let unthrown = object { container in
            try container.encode(array { kept = $0 }, forKey: Key("list"))
            _ = kept?.nestedUnkeyedContainer()
        }
        #expect(failure(unthrown)?.reason.contains("uses a container that is") == true)
    }

    @Test("a container that outlives the encoding accepts nothing and affects no other")
    func keptBeyond() throws {
        var kept: [any UnkeyedEncodingContainer] = []
        let value = array { container in
            var nested = container.nestedUnkeyedContainer()
            try nested.encode(1)
            kept = [container, nested]
        }
        #expect(try text(value) == "[[1]]")
        for var container in kept {
            #expect(container.count == 0)
            #expect(throws: RequestSerializationError.self) { try container.encode(2) }
            _ = container.nestedContainer(keyedBy: Key.self)
        }
        #expect(try text(value) == "[[1]]")
    }

    @Test("the last of repeated keys wins, even in another Unicode normalization")
    func repeatedKeys() throws {
        let value = object { container in
            for (number, name) in ["b", "\u{E9}", "a", "b", "e\u{301}", "a"].enumerated() {
                try container.encode([number], forKey: Key(name))
            }
        }
        #expect(try text(value) == "{\"a\":[5],\"b\":[3],\"e\u{301}\":[4]}")
        let nested = object { container in
            var first = container.nestedUnkeyedContainer(forKey: Key("a"))
            try first.encode(1)
            try container.encode(2, forKey: Key("a"))
        }
        #expect(try text(nested) == #"{"a":2}"#)
        let hidden = object { container in
            _ = container.nestedUnkeyedContainer(forKey: Key("a"))
            try container.encode(2, forKey: Key("a"))
            var again = container.nestedUnkeyedContainer(forKey: Key("a"))
            try again.encode(3)
        }
        #expect(try text(hidden) == #"{"a":[3]}"#)
        let shown = object { container in
            var first = container.nestedUnkeyedContainer(forKey: Key("a"))
            try first.encode(1)
            try? container.encode([1, .infinity], forKey: Key("a"))
            var again = container.nestedUnkeyedContainer(forKey: Key("a"))
            try again.encode(2)
        }
        #expect(try text(shown) == #"{"a":[1,2]}"#)
        let lost = object { container in
            try container.encode([1], forKey: Key("a"))
            var second = container.nestedUnkeyedContainer(forKey: Key("a"))
            try second.encode(2)
        }
        #expect(try text(lost) == #"{"a":[2]}"#)
    }

    @Test("a value can add to another's members, but not mix kinds of containers")
    func sharedPlaces() throws {
        struct Base: Encodable { let b = 1 }
        let added = Free { encoder in
            try Base().encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(2, forKey: Key("a"))
        }
        #expect(try text(added) == #"{"a":2,"b":1}"#)
        let single = Free { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Base())
            var members = encoder.container(keyedBy: Key.self)
            try members.encode(2, forKey: Key("a"))
        }
        #expect(try text(["x": single]) == #"{"x":{"a":2,"b":1}}"#)
        let mixed = Free { encoder in
            var members = encoder.container(keyedBy: Key.self)
            try members.encode(2, forKey: Key("a"))
            var elements = encoder.unkeyedContainer()
            try elements.encode(1)
        }
        #expect(failure(["x": mixed])?.description.contains("\"x\": encode(to:) mixes") == true)
        let replaced = Free { encoder in
            var container = encoder.singleValueContainer()
            try container.encode("long text that is replaced")
            try container.encode(1)
        }
        #expect(try text(["x": replaced, "y": replaced]) == #"{"x":1,"y":1}"#)
        let kept = Free { encoder in
            var container = encoder.singleValueContainer()
            try container.encode("kept")
            try? container.encode(Double.infinity)
            try? container.encode(Set([1]))
        }
        #expect(try text(["x": kept]) == #"{"x":"kept"}"#)
        struct Rich: Encodable {
            let secret = 1
            let bad = Double.infinity
        }
        struct Poor: Encodable { let a = 2 }
        let poor = Free { encoder in
            var container = encoder.singleValueContainer()
            do { try container.encode(Rich()) } catch { try container.encode(Poor()) }
        }
        #expect(try text(["x": poor]) == #"{"x":{"a":2}}"#)
        let joined = Free { encoder in
            var members = encoder.container(keyedBy: Key.self)
            try members.encode([1], forKey: Key("b"))
            var container = encoder.singleValueContainer()
            try? container.encode(Rich())
            try? container.encode([1.0, .infinity])
            try members.encode([2], forKey: Key("a"))
        }
        #expect(try text(["x": joined]) == #"{"x":{"a":[2],"b":[1]}}"#)
        let emptied = Free { encoder in
            var elements = encoder.unkeyedContainer()
            var container = encoder.singleValueContainer()
            try? container.encode(Rich())
            try elements.encode(1)
        }
        #expect(try text(["x": emptied]) == #"{"x":[1]}"#)
        let empty = Free { encoder in
            _ = encoder.container(keyedBy: Key.self)
            var elements = encoder.unkeyedContainer()
            try elements.encode(1)
        }
        #expect(try text(["x": empty]) == #"{"x":[1]}"#)
        let stale = Free { encoder in
            var members = encoder.container(keyedBy: Key.self)
            var elements = encoder.unkeyedContainer()
            try elements.encode(1)
            try members.encode(1, forKey: Key("a"))
        }
        #expect(failure(["x": stale])?.reason.contains("mixes") == true)
    }

    /// Values that the encoder's closures use on the encoding thread.
    private final class Box: @unchecked Sendable {
        // @unchecked: one thread encodes and calls the closures.
        var members: KeyedEncodingContainer<Key>?
        var count = 0

        func add() throws {
            count += 1
            // A copy, because the closure is also called during an access.
            var members = members
            try members?.encode(String(repeating: "x", count: 300), forKey: Key("x\(count)"))
        }
    }

    @Test("closures of the encoder can use the container")
    func reentrantClosures() throws {
        let box = Box()
        let value = object { container in
            box.members = container
            defer { box.members = nil }
            try container.encode(0, forKey: Key("a"))
            try container.encode(Date(), forKey: Key("d"))
            try container.encode([Date()], forKey: Key("c"))
            try? container.encode(Data(), forKey: Key("b"))
            try container.encode(1, forKey: Key("a"))
        }
        let x = String(repeating: "x", count: 300)
        let text = try text(value) {
            $0.dates = .custom { _ in
                try? box.add()
                return "t"
            }
            $0.data = .custom { _ in
                try box.add()
                throw CancellationError()
            }
        }
        #expect(text == "{\"a\":1,\"c\":[\"t\"],\"d\":\"t\",\"x1\":\"\(x)\",\"x3\":\"\(x)\"}")
        let spelled = try self.text(value) {
            $0.keys = .custom { key in
                if box.count < 9 { try? box.add() }
                return "_" + key
            }
        }
        let read = try JSONSerialization.jsonObject(with: Data(spelled.utf8)) as? [String: Any]
        #expect(
            Set(read?.keys.map { String($0.prefix(2)) } ?? []) == ["_a", "_b", "_c", "_d", "_x"])
    }

    @Test("several faults in a dictionary give the same error in every process")
    func firstFault() throws {
        enum Word: String, Encodable, CodingKeyRepresentable, CaseIterable { case c, b, a, d, e }
        let byName = Dictionary(uniqueKeysWithValues: (0..<50).map { ("k\($0)", Set([$0])) })
        #expect(failure(byName)?.keyPath == "k0")
        let byWord = Dictionary(uniqueKeysWithValues: Word.allCases.map { ($0, Set([1])) })
        #expect(failure(byWord)?.keyPath == "a")
    }

    @Test("parameters encoded from nil are no body when passed as any value")
    func nilParameters() throws {
        let given: any Encodable & Sendable = try Parameters(encoding: Int?.none)
        let request = try JSONRequestSerializer().serialize(request("POST"), encoding: given)
        #expect(request.httpBody == nil)
    }

    @Test("endlessly nested containers are an error and use little memory")
    func endlessNesting() throws {
        let value = array { container in
            for _ in 0..<1_000_000 { container = container.nestedUnkeyedContainer() }
        }
        #expect(failure(value)?.reason == "values are nested more than 128 levels deep")
    }

    @Test("only characters that need it are escaped, in strings of every length")
    func strings() throws {
        for length in 0..<34 {
            let plain = String(repeating: "z", count: length)
            #expect(try text([plain]) == "[\"\(plain)\"]")
            for place in 0..<length {
                for (raw, escaped, slashes, ascii) in [
                    ("\"", #"\""#, #"\""#, #"\""#), ("\\", #"\\"#, #"\\"#, #"\\"#),
                    ("/", "/", #"\/"#, "/"), ("\u{1F}", #"\u001f"#, #"\u001f"#, #"\u001f"#),
                    ("\n", #"\n"#, #"\n"#, #"\n"#), (" ", " ", " ", " "),
                    ("\u{7F}", "\u{7F}", "\u{7F}", "\u{7F}"), ("é", "é", "é", #"\u00e9"#),
                    ("!", "!", "!", "!"), ("😀", "😀", "😀", #"\ud83d\ude00"#),
                ] {
                    func word(_ middle: String) -> String {
                        plain.prefix(place) + middle + plain.dropFirst(place + 1)
                    }
                    let value = [word(raw): word(raw)]
                    func expected(_ middle: String) -> String {
                        "{\"\(word(middle))\":\"\(word(middle))\"}"
                    }
                    #expect(try text(value) == expected(escaped))
                    #expect(
                        try text(value) { $0.writingOptions = .escapedSlashes } == expected(slashes)
                    )
                    #expect(
                        try text(value) { $0.writingOptions = .escapedNonASCII } == expected(ascii))
                }
            }
        }
    }

    @Test("integers of every length are exact")
    func integers() throws {
        var numbers: [Int] = [0, .min, .max]
        for power in sequence(first: 1, next: { $0 > Int.max / 10 ? nil : $0 * 10 }) {
            numbers += [power, power - 1, -power, 1 - power]
        }
        #expect(try text(numbers) == "[\(numbers.map(String.init).joined(separator: ","))]")
        #expect(try text([UInt64.max, .max - 1]) == "[18446744073709551615,18446744073709551614]")
    }

    // If the time per object grew with their number, this would take minutes.
    @Test(
        "the time per member does not grow with the number of members and open containers",
        .timeLimit(.minutes(1)))
    func wide() throws {
        let count = 100_000
        let members = object { container in
            for number in (0..<count).reversed() {
                try container.encode(number, forKey: Key("k\(number)"))
            }
        }
        let nested = object { container in
            var all: [any UnkeyedEncodingContainer] = []
            for number in (0..<count).reversed() {
                all.append(container.nestedUnkeyedContainer(forKey: Key("k\(number)")))
            }
            for number in all.indices { try all[number].encode(number) }
        }
        enum Choice: Encodable { case some(Int) }
        // Half of them stay open while others are opened and closed.
        let mixed = array { container in
            for _ in 0..<count { _ = container.superEncoder() }
            for number in 0..<count { try container.encode(Choice.some(number)) }
        }
        for (value, elements) in [(members, count), (nested, count), (mixed, 2 * count)] {
            let data = try encoder.data(encoding: value)
            let read = try JSONSerialization.jsonObject(with: data)
            let size = (read as? [String: Any])?.count ?? (read as? [Any])?.count
            #expect(size == elements)
        }
    }

    @Test("a large value is encoded exactly, with members sorted at every depth")
    func big() throws {
        struct Branch: Encodable {
            let z: Int
            let children: [Branch]
            let a: String
        }
        func branch(_ depth: Int) -> Branch {
            let children = depth == 0 ? [] : (0..<4).map { _ in branch(depth - 1) }
            return Branch(
                z: depth, children: children, a: String(repeating: "é\"", count: 100 * depth))
        }
        let value = branch(6)
        let foundation = JSONEncoder()
        foundation.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try encoder.data(encoding: value) == foundation.encode(value))
    }

    @Test("a type's own keys are converted and dictionary keys are not, at every level")
    func spelling() throws {
        struct Inner: Encodable {
            let someKey = 1
            let byName = ["aB": 1]
            let byWord = [Word.firstWord: ["cD": 2]]
        }
        enum Word: String, Encodable, CodingKeyRepresentable { case firstWord }
        enum Same: Encodable, CodingKeyRepresentable {
            case a, b
            var codingKey: any CodingKey { Key("same") }
            init?<T: CodingKey>(codingKey: T) { nil }
        }
        let text = try text([Inner()]) { $0.keys = .snakeCase }
        #expect(text == #"[{"by_name":{"aB":1},"by_word":{"firstWord":{"cD":2}},"some_key":1}]"#)
        // Also if one object has both, in either order.
        for extrasFirst in [true, false] {
            let flat = Free { encoder in
                func encodeExtras() throws {
                    var container = encoder.singleValueContainer()
                    try container.encode(["aB": 1])
                    try container.encode([Word.firstWord: 2])
                }
                if extrasFirst { try encodeExtras() }
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(3, forKey: Key("userName"))
                if !extrasFirst { try encodeExtras() }
            }
            let text = try self.text(flat) { $0.keys = .snakeCase }
            #expect(text == #"{"aB":1,"firstWord":2,"user_name":3}"#)
        }
        #expect(failure([Same.a: 1, .b: 2])?.reason == #"two of its keys are both spelled "same""#)
        let both = object { container in
            try container.encode(1, forKey: Key("aB"))
            var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key("n"))
            try nested.encode(1, forKey: Key("xY"))
            try nested.encode(2, forKey: Key("x_y"))
        }
        #expect(
            throws: RequestSerializationError(
                keyPath: "n", reason: #"two of its keys are both spelled "x_y""#)
        ) { try self.text(both) { $0.keys = .snakeCase } }
    }
}
