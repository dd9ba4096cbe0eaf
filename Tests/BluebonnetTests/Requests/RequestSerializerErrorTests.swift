import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("RequestSerializer errors")
struct RequestSerializerErrorTests {
    @Test("non-finite numbers are errors with their key path, in every format")
    func notFinite() throws {
        let values: [any Sendable] = [
            Double.nan, Double.infinity, -Double.infinity, Float.nan, Float16.infinity,
            NSNumber(value: Double.nan), Decimal.nan, NSDecimalNumber.notANumber,
        ]
        for serializer in everySerializer {
            for value in values {
                let error = try failure(["a": ["t": [1, 2, value]] as Parameters], by: serializer)
                #expect(error?.keyPath == "a.t[2]")
                #expect(error?.reason.contains("use a finite number") == true)
            }
        }
    }

    @Test("an unsupported type is an error with its key path and name, in every format")
    func unsupported() throws {
        let values: [(any Sendable, String)] = [
            (Unsupported(), "Unsupported"), ([1.5: 2], "Dictionary<Double, Int>"),
            ("x" as Unicode.Scalar, "Scalar"),
            (Character("a"), "Character"), (Unsupported?(Unsupported()), "Unsupported"),
        ]
        for serializer in everySerializer {
            for (value, name) in values {
                let tags: [any Sendable] = ["a", "b", value]
                let parameters: Parameters = ["filter": ["tags": tags]]
                let error = try failure(parameters, by: serializer)
                #expect(error?.keyPath == "filter.tags[2]")
                #expect(error?.reason.contains(name) == true)
            }
        }
    }

    @Test("a date that is not finite is an error, and any other only where it has no text")
    func dates() throws {
        for serializer in everySerializer {
            for second in [Double.nan, .infinity, -.infinity] {
                let date = Date(timeIntervalSince1970: second)
                #expect(try failure(["a": date], by: serializer)?.keyPath == "a")
            }
        }
        var numeric = JSONRequestSerializer()
        numeric.dates = .secondsSince1970
        for second in [1e300, -1e300, 15_928_182_144_000, -62_167_392_001] {
            let date = Date(timeIntervalSince1970: second)
            for serializer in everySerializer.dropLast() {
                #expect(try failure(["a": date], by: serializer)?.keyPath == "a")
            }
            let sent = try #require(try body(["a": [date]], by: numeric))
            let read = try JSONDecoder().decode([String: [Double]].self, from: Data(sent.utf8))
            #expect(read == ["a": [second]])
            let list = try PropertyListRequestSerializer(format: .binary)
                .serialize(request("POST"), parameters: ["a": date]).httpBody
            let dates = try PropertyListDecoder().decode([String: Date].self, from: list ?? Data())
            #expect(dates == ["a": date])
        }
        var milliseconds = numeric
        milliseconds.dates = .millisecondsSince1970
        let last = Date(timeIntervalSince1970: .greatestFiniteMagnitude)
        #expect(try failure(["a": last], by: milliseconds)?.reason.contains("finite") == true)
        for second in [253_402_300_800, -62_135_596_801] as [Double] {
            let date = Date(timeIntervalSince1970: second)
            let error = try failure(["a": date], by: PropertyListRequestSerializer())
            #expect(error?.reason.contains("use the format .binary") == true)
        }
    }

    @Test("128 levels are accepted and 129 are an error, in every format")
    func depth() throws {
        for serializer in everySerializer {
            #expect(try body(["a": nest(127)], by: serializer)?.isEmpty == false)
            for depth in [128, 5_000] {
                let error = try failure(["a": nest(depth)], by: serializer)
                #expect(error?.keyPath == "a" + String(repeating: "[0]", count: 127))
                #expect(error?.reason == "values are nested more than 128 levels deep")
            }
        }
    }

    @Test("the first of several errors in key order is reported")
    func order() throws {
        for serializer in everySerializer {
            let parameters: Parameters = ["c": Unsupported(), "b": Double.nan, "a": 1]
            #expect(try failure(parameters, by: serializer)?.keyPath == "b")
        }
    }

    @Test(
        "an invalid header name is quoted and escaped, without a value after a colon",
        arguments: [
            ("X Api Key", #""X Api Key""#), ("X-Key\r\n", #""X-Key\r\n""#), ("", #""""#),
            ("Größe", #""Gr\u{00F6}\u{00DF}e""#), ("a\u{0}b", #""a\0b""#), (#"a"b"#, #""a\"b""#),
            ("Authorization: Bearer hunter2", #""Authorization:"…"#),
        ])
    func headerName(name: String, shown: String) throws {
        let request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        var serializer = HTTPRequestSerializer()
        serializer.headers = [name: "value"]
        let error = #expect(throws: RequestSerializationError.self) {
            try serializer.serialize(request, parameters: nil)
        }
        #expect(error?.reason == "the header name \(shown) is not a token")
    }

    @Test("a set has no place in JSON")
    func set() throws {
        let error = try failure(["a": ["b": Set([1])]], by: JSONRequestSerializer())
        #expect(error?.keyPath == "a.b")
        #expect(error?.reason.contains("array") == true)
    }

    @Test("the query of a GET fails with the same place")
    func queryError() throws {
        for serializer in everySerializer {
            let request = try request("GET")
            let error = #expect(throws: RequestSerializationError.self) {
                try serializer.serialize(request, parameters: ["a": [Unsupported()]])
            }
            #expect(error?.keyPath == "a[0]")
        }
    }
}
