import Foundation
import Testing

import Bluebonnet

/// Foundation's decoder traps for some of these texts, so without the library's checks the process
/// ends.
@Suite("JSON5")
struct JSON5Tests {
    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return decoder
    }

    private func read<T: Decodable>(
        _ type: T.Type, _ text: some Sequence<UInt8>, isDictionary: Bool = false
    ) throws -> T {
        let decoder = Self.decoder
        decoder.assumesTopLevelDictionary = isDictionary
        return try TypedJSONReader(decoder).value(type, of: JSONText(Data(text)))
    }

    @Test("a number of any length is read at the end of a text, or is an error of decoding")
    func longNumbers() throws {
        for count in [1, 19, 20, 31, 39, 40, 41, 64, 300, 400, 1000, 4096] {
            let digits = String(repeating: "1", count: count)
            // What follows the text in memory differs each time.
            for _ in 0..<10 {
                for number in [digits, "-\(digits)", "0.\(digits)", "+.\(digits)", "1e-\(digits)"] {
                    let inside = try? read([Double].self, "[\(number)]".utf8)
                    #expect((try? read(Double.self, number.utf8)) == inside?.first)
                    let member = try? read(
                        [String: Double].self, "a:\(number)".utf8, isDictionary: true)
                    #expect(member?["a"] == inside?.first)
                    _ = try? read(Float.self, number.utf8)
                    _ = try? read(Int.self, number.utf8)
                    _ = try? read(Decimal.self, number.utf8)
                }
            }
        }
        let number = String(repeating: "1", count: 40)
        #expect(try read(Double.self, number.utf8) == Double(number))
    }

    @Test(
        "a malformed number is an error with its position, wherever it is",
        arguments: [
            "1e+", "1e-", "-1.5e+", ".5e-", "0x0x", "0X1x2", "+0x0X", "0x", "-", "+", ".", "1..2",
            "1.2.3",
            "1-2", "1e", "0xg", "12ab", "--1", "1e+x",
        ])
    func malformedNumbers(number: String) {
        for (before, after) in [
            ("", ""), ("[", "]"), ("{a:", "}"), ("[1,/* 1 */", ",2]"), ("[// x\n", "]"),
            ("['\\'\"',", "]"),
            ("{'a\\\nb':0x1F,\"c\":", "}"), (" [\"\\u00e9\\x41\", ", "]"), ("[/*/ */", "]"),
        ] {
            let text = before + number + after
            func refusal<T: Decodable>(_ type: T.Type) -> JSONResponseSerializer.ParseError? {
                #expect(throws: JSONResponseSerializer.ParseError.self) {
                    try read(type, text.utf8)
                }
            }
            #expect(refusal([Double].self)?.byteOffset == before.utf8.count, "\(text)")
            #expect(refusal(Int.self)?.message == "malformed number")
        }
    }

    @Test("invalid UTF-8, and a start like that of another encoding, are errors")
    func otherBytes() {
        let texts: [[UInt8]] = [
            Array("{".utf8) + [0xFF, 0x3A, 0x31, 0x7D],
            Array("{a".utf8) + [0xED, 0xA0, 0x80, 0x3A, 0x31, 0x7D],
            [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array("0x0x".utf8),
            Array("[\"".utf8) + [0, 0x22, 0x5D],
        ]
        for text in texts {
            #expect(throws: JSONResponseSerializer.ParseError.self) {
                try read([String: Int].self, text)
            }
        }
    }

    @Test(
        "texts without malformed numbers are read like by JSONDecoder",
        arguments: [
            "[+1, -1, .5, 5., 5.e3, +.5e-3, 0x1F, -0xff, 0, -0, 1E+2, 0.0]",
            "{a: 1, 'b': 2, \"c\": 3, $d: 4, _e1: 5, é2: 6, f0x0x: 7, \\u0061b: 8,}",
            "// 1e+\n[1, /* 0x0x ** / 1e- */ 2, /*/ 1e+ */ 3] // 1e+",
            "[Infinity, -Infinity, +Infinity, NaN, -NaN]",
            "['1e+', \"0x0x\", 'it\\'s 1e+', '\\\n1e-', '\\x41\\u0031']",
            "[true, false, null, ]", "  'a'  ", "\u{B}\u{C}[1]\r\n", "{}", "[]", "'\\\\'",
            "['\\\\', '1e+']",
        ])
    func validTexts(text: String) throws {
        struct Shown: Decodable, Equatable {
            let text: String

            init(from decoder: any Decoder) throws {
                if var list = try? decoder.unkeyedContainer() {
                    var texts: [String] = []
                    while !list.isAtEnd { texts.append(try list.decode(Shown.self).text) }
                    text = "\(texts)"
                } else if let object = try? decoder.singleValueContainer().decode(
                    [String: Shown].self)
                {
                    text = "\(object.map { "\($0.key): \($0.value.text)" }.sorted())"
                } else {
                    let value = try decoder.singleValueContainer()
                    let number = (try? value.decode(Double.self)).map { "\($0)" }
                    text =
                        try number ?? (try? value.decode(Bool.self)).map { "\($0)" }
                        ?? (value.decodeNil() ? "null" : value.decode(String.self))
                }
            }
        }
        #expect(
            try read(Shown.self, text.utf8)
                == Self.decoder.decode(Shown.self, from: Data(text.utf8)))
    }
}
