import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Encodable parameters")
struct EncodableParametersTests {
    func post(
        _ parameters: some Encodable & Sendable,
        by serializer: any RequestSerializer = JSONRequestSerializer()
    ) throws -> String? {
        try serializer.serialize(request("POST"), parameters: parameters).httpBody.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    func failure(
        encoding parameters: some Encodable & Sendable,
        by serializer: any RequestSerializer,
        _ method: String = "POST"
    ) throws -> RequestSerializationError? {
        let request = try request(method)
        return #expect(throws: RequestSerializationError.self) {
            try serializer.serialize(request, parameters: parameters)
        }
    }

    enum Suit: String, Encodable { case hearts }

    struct Everything: Encodable, Sendable {
        var text = "é/ \u{1}"
        var yes = true
        var int8 = Int8.min, uint64 = UInt64.max, wide = Int128.max, wider = [UInt128.max]
        var double = 1.0, float = Float(0.1), half = Float16(0.5)
        var decimal = Decimal(string: "1.50")
        var date = Date(timeIntervalSince1970: 1.9)
        var data = Data([0xFB, 0xFF])
        var url = URL(string: "http://x/?y")
        var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        var suit: Suit? = .hearts
        var missing: Int?
        var list: [Int?] = [1, nil]
        var pairs = ["b": [1.5], "a": []]
        var empty = Empty()
    }

    struct Empty: Encodable, Sendable {}

    static let everything: Parameters = [
        "text": "é/ \u{1}", "yes": true, "int8": Int8.min, "uint64": UInt64.max, "wide": Int128.max,
        "wider": [UInt128.max], "double": 1.0, "float": Float(0.1), "half": Float16(0.5),
        "decimal": Decimal(string: "1.50"), "date": Date(timeIntervalSince1970: 1.9),
        "data": Data([0xFB, 0xFF]), "url": URL(string: "http://x/?y"),
        "uuid": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), "suit": "hearts",
        "list": [Int?.some(1), nil], "pairs": ["b": [1.5], "a": [Double]()],
        "empty": Parameters(),
    ]

    @Test("the same content gives the same bytes in queries, forms, JSON and property lists")
    func sameBytes() throws {
        var dated = JSONRequestSerializer(writingOptions: .prettyPrinted)
        dated.dates = .secondsSince1970
        dated.data = .hexadecimal
        for serializer in [HTTPRequestSerializer(), JSONRequestSerializer(), dated]
            as [any RequestSerializer]
        {
            for method in ["GET", "POST"] {
                let left = try serializer.serialize(request(method), parameters: Everything())
                let right = try serializer.serialize(request(method), parameters: Self.everything)
                #expect(left.url == right.url)
                #expect(left.httpBody == right.httpBody)
                #expect(left.allHTTPHeaderFields == right.allHTTPHeaderFields)
            }
        }
        // Property lists have neither null nor such integers.
        var encodable = Everything(), parameters = Self.everything
        (encodable.wide, encodable.wider, encodable.list, encodable.text) = (1, [], [2], "é<\r")
        parameters["wide"] = 1
        parameters["wider"] = [Int]()
        parameters["list"] = [2]
        parameters["text"] = "é<\r"
        for format in [PropertyListRequestSerializer.Format.xml, .binary] {
            let serializer = PropertyListRequestSerializer(format: format)
            let left = try serializer.serialize(request("POST"), parameters: encodable)
            let right = try serializer.serialize(request("POST"), parameters: parameters)
            #expect(left.httpBody == right.httpBody)
        }
    }

    @Test("JSON of every type is exact")
    func exactBytes() throws {
        #expect(
            try post(Everything()) == #"""
                {"data":"+/8=","date":"1970-01-01T00:00:01Z","decimal":1.5,"double":1,"empty":{},\#
                "float":0.1,"half":0.5,"int8":-128,"list":[1,null],"pairs":{"a":[],"b":[1.5]},\#
                "suit":"hearts","text":"é/ \u0001","uint64":18446744073709551615,\#
                "url":"http://x/?y","uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F",\#
                "wide":170141183460469231731687303715884105727,\#
                "wider":[340282366920938463463374607431768211455],"yes":true}
                """#)
    }

    @Test("only JSON and property list bodies can have an array as root")
    func arrayRoot() throws {
        #expect(try post([Suit.hearts, .hearts].map(\.rawValue)) == #"["hearts","hearts"]"#)
        #expect(try post([["a": 1]]) == #"[{"a":1}]"#)
        let list = try post([1], by: PropertyListRequestSerializer())
        #expect(list?.contains("<array>\n\t<integer>1</integer>\n</array>") == true)
        for serializer in everySerializer {
            let error = try failure(encoding: [1], by: serializer, "GET")
            #expect(error?.reason.contains("dictionary") == true)
        }
        #expect(try failure(encoding: [1], by: HTTPRequestSerializer())?.keyPath == "")
    }

    @Test("a scalar or a set cannot be the root in any format")
    func scalarRoot() throws {
        for serializer in everySerializer {
            for method in ["GET", "POST"] {
                for error in try [
                    failure(encoding: "text", by: serializer, method),
                    failure(encoding: 1, by: serializer, method),
                    failure(encoding: true, by: serializer, method),
                    failure(encoding: Suit.hearts, by: serializer, method),
                    failure(encoding: Date(), by: serializer, method),
                ] {
                    #expect(error?.keyPath == "")
                    #expect(error?.reason.hasPrefix("the parameters are") == true)
                }
                #expect(try failure(encoding: Set([1]), by: serializer, method)?.keyPath == "")
            }
        }
    }

    @Test("nil means no parameters")
    func nilRoot() throws {
        for serializer in everySerializer {
            for method in ["GET", "POST"] {
                let missing = Everything?.none
                let left = try serializer.serialize(request(method), parameters: missing)
                let right = try serializer.serialize(request(method), parameters: nil)
                #expect(left == right)
                #expect(left.httpBody == right.httpBody)
            }
        }
    }

    @Test("a set repeats its name in a query, sorted, and is an error in JSON")
    func sets() throws {
        struct Body: Encodable, Sendable { var ids: Set = [30, 4, 200]; var other = 1 }
        let http = HTTPRequestSerializer()
        #expect(try post(Body(), by: http) == "ids=200&ids=30&ids=4&other=1")
        #expect(
            try post(Body(), by: http) == body(["ids": Set([4, 30, 200]), "other": 1], by: http))
        for serializer in everySerializer.dropFirst() {
            #expect(try failure(encoding: Body(), by: serializer)?.keyPath == "ids")
        }
    }

    @Test("keys that are not encoded as strings are an error with their key path, in every format")
    func foreignKeys() throws {
        struct Body<Key: Hashable & Encodable & Sendable>: Encodable, Sendable {
            var list: [[Key: Int]]
        }
        struct Point: Hashable, Encodable { var x = 0 }
        for serializer in everySerializer {
            for method in ["GET", "POST"] {
                for error in try [
                    failure(encoding: Body(list: [[:], [UInt(1): 2]]), by: serializer, method),
                    failure(encoding: Body(list: [[1.5: 2]]), by: serializer, method),
                    failure(encoding: Body(list: [[Point(): 2]]), by: serializer, method),
                ] {
                    #expect(error?.keyPath == "list[0]")
                    #expect(error?.reason.contains("keys must be strings") == true)
                }
            }
        }
    }

    struct Tag: RawRepresentable, Hashable, Encodable, CodingKeyRepresentable {
        var rawValue: String
    }

    enum Level: Int, Encodable, CodingKeyRepresentable { case low = 2, high = 10 }

    @Test(
        "keys that JSONEncoder writes as strings are names in every format, encoded or in a literal"
    )
    func namedKeys() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func check<Key: Hashable & Encodable & Sendable>(_ dictionary: [Key: [Int]]) throws {
            let json = String(decoding: try encoder.encode(["a": [dictionary]]), as: UTF8.self)
            #expect(json.hasPrefix("{\"a\":[{"))
            #expect(try post(["a": [dictionary]]) == json)
            #expect(try post(Parameters(encoding: ["a": [dictionary]])) == json)
            #expect(try body(["a": [dictionary]], by: JSONRequestSerializer()) == json)
            #expect(
                try body(["a": [dictionary as [Key: Any]]], by: JSONRequestSerializer()) == json)
            for serializer in everySerializer {
                let value = ["a": dictionary]
                let encoded = try serializer.serialize(request("POST"), parameters: value)
                let literal: Parameters = ["a": dictionary]
                let other = try serializer.serialize(request("POST"), parameters: literal)
                #expect(encoded.httpBody == other.httpBody)
            }
        }
        try check(["b": [1], "a": []])
        try check([1: [1], 10: [2], 9: [3], -1: []])
        try check([Tag(rawValue: "k"): [1], Tag(rawValue: "j"): []])
        try check([Level.low: [1], .high: [2]])
        let root: [Int: String] = [2: "x", 11: "y"]
        let sent = try #require(try post(root))
        #expect(sent == #"{"11":"y","2":"x"}"#)
        #expect(try JSONDecoder().decode([Int: String].self, from: Data(sent.utf8)) == root)
        #expect(try post(root, by: HTTPRequestSerializer()) == "11=y&2=x")
    }

    @Test("two keys of a dictionary with the same name are an error, encoded or in a literal")
    func equalNames() throws {
        enum Same: Encodable, CodingKeyRepresentable {
            case a, b
            var codingKey: any CodingKey { JSONPathKey(stringValue: "same") }
            init?<T: CodingKey>(codingKey: T) { nil }
        }
        let reason = #"two of its keys are both spelled "same""#
        let pairs = [Same.a: 1, .b: 2]
        for serializer in everySerializer {
            #expect(try failure(encoding: ["a": pairs], by: serializer)?.reason == reason)
            #expect(try failure(["a": pairs] as Parameters, by: serializer)?.reason == reason)
        }
    }

    @Test("non-finite numbers are errors with their key path, in every format")
    func notFinite() throws {
        for serializer in everySerializer {
            for value in [Double.nan, .infinity, -.infinity] {
                let error = try failure(encoding: ["a": [["b": value]]], by: serializer)
                #expect(error?.keyPath == "a[0].b")
            }
        }
    }

    @Test("the same content gives the same error, encoded or not")
    func sameErrors() throws {
        let texts = ["b": [["k": "\u{1}"]], "a": []]
        let list = PropertyListRequestSerializer()
        #expect(try failure(encoding: texts, by: list) == failure(Parameters(texts), by: list))
    }

    func failure(
        _ parameters: Parameters,
        by serializer: any RequestSerializer
    ) throws -> RequestSerializationError? {
        let request = try request("POST")
        return #expect(throws: RequestSerializationError.self) {
            try serializer.serialize(request, parameters: parameters)
        }
    }

    @Test("a user's own serializer gets encoded values as Parameters")
    func ownSerializer() throws {
        struct Own: RequestSerializer {
            var headers: HTTPHeaders = [:]

            func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest {
                var request = request
                let inner = parameters?["o"] as? [String: any Sendable]
                let list = inner?["l"] as? [any Sendable]
                request.httpBody = (list?.first as? String).map { Data($0.utf8) }
                return request
            }
        }
        #expect(try post(["o": ["l": ["x"]]], by: Own()) == "x")
        #expect(throws: RequestSerializationError.self) { try post([1], by: Own()) }
    }
}
