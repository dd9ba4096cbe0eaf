import Foundation
import Testing

import Bluebonnet

@Suite("RequestSerializer query encoding")
struct QueryRequestSerializerTests {
    func query(_ parameters: Parameters) throws -> String? {
        try body(parameters, by: HTTPRequestSerializer())
    }

    @Test("reserved characters except / and ? are escaped in keys and values")
    func escaping() throws {
        let reserved = " :#[]@!$&'()*+,;=/?"
        let escaped = "%20%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D/?"
        #expect(try query([reserved: reserved]) == "\(escaped)=\(escaped)")
        #expect(try url([reserved: reserved]) == "http://h/p?\(escaped)=\(escaped)")
        #expect(
            try query(["aZ09-._~": "é€😀\u{0}\n"])
                == "aZ09-._~=%C3%A9%E2%82%AC%F0%9F%98%80%00%0A")
    }

    @Test("escaped text is escaped again")
    func escapedTwice() throws {
        #expect(try query(["%5B": "%20"]) == "%255B=%2520")
    }

    @Test("dictionaries, arrays and sets use brackets, sorted by key")
    func containers() throws {
        let parameters: Parameters = [
            "z": ["b": 1, "a": ["d": [1, 2], "c": ["x"]] as Parameters] as Parameters,
            "list": [3, 1, 2],
            "set": Set([10, 9, 1]),
            "rows": [["a": 1], ["a": 2]],
            "deep": [[1], [2, 3]],
        ]
        let expected = [
            "deep[][]=1", "deep[][]=2", "deep[][]=3", "list[]=3", "list[]=1", "list[]=2",
            "rows[][a]=1", "rows[][a]=2", "set=1", "set=10", "set=9",
            "z[a][c][]=x", "z[a][d][]=1", "z[a][d][]=2", "z[b]=1",
        ].joined(separator: "&")
        #expect(try query(parameters)?.removingPercentEncoding == expected)
        #expect(try query(["a": ["b[]": [1]]]) == "a%5Bb%5B%5D%5D%5B%5D=1")
    }

    @Test("null is a name without =, and an empty string has it")
    func null() throws {
        let parameters: Parameters = [
            "a": NSNull(), "b": Int?.none, "c": "", "d": [Int?.some(1), nil],
            "e": Int??.some(nil) as Any,
        ]
        #expect(try query(parameters) == "a&b&c=&d%5B%5D=1&d%5B%5D&e")
    }

    @Test("a Bool is 1 or 0, even as NSNumber")
    func bools() throws {
        #expect(
            try query(["a": true, "b": false, "c": NSNumber(value: true), "d": Bool?(false)])
                == "a=1&b=0&c=1&d=0")
    }

    @Test("numbers are exact and have the shortest form, and 1.0 is 1")
    func numbers() throws {
        let parameters: Parameters = [
            "a": 1, "b": Int8(-3), "c": UInt64.max, "d": 1.0, "e": 0.1, "f": Float(0.1),
            "g": 1e21, "h": NSNumber(value: 1.0), "i": NSNumber(value: UInt64.max), "j": -0.0,
            "k": Decimal(string: "1.50"), "l": UInt128.max, "m": NSDecimalNumber(string: "0.3"),
        ]
        let maximum = "340282366920938463463374607431768211455"
        #expect(
            try query(parameters) == """
                a=1&b=-3&c=18446744073709551615&d=1&e=0.1&f=0.1&g=1e%2B21&h=1&i=18446744073709551615\
                &j=-0&k=1.5&l=\(maximum)&m=0.3
                """)
    }

    @Test("dates are ISO 8601, data is Base64, URLs and substrings are strings")
    func otherScalars() throws {
        let parameters: Parameters = [
            "a": Date(timeIntervalSince1970: 1.9), "b": Data([0xFB, 0xFF]),
            "c": URL(string: "http://x/?y"), "d": "text".dropFirst(1),
        ]
        #expect(
            try query(parameters)
                == "a=1970-01-01T00%3A00%3A01Z&b=%2B/8%3D&c=http%3A//x/?y&d=ext")
    }

    @Test("Python reads every key and value back", .enabled(if: Python.isInstalled, Python.comment))
    func readBackByPython() throws {
        let script = """
            import sys, json, urllib.parse
            pairs = urllib.parse.parse_qsl(sys.stdin.read(), keep_blank_values=True,
                                           strict_parsing=False, errors="strict")
            print(json.dumps(pairs))
            """
        let query = try #require(
            try query([
                "k é+&=#": "v +&=;%20\u{1}😀", "n": ["ö": [1.5, 2]], "null": NSNull(),
            ]))
        let pairs = try Python.run(script, input: query)
        #expect(
            try JSONDecoder().decode([[String]].self, from: pairs) == [
                ["k é+&=#", "v +&=;%20\u{1}😀"], ["n[ö][]", "1.5"], ["n[ö][]", "2"], ["null", ""],
            ])
    }
}
