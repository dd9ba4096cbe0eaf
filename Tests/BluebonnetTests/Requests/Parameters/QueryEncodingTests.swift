import Foundation
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("QueryEncoding")
struct QueryEncodingTests {
    /// Returns the form of the parameters, after a check that a URL's query has the same bytes.
    func form(
        _ parameters: Parameters,
        _ change: (inout QueryEncoding) -> Void
    ) throws -> String? {
        var serializer = HTTPRequestSerializer()
        change(&serializer.queryEncoding)
        let text = try body(parameters, by: serializer)
        let address = try url(parameters, by: serializer)
        #expect(address == (text == "" ? "http://h/p" : "http://h/p?\(text ?? "")"))
        #expect(try serializer.queryEncoding.string(of: parameters) == text)
        return text
    }

    @Test("array elements have brackets, no suffix, their index, or a closure's result")
    func arrays() throws {
        let parameters: Parameters = [
            "a": [1, 2], "b": [["k": [3]], ["k": [4, 5]]], "c": Set([7, 6]), "d": [[8], [9]],
        ]
        #expect(
            try form(parameters) { $0.arrays = .brackets } == """
                a%5B%5D=1&a%5B%5D=2&b%5B%5D%5Bk%5D%5B%5D=3&b%5B%5D%5Bk%5D%5B%5D=4&\
                b%5B%5D%5Bk%5D%5B%5D=5&c=6&c=7&d%5B%5D%5B%5D=8&d%5B%5D%5B%5D=9
                """)
        #expect(
            try form(parameters) { $0.arrays = .none }
                == "a=1&a=2&b%5Bk%5D=3&b%5Bk%5D=4&b%5Bk%5D=5&c=6&c=7&d=8&d=9")
        #expect(
            try form(parameters) { $0.arrays = .indices } == """
                a%5B0%5D=1&a%5B1%5D=2&b%5B0%5D%5Bk%5D%5B0%5D=3&b%5B1%5D%5Bk%5D%5B0%5D=4&\
                b%5B1%5D%5Bk%5D%5B1%5D=5&c=6&c=7&d%5B0%5D%5B0%5D=8&d%5B1%5D%5B0%5D=9
                """)
        #expect(
            try form(parameters) { $0.arrays = .custom { "\($0).\($1 + 1)" } } == """
                a.1=1&a.2=2&b.1%5Bk%5D.1=3&b.2%5Bk%5D.1=4&b.2%5Bk%5D.2=5&c=6&c=7&d.1.1=8&d.2.1=9
                """)
    }

    @Test("a Bool is a number or a word everywhere, and numbers stay numbers")
    func booleans() throws {
        let parameters: Parameters = [
            "a": true, "b": [false], "c": NSNumber(value: true), "d": Bool?(false), "e": 1,
            "f": NSNumber(value: 0), "g": 1.0, "h": Set([true]),
        ]
        #expect(
            try form(parameters) { $0.booleans = .numeric }
                == "a=1&b%5B%5D=0&c=1&d=0&e=1&f=0&g=1&h=1")
        #expect(
            try form(parameters) { $0.booleans = .literal }
                == "a=true&b%5B%5D=false&c=true&d=false&e=1&f=0&g=1&h=true")
    }

    @Test("dates are ISO 8601, seconds, milliseconds, or a closure's result")
    func dates() throws {
        let parameters: Parameters = [
            "a": Date(timeIntervalSince1970: 1_772_000_000),
            "b": [Date(timeIntervalSince1970: -1.5)],
        ]
        let expected: [(ParameterDateEncoding, String)] = [
            (.iso8601, "a=2026-02-25T06%3A13%3A20Z&b%5B%5D=1969-12-31T23%3A59%3A58Z"),
            (.secondsSince1970, "a=1772000000&b%5B%5D=-1.5"),
            (.millisecondsSince1970, "a=1772000000000&b%5B%5D=-1500"),
            (.custom { "+\($0.timeIntervalSince1970 + 1)" }, "a=%2B1772000001.0&b%5B%5D=%2B-0.5"),
        ]
        for (dates, text) in expected { #expect(try form(parameters) { $0.dates = dates } == text) }
    }

    @Test("every style but the first keeps the fraction of a date, without extra digits")
    func fractions() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            let milliseconds = Int.random(in: 0..<2_000_000_000_000, using: &generator)
            let reference = Double(milliseconds) / 1000 - 978_307_200
            for date in [
                Date(timeIntervalSince1970: Double(milliseconds) / 1000),
                Date(timeIntervalSinceReferenceDate: reference),
            ] {
                let parameters: Parameters = ["a": date]
                #expect(
                    try form(parameters) { $0.dates = .millisecondsSince1970 }
                        == "a=\(milliseconds)")
                let seconds = try #require(try form(parameters) { $0.dates = .secondsSince1970 })
                #expect(Decimal(string: "\(seconds.dropFirst(2))") == Decimal(milliseconds) / 1000)
                let text = try #require(
                    try form(parameters) { $0.dates = .iso8601WithFractionalSeconds })
                let rest = String(format: "%03d", milliseconds % 1000)
                #expect(text.hasSuffix(".\(rest)Z"), "\(text) \(milliseconds)")
            }
        }
        let date = Date(timeIntervalSince1970: 1_772_000_000.123456)
        let parameters: Parameters = ["a": date]
        #expect(try form(parameters) { $0.dates = .secondsSince1970 } == "a=1772000000.123456")
        #expect(try form(parameters) { $0.dates = .millisecondsSince1970 } == "a=1772000000123.456")
        #expect(try form(parameters) { $0.dates = .iso8601 } == "a=2026-02-25T06%3A13%3A20Z")
    }

    @Test("indices count only encoded elements, so omitted ones leave no gap")
    func gaps() throws {
        let nothing = Int?.none
        let parameters: Parameters = [
            "a": [nothing, 1, nothing, 2], "b": [[], ["x"], [nothing], ["y"]] as [[any Sendable]],
            "c": [["k": nothing], ["k": 3]],
        ]
        #expect(
            try form(parameters) {
                $0.arrays = .indices
                $0.nulls = .omitted
            } == "a%5B0%5D=1&a%5B1%5D=2&b%5B0%5D%5B0%5D=x&b%5B1%5D%5B0%5D=y&c%5B0%5D%5Bk%5D=3")
        #expect(
            try form(["a": [nothing, 1]]) {
                $0.arrays = .custom { "\($0).\($1)" }
                $0.nulls = .omitted
            } == "a.0=1")
        #expect(try form(["a": [nothing, 1]]) { $0.arrays = .indices } == "a%5B0%5D&a%5B1%5D=1")
    }

    @Test("without sorting, pairs keep their given order, except those of dictionaries")
    func unsorted() throws {
        struct Filter: Encodable, Sendable {
            var to = 1
            var from = 2
            var tags = ["z": 1, "y": 2, "x": 3]
        }
        var parameters: Parameters = [
            "q": 1, "a": ["z": 1, "b": 2] as Parameters, "filter": Filter(), "": 4,
        ]
        let unsorted: (inout QueryEncoding) -> Void = { $0.sortsKeys = false }
        let tail = "filter%5Btags%5D%5Bx%5D=3&filter%5Btags%5D%5By%5D=2&filter%5Btags%5D%5Bz%5D=1"
        #expect(
            try form(parameters, unsorted) == """
                q=1&a%5Bz%5D=1&a%5Bb%5D=2&filter%5Bto%5D=1&filter%5Bfrom%5D=2&\(tail)&=4
                """)
        parameters["q"] = nil
        parameters["filter"] = 5
        parameters.merge(["q": 6, "b": 7])
        #expect(try form(parameters, unsorted) == "a%5Bz%5D=1&a%5Bb%5D=2&filter=5&=4&q=6&b=7")
        #expect(try form(parameters) { _ in } == "=4&a%5Bb%5D=2&a%5Bz%5D=1&b=7&filter=5&q=6")
        #expect(
            try form(["bC": 1, "aB": 2]) {
                $0.sortsKeys = false
                $0.keys = .snakeCase
            } == "b_c=1&a_b=2")
        #expect(try form(Parameters(["b": 1, "a": 2]), unsorted) == "a=2&b=1")
    }

    @Test("data is Base64, hexadecimal, or a closure's result")
    func data() throws {
        let parameters: Parameters = ["a": Data([0xFB, 0xFF, 0x00]), "b": [Data()]]
        let expected: [(ParameterDataEncoding, String)] = [
            (.base64, "a=%2B/8A&b%5B%5D="), (.hexadecimal, "a=fbff00&b%5B%5D="),
            (.custom { "\($0.count) bytes" }, "a=3%20bytes&b%5B%5D=0%20bytes"),
        ]
        for (data, text) in expected { #expect(try form(parameters) { $0.data = data } == text) }
    }

    @Test("keys are unchanged, snake case, kebab case, or a closure's result, at every level")
    func keys() throws {
        let parameters: Parameters = [
            "userID": ["homeAddress": 1], "URLPath": ["x2Y"], "already_snake": 2, "ÄrgerÖl": 3,
            "": 4, "a b": 5, "_tail": 6,
        ]
        #expect(
            try form(parameters) { $0.keys = .unchanged } == """
                =4&URLPath%5B%5D=x2Y&_tail=6&a%20b=5&already_snake=2&userID%5BhomeAddress%5D=1&\
                %C3%84rger%C3%96l=3
                """)
        #expect(
            try form(parameters) { $0.keys = .snakeCase } == """
                =4&_tail=6&a%20b=5&already_snake=2&url_path%5B%5D=x2Y&user_id%5Bhome_address%5D=1&\
                %C3%A4rger_%C3%B6l=3
                """)
        #expect(
            try form(parameters) { $0.keys = .kebabCase } == """
                =4&_tail=6&a%20b=5&already_snake=2&url-path%5B%5D=x2Y&user-id%5Bhome-address%5D=1&\
                %C3%A4rger-%C3%B6l=3
                """)
        #expect(
            try form(["b": ["c": 1], "a": 2]) { $0.keys = .custom { $0 == "a" ? "z" : "\($0)!" } }
                == "b%21%5Bc%21%5D=1&z=2")
    }

    @Test(
        "a word begins at a capital after a lowercase letter or digit, or before lowercase",
        arguments: [
            ("userID", "user_id"), ("URLPath", "url_path"), ("parseHTTPHead", "parse_http_head"),
            ("md5Sum", "md5_sum"), ("A", "a"), ("ABC", "abc"), ("aB", "a_b"), ("A_B", "a_b"),
            ("_private", "_private"), ("", ""), ("snake_case", "snake_case"),
        ]
    )
    func words(key: String, expected: String) {
        #expect(QueryEncoding.KeyStyle.snakeCase.spelling(of: key) == expected)
    }

    @Test("null is a name, an empty value, the word, or omitted")
    func nulls() throws {
        let parameters: Parameters = ["a": NSNull(), "b": [Int?.some(1), nil], "c": ""]
        let expected: [(QueryEncoding.NullStyle, String)] = [
            (.nameOnly, "a&b%5B%5D=1&b%5B%5D&c="), (.emptyValue, "a=&b%5B%5D=1&b%5B%5D=&c="),
            (.null, "a=null&b%5B%5D=1&b%5B%5D=null&c="), (.omitted, "b%5B%5D=1&c="),
        ]
        for (nulls, text) in expected { #expect(try form(parameters) { $0.nulls = nulls } == text) }
        #expect(try form(["a": NSNull()]) { $0.nulls = .omitted } == "")
    }

    @Test("text can be escaped separately, for closures that write queries")
    func escaped() {
        #expect(
            QueryEncoding.escaped(" :#[]@!$&'()*+,;=/?")
                == "%20%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D/?")
        #expect(QueryEncoding.escaped("%20é") == "%2520%C3%A9")
    }

    @Test("a space is %20 or +, and a plus is always %2B")
    func spaces() throws {
        let parameters: Parameters = ["a b": "c d+e", "n": ["x y": [" "]]]
        #expect(
            try form(parameters) { $0.spaces = .percent }
                == "a%20b=c%20d%2Be&n%5Bx%20y%5D%5B%5D=%20")
        #expect(try form(parameters) { $0.spaces = .plus } == "a+b=c+d%2Be&n%5Bx+y%5D%5B%5D=+")
    }

    @Test("large integers have all digits, and doubles the shortest form that reads back")
    func numbers() throws {
        #expect(
            try form([
                "a": UInt64.max, "b": Int128.min, "c": 9_007_199_254_740_993, "d": 100.0, "e": 1e15,
                "f": 1e16, "g": Double.leastNonzeroMagnitude, "h": 0.1 + 0.2,
                "i": Float(16_777_216),
                "j": Decimal(string: "123456789012345678901234567890.5"),
            ]) { _ in } == """
                a=18446744073709551615&b=-170141183460469231731687303715884105728&\
                c=9007199254740993&d=100&e=1000000000000000&f=1e%2B16&g=5e-324&h=0.30000000000000004&\
                i=16777216&j=123456789012345678901234567890.5
                """)
    }

    @Test("text is escaped by the bytes of the string encoding")
    func stringEncoding() throws {
        var serializer = HTTPRequestSerializer()
        serializer.stringEncoding = .isoLatin1
        #expect(try body(["é": "ü+"], by: serializer) == "%E9=%FC%2B")
        #expect(try url(["é": "ü+"], by: serializer) == "http://h/p?%E9=%FC%2B")
        serializer.stringEncoding = .shiftJIS
        #expect(try body(["k": "あ"], by: serializer) == "k=%82%A0")
        serializer.stringEncoding = .ascii
        #expect(try failure(["a": ["b": "é"]], by: serializer)?.keyPath == "a[b]")
        #expect(try failure(["a": ["é": 1]], by: serializer)?.keyPath == "a[é]")
        serializer.stringEncoding = .utf16
        #expect(try failure(["a": 1], by: serializer)?.reason.contains("ASCII") == true)
    }

    @Test("a closure's error is an error with the key path, in queries and in JSON")
    func closureErrors() throws {
        struct Refusal: Error {}
        var http = HTTPRequestSerializer()
        http.queryEncoding.dates = .custom { _ in throw Refusal() }
        http.queryEncoding.data = .custom { _ in throw Refusal() }
        var json = JSONRequestSerializer()
        json.dates = .custom { _ in throw Refusal() }
        json.data = .custom { _ in throw Refusal() }
        for value in [Date(), Data()] as [any Sendable] {
            for serializer in [http, json] as [any RequestSerializer] {
                let error = try failure(["a": ["b": [1, value]] as Parameters], by: serializer)
                #expect(error?.keyPath == "a.b[1]")
                #expect(error?.reason.contains("Refusal") == true)
            }
        }
    }
}
