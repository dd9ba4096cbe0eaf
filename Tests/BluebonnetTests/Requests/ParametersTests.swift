import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Parameters")
struct ParametersTests {
    struct User: Encodable, Sendable { var id = 1, bornAt = Date(timeIntervalSince1970: 0) }

    private func json(
        _ parameters: Parameters, _ change: (inout JSONBodyEncoder) -> Void = { _ in }
    ) throws -> String {
        var encoder = JSONBodyEncoder()
        change(&encoder)
        return String(decoding: try encoder.data(of: parameters), as: UTF8.self)
    }

    private func fault(_ parameters: Parameters) -> RequestSerializationError? {
        #expect(throws: RequestSerializationError.self) {
            try JSONBodyEncoder().data(of: parameters)
        }
    }

    @Test("a literal accepts variables, nil, nested mixed literals and Encodable values")
    func literals() throws {
        let none: Int? = nil, some: Int? = 3
        let parameters: Parameters = [
            "a": nil, "b": none, "c": some, "d": [1, "x", nil, true, ["e": none]] as [Any?],
            "f": User(), "g": ["users": [User()]], "h": [:], "i": [] as [Any],
        ]
        let user = #"{"bornAt":"1970-01-01T00:00:00Z","id":1}"#
        #expect(
            try json(parameters) == """
                {"a":null,"b":null,"c":3,"d":[1,"x",null,true,{"e":null}],"f":\(user),\
                "g":{"users":[\(user)]},"h":{},"i":[]}
                """)
    }

    @Test("an invalid value is reported with its key path, whatever its source")
    func places() throws {
        struct Throwing: Encodable {
            func encode(to encoder: any Encoder) throws { throw CancellationError() }
        }
        struct Inner: Encodable { var list = ["x": [1.0, .nan]] }
        let faults: [(Parameters, String)] = [
            (["a": ["b": Unsupported()]], "a.b"), (["a": [1, Double.nan]], "a[1]"),
            (["a": ["b": [Inner()]]], "a.b[0].list.x[1]"), (["a": ["t": Throwing()]], "a.t"),
            (["a": [1.5: 2]], "a"),
            (["a": ["n": ["a": 1, "b": Unsupported()] as Parameters]], "a.n.b"),
        ]
        for (parameters, place) in faults {
            #expect(fault(parameters)?.keyPath == place)
            #expect(throws: RequestSerializationError.self) {
                try QueryEncoding().string(of: parameters)
            }
        }
    }

    @Test("a repeated name is an error and does not trap")
    func twice() {
        #expect(fault(["a": 1, "b": 2, "a": 3])?.keyPath == "a")
        #expect(fault(["a": ["b": 1], "a": nil])?.reason.contains("twice") == true)
    }

    @Test("a dictionary of Any is accepted, or its first fault is thrown with its key path")
    func untyped() throws {
        let read = try JSONSerialization.jsonObject(with: Data(#"{"a":[1,{"b":null}]}"#.utf8))
        let dictionary = try #require(read as? [String: Any])
        #expect(try json(Parameters(untyped: dictionary)) == #"{"a":[1,{"b":null}]}"#)
        let error = #expect(throws: RequestSerializationError.self) {
            try Parameters(untyped: ["z": Unsupported(), "k": ["a": [Unsupported()]]])
        }
        #expect(error?.keyPath == "k.a[0]")
    }

    @Test("values are copied on insertion")
    func copies() throws {
        let list = NSMutableArray(array: [1])
        var parameters: Parameters = ["a": list]
        parameters["b"] = list
        list.add(2)
        #expect(try json(parameters) == #"{"a":[1],"b":[1]}"#)
    }

    @Test("a name can be read, set and removed, and a fault is removed with its value")
    func subscripts() throws {
        var parameters: Parameters = ["a": 1, "u": User(), "x": Unsupported(), "f": Float(0.1)]
        #expect(parameters["a"] as? Int == 1 && parameters["f"] as? Double == 0.1)
        #expect((parameters["u"] as? [String: any Sendable])?["id"] as? Int == 1)
        #expect(parameters["missing"] == nil && parameters["x"] == nil)
        #expect(fault(parameters)?.keyPath == "x")
        parameters["x"] = UInt64.max
        #expect(parameters["x"] as? UInt == .max)
        parameters["u"] = nil
        parameters["f"] = NSNull()
        #expect(try json(parameters) == #"{"a":1,"f":null,"x":18446744073709551615}"#)
        #expect(parameters.names == ["a", "f", "x"] && !parameters.isEmpty && Parameters().isEmpty)
    }

    @Test("in a merge, the other's values win")
    func merge() throws {
        var parameters: Parameters = ["a": 1, "b": 2]
        parameters.merge(["b": [3], "c": nil])
        #expect(try json(parameters) == #"{"a":1,"b":[3],"c":null}"#)
        parameters.merge(try Parameters(encoding: [1]))
        #expect(fault(parameters)?.reason.contains("not a dictionary") == true)
        var encoded = try Parameters(encoding: User())
        encoded["id"] = nil
        #expect(encoded.names == ["bornAt"])
        var list = try Parameters(encoding: [1])
        list["a"] = 2
        #expect(fault(list)?.reason.contains("not a dictionary") == true)
    }

    @Test("they are a sequence of names and values, sorted by name")
    func sequence() {
        let parameters: Parameters = ["b": [1, "x"], "a": true]
        #expect(parameters.map { "\($0.key)=\($0.value)" } == ["a=true", #"b=[1, "x"]"#])
    }

    @Test("another encoder encodes the same content")
    func encodes() throws {
        let parameters: Parameters = [
            "a": [1, nil, "x"] as [Any?], "b": ["c": 1.5], "d": Data([1]), "n": UInt64.max,
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(parameters) == JSONBodyEncoder().data(of: parameters))
        struct Request: Encodable { var parameters: Parameters }
        #expect(
            try json(Parameters(encoding: Request(parameters: parameters)))
                == #"{"parameters":\#(try json(parameters))}"#)
    }

    @Test("their description shows only names")
    func description() {
        let parameters: Parameters = ["user": "ann", "password": "secret"]
        #expect("\(parameters)" == "parameters password, user")
        var text = ""
        dump(parameters, to: &text)
        #expect(!text.contains("secret"))
    }

    @Test("coding keys are converted at every level, and dictionary keys are not")
    func keys() throws {
        struct Draft: Encodable {
            var isNew = true, byID = ["someKey": User()]
        }
        func spelled(_ parameters: Parameters) throws -> String {
            try json(parameters) { $0.keys = .snakeCase }
        }
        #expect(
            try spelled(Parameters(encoding: Draft()))
                == #"{"by_id":{"someKey":{"born_at":"1970-01-01T00:00:00Z","id":1}},"is_new":true}"#
        )
        #expect(
            try spelled(["someKey": User()])
                == #"{"someKey":{"born_at":"1970-01-01T00:00:00Z","id":1}}"#)
        struct Clash: Encodable {
            var isNew = 1
            var is_new = 2
        }
        let error = #expect(throws: RequestSerializationError.self) {
            try spelled(["a": Clash()])
        }
        #expect(error?.keyPath == "a" && error?.reason.contains("is_new") == true)
    }

    @Test(
        "dates can have milliseconds, rounded down",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (0.25, "1970-01-01T00:00:00.250Z"),
            (1_772_000_000.1, "2026-02-25T06:13:20.100Z"),
            (1_772_000_000.9999, "2026-02-25T06:13:20.999Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
            (253_402_300_799.9999, "9999-12-31T23:59:59.999Z"),
        ]
    )
    func fractions(seconds: Double, expected: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let text = try json(["d": date]) { $0.dates = .iso8601WithFractionalSeconds }
        #expect(text == #"{"d":"\#(expected)"}"#)
    }

    @Test("keys can have a type with a coding key, also in a literal")
    func codingKeys() throws {
        enum Field: String, CodingKey, CodingKeyRepresentable, Encodable {
            case name

            var codingKey: any CodingKey { self }
            init?<T: CodingKey>(codingKey: T) { self.init(rawValue: codingKey.stringValue) }
        }
        #expect(try json(["filter": [Field.name: "x"]]) == #"{"filter":{"name":"x"}}"#)
    }

    @Test("endlessly nested parameters are an error without a stack overflow")
    func nesting() throws {
        var parameters: Parameters = ["a": 1]
        for _ in 0..<2_000 { parameters = ["a": parameters] }
        #expect(fault(parameters)?.reason.contains("nested") == true)
        var deep: Parameters = ["a": 1]
        for _ in 0..<127 { deep = ["a": deep] }
        #expect(try json(deep).count == 128 * 6 + 1)
        struct Holder: Encodable { var inner: Parameters }
        #expect(throws: RequestSerializationError.self) {
            try Parameters(encoding: Holder(inner: deep))
        }
    }
}
