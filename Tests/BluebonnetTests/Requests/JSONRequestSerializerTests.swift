import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("JSONRequestSerializer")
struct JSONRequestSerializerTests {
    func json(_ parameters: Parameters) throws -> String? {
        try body(parameters, by: JSONRequestSerializer())
    }

    @Test("parameters become the body, with the type application/json")
    func jsonBody() throws {
        let result = try JSONRequestSerializer().serialize(
            request("POST", "http://h/p#f"), parameters: ["b": [1, 2], "a": "x"])
        #expect(result.httpBody == Data(#"{"a":"x","b":[1,2]}"#.utf8))
        #expect(result.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(result.url?.absoluteString == "http://h/p#f")
    }

    @Test("nil parameters are no body and no Content-Type, and empty ones are {}")
    func withoutParameters() throws {
        let result = try JSONRequestSerializer(headers: ["X-A": "1"])
            .serialize(request("POST"), parameters: nil)
        #expect(result.httpBody == nil)
        #expect(result.value(forHTTPHeaderField: "Content-Type") == nil)
        #expect(result.value(forHTTPHeaderField: "X-A") == "1")
        #expect(try json([:]) == "{}")
    }

    @Test("methods without a body use the query, and these methods can be changed")
    func queryMethods() throws {
        #expect(try url(["a": ["b": 1]], by: JSONRequestSerializer()) == "http://h/p?a%5Bb%5D=1")
        var serializer = JSONRequestSerializer()
        serializer.httpMethodsEncodingParametersInURI = []
        let result = try serializer.serialize(request("GET"), parameters: ["a": 1])
        #expect(result.httpBody == Data(#"{"a":1}"#.utf8))
    }

    @Test("an existing Content-Type is kept")
    func contentType() throws {
        let result = try JSONRequestSerializer(headers: ["content-type": "application/x+json"])
            .serialize(request("POST"), parameters: [:])
        #expect(result.value(forHTTPHeaderField: "Content-Type") == "application/x+json")
    }

    @Test("strings are escaped only as far as RFC 8259 requires")
    func strings() throws {
        #expect(
            try json(["\"\\": "\u{0}\u{8}\t\n\u{B}\u{C}\r\u{1F}/\u{7F}é\u{2028}😀"])
                == "{\"\\\"\\\\\":\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f/\u{7F}é\u{2028}😀\"}")
    }

    @Test("integers of every type are exact")
    func integers() throws {
        let values: [any Sendable] = [
            Int.min, Int8.min, Int16.min, Int32.min, Int64.max, Int128.min, UInt8.max, UInt16.max,
            UInt32.max, UInt64.max, UInt.max, UInt128.max, NSNumber(value: Int64.min),
            NSNumber(value: UInt64.max), NSNumber(value: Int8(1)),
        ]
        #expect(
            try json(["a": values]) == """
                {"a":[-9223372036854775808,-128,-32768,-2147483648,9223372036854775807,\
                -170141183460469231731687303715884105728,255,65535,4294967295,18446744073709551615,\
                18446744073709551615,340282366920938463463374607431768211455,-9223372036854775808,\
                18446744073709551615,1]}
                """)
    }

    @Test("floating-point numbers have the shortest form, and 1.0 is 1")
    func floatingPoint() throws {
        let values: [any Sendable] = [
            1.0, -0.0, 0.1, 0.1 + 0.2, Double.leastNonzeroMagnitude,
            Double.greatestFiniteMagnitude,
            1e16, Float(0.1), Float16(0.5), NSNumber(value: 1.5), NSNumber(value: 2.0),
            NSNumber(value: Float(0.1)), CGFloat(0.25),
        ]
        #expect(
            try json(["a": values]) == """
                {"a":[1,-0,0.1,0.30000000000000004,5e-324,1.7976931348623157e+308,1e+16,0.1,0.5,1.5,\
                2,0.1,0.25]}
                """)
    }

    @Test("decimals keep every digit")
    func decimals() throws {
        let digits = "12345678901234567890.123456789"
        #expect(
            try json(["a": Decimal(string: digits), "b": NSDecimalNumber(string: digits)])
                == #"{"a":\#(digits),"b":\#(digits)}"#)
    }

    @Test("a Bool is a literal, even as NSNumber, and 1 is not true")
    func bools() throws {
        let values: [any Sendable] = [
            true, false, NSNumber(value: true), NSNumber(value: false), NSNumber(value: 1), 1,
        ]
        #expect(try json(["a": values]) == #"{"a":[true,false,true,false,1,1]}"#)
    }

    @Test("nil, nested nil and NSNull are null")
    func nulls() throws {
        #expect(
            try json(["a": NSNull(), "b": Int?.none, "c": Int??.some(nil) as Any, "d": [1, nil]])
                == #"{"a":null,"b":null,"c":null,"d":[1,null]}"#)
    }

    @Test("dates are ISO 8601, data is Base64, URLs and substrings are strings")
    func otherScalars() throws {
        #expect(
            try json([
                "a": Date(timeIntervalSince1970: 1_772_000_000.9), "b": Data([0xFB, 0xFF]),
                "c": URL(string: "http://x/?y"), "d": "text".dropFirst(1),
            ]) == #"{"a":"2026-02-25T06:13:20Z","b":"+/8=","c":"http://x/?y","d":"ext"}"#)
    }

    @Test("concrete containers and those of Foundation are recognized")
    func containers() throws {
        // The cast lets objects that are not Sendable into the parameters.
        let objects: [String: Any] = [
            "e": NSArray(array: ["a", NSNumber(value: true), NSNull(), 1.5]),
            "f": NSDictionary(dictionary: ["k": NSString("v")]), "g": NSString("s"),
        ]
        var parameters = (objects as Any) as? [String: any Sendable] ?? [:]
        parameters["a"] = [1]
        parameters["b"] = ["x"]
        parameters["c"] = ["y": 2, "x": 1]
        parameters["d"] = [["z": [1.5]]]
        #expect(
            try json(Parameters(parameters)) == """
                {"a":[1],"b":["x"],"c":{"x":1,"y":2},"d":[{"z":[1.5]}],"e":["a",true,null,1.5],\
                "f":{"k":"v"},"g":"s"}
                """)
    }
}

@Suite("JSONRequestSerializer options")
struct JSONRequestSerializerOptionTests {
    @Test("pretty-printed text has one member per line, indented by two spaces per level")
    func prettyPrinted() throws {
        #expect(
            try body(
                [
                    "b": [1, [2]] as [any Sendable],
                    "a": ["x": [Int](), "y": [String: Int]()] as Parameters,
                ] as Parameters,
                by: JSONRequestSerializer(writingOptions: .prettyPrinted)
            ) == """
                {
                  "a": {
                    "x": [],
                    "y": {}
                  },
                  "b": [
                    1,
                    [
                      2
                    ]
                  ]
                }
                """)
        #expect(try body([:], by: JSONRequestSerializer(writingOptions: .prettyPrinted)) == "{}")
    }

    @Test("slashes and non-ASCII characters are escaped on request, in keys and values")
    func escaped() throws {
        let parameters: Parameters = ["é/": "</😀\u{7F}\n"]
        #expect(
            try body(parameters, by: JSONRequestSerializer(writingOptions: .escapedSlashes))
                == "{\"é\\/\":\"<\\/😀\u{7F}\\n\"}")
        #expect(
            try body(parameters, by: JSONRequestSerializer(writingOptions: .escapedNonASCII))
                == "{\"\\u00e9/\":\"</\\ud83d\\ude00\u{7F}\\n\"}")
    }

    @Test("dates and data follow the serializer's options")
    func datesAndData() throws {
        var serializer = JSONRequestSerializer()
        let parameters: Parameters = [
            "a": Date(timeIntervalSince1970: 1_772_000_000.5), "b": [Data([0xFB, 0xFF])],
        ]
        serializer.dates = .secondsSince1970
        serializer.data = .hexadecimal
        #expect(try body(parameters, by: serializer) == #"{"a":1772000000.5,"b":["fbff"]}"#)
        serializer.dates = .millisecondsSince1970
        serializer.data = .custom { "\"\($0.count)" }
        #expect(try body(parameters, by: serializer) == #"{"a":1772000000500,"b":["\"2"]}"#)
        serializer.dates = .custom { _ in "é" }
        #expect(try body(parameters, by: serializer) == #"{"a":"é","b":["\"2"]}"#)
    }
}
