import Bluebonnet
import Testing

@testable import BluebonnetTesting

@Suite("A JSON reader that keeps lines and tokens")
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue { try CassetteJSONReader.read(text.utf8) }

    @Test(
        "the texts of RFC 8259 are read, and every token is written back unchanged",
        arguments: [
            "0", "-0", "1.10", "1e400", "12345678901234567890", "-12.5E+07", "true", "false",
            "null",
            #""""#, #""é\u00e9\/\"\\\b\f\n\r\t😀""#, #""\ud83d\ude00\ud800""#, "[]", "{}", "[[],{}]",
            #"{"b":1.0,"a":[1,2,{"c":null}],"":""}"#,
        ])
    func tokens(text: String) throws {
        #expect(try read(text).compactText == text)
        let pretty = try read(" \t\r\n\(text)\n").prettyText
        #expect(try read(pretty).compactText == text)
    }

    @Test("a pretty text has each member and element on a line of its own")
    func pretty() throws {
        let text = try read(#"{"a":[1,{"b":[]}],"c":{}}"#).prettyText
        #expect(
            text == """
                {
                  "a": [
                    1,
                    {
                      "b": []
                    }
                  ],
                  "c": {}
                }
                """)
    }

    @Test("escapes are undone, and text is escaped no more than it has to be")
    func strings() throws {
        #expect(try read(#""\ud83d\ude00 \u00E9\/\n""#).text == "😀 é/\n")
        #expect(try read(#""\ud800x""#).text == "\u{FFFD}x")
        let text = "a\"\\/\u{1}\u{1F}\n\r\té😀\u{7F}"
        #expect(JSONString(text).token == #""a\"\\/\u0001\u001f\n\r\té😀"# + "\u{7F}\"")
        #expect(JSONString(text).text == text)
    }

    @Test(
        "what is no JSON is a fault with its line",
        arguments: [
            ("", 1, "truncated"), ("\n\n", 3, "truncated"), ("{\n\"a\":", 2, "truncated"),
            ("[1,\n2", 2, "truncated"), ("\"ab", 1, "truncated"), ("\"ab\\", 1, "truncated"),
            ("[\n1,\n]", 3, "a value, but found ]"), ("{\n\"a\":1,\n}", 3, "quotes, but found }"),
            ("{a:1}", 1, "quotes, but found a"), ("{\"a\" 1}", 1, "colon"), ("[1 2]", 1, "comma"),
            ("01", 1, "1 follows the end"), ("1.", 1, "truncated"), ("[.5]", 1, "but found ."),
            ("[+1]", 1, "but found +"), ("[1.x]", 1, "digit, but found x"), ("-", 1, "truncated"),
            ("[NaN]", 1, "but found N"), ("[truex]", 1, "array, but found x"),
            ("tru", 1, "but found t"),
            ("\"a\nb\"", 1, "line break"), (#""\x""#, 1, #"\x"#), (#""\u12g4""#, 1, "hexadecimal"),
            ("1\n2", 2, "2 follows the end"), ("\u{FEFF}1", 1, "value, but found U+FEFF"),
            ("{\n\"a\":1,\n\"\\u0061\":2}", 3, "occurs twice"), ("'a'", 1, "but found '"),
            ("[1] // no", 1, "/ follows the end"),
        ])
    func faults(text: String, line: Int, message: String) throws {
        let fault = try #require(throws: CassetteJSONReader.Fault.self) { try read(text) }
        #expect(fault.line == line)
        #expect(fault.message.contains(message), "\(fault.message)")
    }

    @Test("bytes that are no UTF-8 are a fault with their line")
    func encoding() throws {
        let fault = try #require(throws: CassetteJSONReader.Fault.self) {
            try CassetteJSONReader.read([UInt8]("[\n\"".utf8) + [0xC3, 0x28] + "\"]".utf8)
        }
        #expect(fault.line == 2 && fault.message.contains("UTF-8"))
    }

    @Test("nesting ends at a depth that a worker's stack can hold")
    func depth() async throws {
        let deep = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        let objects =
            String(repeating: #"{"a":"#, count: 128) + "1" + String(repeating: "}", count: 128)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                #expect((try? read(deep))?.compactText == deep)
                #expect((try? read(objects))?.compactText == objects)
                continuation.resume()
            }
        }
        let fault = try #require(throws: CassetteJSONReader.Fault.self) { try read("[\(deep)]") }
        #expect(fault.message.contains("nested"))
    }

    @Test("values know their lines and bytes")
    func places() throws {
        let text = "{\n \"a\": [\n 1,\n \"é\"]}"
        guard case .object(let members) = try read(text).content,
            case .array(let elements) = members[0].value.content
        else { return #expect(Bool(false)) }
        #expect(members[0].line == 2 && members[0].value.line == 2)
        #expect(elements.map(\.line) == [3, 4])
        let bytes = Array(text.utf8)
        #expect(String(decoding: bytes[elements[1].range], as: UTF8.self) == "\"é\"")
    }
}
