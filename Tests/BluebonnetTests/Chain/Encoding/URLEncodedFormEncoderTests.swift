import Foundation
import Testing

import Bluebonnet
import BluebonnetChain

/// Returns the form of a value.
func form(
    _ value: any Encodable, by encoder: URLEncodedFormEncoder = URLEncodedFormEncoder()
) throws -> String {
    try encoder.encode(value)
}

@Suite("URLEncodedFormEncoder")
struct URLEncodedFormEncoderTests {
    /// Returns the error for a value that has no form.
    func failure(
        _ value: any Encodable, by encoder: URLEncodedFormEncoder = URLEncodedFormEncoder()
    ) -> RequestSerializationError? {
        #expect(throws: RequestSerializationError.self) { try form(value, by: encoder) }
    }

    struct Search: Encodable {
        var searchText = "a b"
        var tags = ["x", "y"]
        var exact = true
        var limit: Int?
        var ratio = 1.0
        var since = Date(timeIntervalSinceReferenceDate: 123.456)
        var blob = Data([1, 255])
        var home = URL(string: "https://h/a?b")
        var id = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    }

    @Test("a form is a string or its UTF-8 data, with defaults for every option")
    func defaults() throws {
        let expected = [
            "blob=Af8%3D", "exact=1", "home=https%3A//h/a?b",
            "id=00010203-0405-0607-0809-0A0B0C0D0E0F", "ratio=1.0", "searchText=a%20b",
            "since=123.456", "tags%5B%5D=x&tags%5B%5D=y",
        ].joined(separator: "&")
        #expect(try form(Search()) == expected)
        let data: Data = try URLEncodedFormEncoder().encode(Search())
        #expect(data == Data(expected.utf8))
    }

    @Test("every option is a property, and all options combine")
    func options() throws {
        let encoder = URLEncodedFormEncoder(
            alphabetizeKeyValuePairs: false, arrayEncoding: .indexInBrackets,
            boolEncoding: .literal, dataEncoding: .custom { "\($0.count)" },
            dateEncoding: .secondsSince1970, keyEncoding: .convertToSnakeCase,
            keyPathEncoding: .dots, nilEncoding: .null, spaceEncoding: .plusReplaced,
            allowedCharacters: CharacterSet.afURLQueryAllowed.union(.init(charactersIn: "[]")))
        #expect(!encoder.alphabetizeKeyValuePairs)
        #expect(encoder.boolEncoding == .literal)
        #expect(encoder.spaceEncoding == .plusReplaced)
        #expect(encoder.allowedCharacters.contains("["))
        #expect(
            try form(["outerKey": Search(home: nil)], by: encoder)
                == [
                    "outer_key.search_text=a+b", "outer_key.tags[0]=x", "outer_key.tags[1]=y",
                    "outer_key.exact=true", "outer_key.limit=null", "outer_key.ratio=1.0",
                    "outer_key.since=978307323.456", "outer_key.blob=2", "outer_key.home=null",
                    "outer_key.id=00010203-0405-0607-0809-0_a0_b0_c0_d0_e0_f",
                ].joined(separator: "&").replacing(
                    "0_a0_b0_c0_d0_e0_f", with: "0A0B0C0D0E0F"))
    }

    @Test("a formatter writes dates")
    func formatter() throws {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy/MM/dd HH.mm"
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        let encoder = URLEncodedFormEncoder(dateEncoding: .formatted(formatter))
        let date = Date(timeIntervalSinceReferenceDate: 3661)
        #expect(try form(["d": date], by: encoder) == "d=2001/01/01%2001.01")
    }

    @Test("errors of custom data and date encodings are rethrown")
    func customErrors() {
        struct Refused: Error {}
        #expect(throws: Refused.self) {
            try form(
                ["d": Date()],
                by: URLEncodedFormEncoder(dateEncoding: .custom { _ in throw Refused() }))
        }
        #expect(throws: Refused.self) {
            try form(
                ["d": Data()],
                by: URLEncodedFormEncoder(dataEncoding: .custom { _ in throw Refused() }))
        }
    }

    @Test("only ASCII characters can be allowed, and a space cannot")
    func allowed() throws {
        let encoder = URLEncodedFormEncoder(allowedCharacters: CharacterSet(charactersIn: "é a"))
        #expect(try form(["é a": "é a"], by: encoder) == "%C3%A9%20a=%C3%A9%20a")
        #expect(
            try form(["b": "%"], by: URLEncodedFormEncoder(allowedCharacters: .init()))
                == "%62=%25")
    }

    @Test("roots without names are refused with their kind, but without their values")
    func roots() {
        let roots: [(any Encodable, String)] = [
            (["secret"], "an array"), (Set(["secret"]), "a set"), ("secret", "a single value"),
            (7, "a single value"), (true, "a single value"), ([String?.none], "an array"),
            (Date(), "a single value"), (Data(), "a single value"),
        ]
        for (root, kind) in roots {
            let error = #expect(throws: URLEncodedFormEncoder.Error.self) { try form(root) }
            #expect(error == .invalidRootObject(kind))
            #expect(error?.description.contains("secret") == false)
            #expect(error?.description.contains("put it into a dictionary") == true)
        }
    }

    @Test("nil and empty roots are an empty form")
    func emptyRoots() throws {
        struct Nothing: Encodable {}
        struct EncodesNothing: Encodable {
            func encode(to encoder: any Encoder) throws {}
        }
        let roots: [any Encodable] = [
            Int?.none, Int??.some(nil), [Int](), Set<Int>(), [String: Int](), Nothing(),
            EncodesNothing(), Parameters(), ["a": EncodesNothing()], ["a": [[Int]]()],
        ]
        for root in roots { #expect(try form(root) == "", "\(root)") }
    }

    @Test("non-finite numbers are errors with their key path")
    func numbers() {
        for number in [Double.nan, .infinity, -.infinity] {
            #expect(failure(["a": ["b": [1, number]]])?.keyPath == "a.b[1]")
            #expect(failure(["f": Float(number)])?.keyPath == "f")
        }
        #expect(failure(["d": Decimal.nan])?.keyPath == "d")
        #expect(failure(["p": ["n": Double.nan] as Parameters])?.keyPath == "p.n")
        for seconds in [Double.nan, .infinity] {
            #expect(failure(["t": Date(timeIntervalSince1970: seconds)])?.keyPath == "t")
        }
    }

    @Test("a date that has no text is an error with its place, and other styles write it")
    func distantDates() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1e300)
        for style in [
            URLEncodedFormEncoder.DateEncoding.iso8601, .formatted(DateFormatter()),
        ] {
            let error = failure(["a": ["t": date]], by: URLEncodedFormEncoder(dateEncoding: style))
            #expect(error?.keyPath == "a.t")
        }
        #expect(try form(["t": date]) == "t=1e%2B300")
        let seconds = URLEncodedFormEncoder(dateEncoding: .secondsSince1970)
        #expect(try form(["t": date], by: seconds) == "t=1e%2B300")
        let last = Date(timeIntervalSinceReferenceDate: 1e308)
        let milliseconds = URLEncodedFormEncoder(dateEncoding: .millisecondsSince1970)
        #expect(failure(["t": last], by: milliseconds)?.reason.contains("finite") == true)
    }

    @Test("a decimal has no trailing zeros")
    func decimals() throws {
        let number = try #require(Decimal(string: "1.500"))
        #expect(try form(["d": number]) == "d=1.5")
        #expect(try form(["d": NSDecimalNumber(decimal: number)] as Parameters) == "d=1.5")
    }

    @Test("dynamic parameters are encoded like any other value, with numbers and dates")
    func parameters() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1)
        let parameters: Parameters = [
            "b": NSNumber(value: true), "d": date, "f": 1.0, "i": NSNumber(value: 7), "n": nil,
            "o": ["1": [nil, "x"]],
        ]
        #expect(
            try form(parameters).removingPercentEncoding == "b=1&d=1.0&f=1.0&i=7&o[1][]=x")
    }

    @Test("integers of every width are exact")
    func integers() throws {
        #expect(try form(["n": UInt64.max]) == "n=18446744073709551615")
        #expect(try form(["n": Int128.min]) == "n=-170141183460469231731687303715884105728")
        #expect(try form(["n": UInt128.max]) == "n=340282366920938463463374607431768211455")
        #expect(try form(["n": Int8.min]) == "n=-128")
    }

    /// A property of each type that synthesized code omits if it is nil.
    struct Optionals: Encodable {
        var a: Bool?
        var b: String?
        var c: Double?
        var d: Float?
        var e: Int?
        var f: Int8?
        var g: Int16?
        var h: Int32?
        var i: Int64?
        var j: UInt?
        var k: UInt8?
        var l: UInt16?
        var m: UInt32?
        var n: UInt64?
        var o: Int128?
        var p: UInt128?
        var q: [Int]?
        var r: URL?
    }

    @Test("synthesized optionals of every type follow the nil encoding")
    func optionals() throws {
        let names = "abcdefghijklmnopqr"
        #expect(try form(Optionals()) == "")
        #expect(
            try form(Optionals(), by: URLEncodedFormEncoder(nilEncoding: .dropValue))
                == names.map { "\($0)=" }.joined(separator: "&"))
        #expect(
            try form(Optionals(), by: URLEncodedFormEncoder(nilEncoding: .init { "0" }))
                == names.map { "\($0)=0" }.joined(separator: "&"))
        let full = Optionals(
            a: true, b: "1", c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, k: 1, l: 1, m: 1, n: 1,
            o: 1, p: 1, q: [1], r: URL(string: "1"))
        #expect(
            try form(full, by: URLEncodedFormEncoder(nilEncoding: .null))
                == names.map {
                    "\($0)\($0 == "q" ? "%5B%5D" : "")=1\("cd".contains($0) ? ".0" : "")"
                }
                .joined(separator: "&"))
        #expect(
            try form(["a": Int?.none], by: URLEncodedFormEncoder(nilEncoding: .null)) == "a=null")
    }

    @Test("other serializers still omit synthesized optionals")
    func optionalsElsewhere() throws {
        let parameters = try Parameters(encoding: Optionals(b: "x"))
        #expect(parameters.names == ["b"])
    }

    class Animal: Encodable {
        let name = "animal"
        let legs = 4
    }

    final class Dog: Animal, @unchecked Sendable {
        // @unchecked: all properties are constants.
        let age = 7

        enum CodingKeys: CodingKey { case age, name }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(age, forKey: .age)
            try container.encode("dog", forKey: .name)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test("inherited values are on a class's own level, and a later write to a key wins")
    func inheritance() throws {
        #expect(try form(Dog()) == "age=7&legs=4&name=animal")
        #expect(try form(["d": [Dog()]]).removingPercentEncoding?.hasPrefix("d[][age]=7&") == true)
    }

    struct Manual: Encodable {
        enum Key: String, CodingKey { case a, b, c, d }

        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Key.self)
            try outer.encode(["x": 1], forKey: .a)
            try outer.encode(["y": 2], forKey: .a)
            var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .b)
            try inner.encode(1, forKey: .a)
            var again = outer.nestedContainer(keyedBy: Key.self, forKey: .b)
            try again.encode(2, forKey: .b)
            var list = outer.nestedUnkeyedContainer(forKey: .c)
            try list.encode(1)
            try list.encodeNil()
            try "last".encode(to: list.superEncoder())
            try outer.encode("x", forKey: .d)
            try outer.encodeNil(forKey: .d)
        }
    }

    @Test("a later write or container of a key replaces the earlier")
    func manual() throws {
        #expect(
            try form(Manual()).removingPercentEncoding == "a[y]=2&b[b]=2&c[]=1&c[]=last")
    }

    @Test("the key encoding is applied to whole paths")
    func paths() throws {
        let value = ["outer": ["innerKey": [1]]]
        func keys(_ encoding: URLEncodedFormEncoder.KeyEncoding) throws -> String? {
            try form(value, by: URLEncodedFormEncoder(keyEncoding: encoding))
                .removingPercentEncoding
        }
        #expect(try keys(.uppercased) == "OUTER[INNERKEY][]=1")
        #expect(try keys(.capitalized) == "Outer[innerKey][]=1")
        #expect(try keys(.convertToKebabCase) == "outer[inner-key][]=1")
        #expect(try keys(.custom { $0 == "outer[innerKey][]" ? "yes" : "no" }) == "yes=1")
    }

    @Test("a value that mixes kinds of containers is an error")
    func contradictions() {
        class Base: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(1)
            }
        }
        final class Derived: Base {
            enum Key: CodingKey { case a }

            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                try super.encode(to: container.superEncoder())
            }
        }
        #expect(failure(["x": Derived()])?.keyPath == "x")
        struct Mixed: Encodable {
            func encode(to encoder: any Encoder) throws {
                var elements = encoder.unkeyedContainer()
                try elements.encode(1)
                var single = encoder.singleValueContainer()
                try single.encode(2)
            }
        }
        #expect(failure(["x": Mixed()])?.reason.contains("mixes") == true)
    }

    @Test("a word begins at a capital letter, and a run of capitals is one word")
    func snakeCase() throws {
        let encoder = URLEncodedFormEncoder(keyEncoding: .convertToSnakeCase)
        #expect(try form(["myURLProperty": 1], by: encoder) == "my_url_property=1")
        #expect(try form(["URLString": 1], by: encoder) == "u_rl_string=1")
    }

    @Test("segments are sorted in their encoded form, and elements keep their order")
    func order() throws {
        #expect(try form(["a": 1, "a1": 2]) == "a1=2&a=1")
        #expect(try form(["a": [10, 9, 2]]).removingPercentEncoding == "a[]=10&a[]=9&a[]=2")
        struct Pair: Encodable {
            let z = 1
            let a = 2
        }
        #expect(try form(Pair()) == "a=2&z=1")
        let unsorted = URLEncodedFormEncoder(alphabetizeKeyValuePairs: false)
        #expect(try form(Pair(), by: unsorted) == "z=1&a=2")
        let literal: Parameters = ["z": 1, "a": 2]
        #expect(try form(literal, by: unsorted) == "z=1&a=2")
    }

    @Test("a set is an array with sorted elements, the same in every process")
    func sets() throws {
        let set = Set((0..<10).map(String.init))
        let expected = (0..<10).map { "s[\($0)]=\($0)" }.joined(separator: "&")
        let encoder = URLEncodedFormEncoder(arrayEncoding: .indexInBrackets)
        #expect(try form(["s": set], by: encoder).removingPercentEncoding == expected)
    }

    indirect enum SetNest: Hashable, Encodable {
        case end
        case set(Set<SetNest>)
        case member(SetNest)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .end: try container.encode("x")
            case .set(let inner): try container.encode(inner)
            case .member(let inner): try container.encode(["k": inner])
            }
        }
    }

    @Test("nested sets are sorted inside first, quickly, up to the depth limit")
    func nestedSets() throws {
        let pairs = (0..<60).reduce(SetNest.end) { inner, _ in .member(.set([.end, inner])) }
        #expect(try form(pairs).components(separatedBy: "=x").count == 61)
        let sets = (0..<127).reduce(SetNest.end) { inner, _ in .set([inner]) }
        #expect(try form(["s": sets]).hasSuffix("=x"))
        #expect(failure(["s": SetNest.set([sets])])?.reason.contains("128 levels") == true)
    }

    @Test("digit keys are names, from strings and from integers, at the root and nested")
    func digitKeys() throws {
        #expect(try form(["1": "x", "0": "y"]) == "0=y&1=x")
        #expect(try form(["a": ["1": "x", "0": "y"]]) == "a%5B0%5D=y&a%5B1%5D=x")
        #expect(try form([1: "x", 0: "y"]) == "0=y&1=x")
        #expect(try form(["a": [-1: [7: "x"]]]) == "a%5B-1%5D%5B7%5D=x")
    }

    @Test("a URL is encoded as its absolute string")
    func urls() throws {
        let base = try #require(URL(string: "https://h/a/"))
        #expect(try form(["u": base]) == "u=https%3A//h/a/")
        let relative = try #require(URL(string: "b", relativeTo: base))
        #expect(try form(["u": [relative]]) == "u%5B%5D=https%3A//h/a/b")
    }

    @Test("dictionary keys other than strings and integers are refused with their key path")
    func otherKeys() {
        #expect(failure(["a": [1.5: 2]])?.keyPath == "a")
        #expect(failure(["a": [UInt(1): 2]])?.keyPath == "a")
        #expect(failure([true: 2])?.keyPath == "")
    }

    @Test("values deeper than 128 levels, even endless ones, are errors")
    func endless() throws {
        typealias Nest = ParameterEncoderTests.Nest
        #expect(try form(Nest.nest(128, Nest.dictionary)).hasSuffix("=1"))
        #expect(failure(Nest.nest(129, Nest.dictionary))?.reason.contains("128 levels") == true)
        #expect(
            failure(["a": Nest.nest(5_000, Nest.container)])?.reason.contains("128 levels") == true)
        struct Itself: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
        }
        #expect(failure(Itself())?.reason.contains("calls itself") == true)
        final class Node: Encodable, Sendable {
            enum Key: CodingKey { case next }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(self, forKey: .next)
            }
        }
        #expect(failure(Node())?.keyPath.hasPrefix("next.next.") == true)
        struct Heir: Encodable {
            enum Key: CodingKey { case a }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                try encode(to: container.superEncoder())
            }
        }
        #expect(failure(Heir())?.reason.contains("128 levels") == true)
    }

    @Test("errors of encode(to:) are rethrown, encoding errors with their key path")
    func foreignErrors() {
        struct Other: Error {}
        struct Throwing: Encodable {
            let error: any Error & Sendable
            func encode(to encoder: any Encoder) throws { throw error }
        }
        #expect(throws: Other.self) { try form(["a": Throwing(error: Other())]) }
        let refusal = EncodingError.invalidValue(
            "secret", .init(codingPath: [], debugDescription: "it will not"))
        #expect(failure(["a": Throwing(error: refusal)])?.reason == "it will not")
    }

    @Test("one encoder returns the same form on many threads")
    func threads() async throws {
        let encoder = URLEncodedFormEncoder(
            dateEncoding: .iso8601, keyEncoding: .convertToSnakeCase)
        let expected = try form(Search(), by: encoder)
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<100 { group.addTask { try? form(Search(), by: encoder) } }
            for await text in group { #expect(text == expected) }
        }
    }
}
