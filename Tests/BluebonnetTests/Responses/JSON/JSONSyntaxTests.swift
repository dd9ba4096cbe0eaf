import Bluebonnet
import Foundation
import Testing

/// Returns the error of a body that is not JSON, or nil if the body is read or refused for another
/// reason.
func parseError(
    _ serializer: some ResponseSerializer,
    _ body: Data
) -> JSONResponseSerializer.ParseError? {
    do {
        _ = try serializer.serialize(body, head: nil)
        return nil
    } catch {
        return error as? JSONResponseSerializer.ParseError
    }
}

func parseError(
    _ serializer: some ResponseSerializer,
    _ text: String
) -> JSONResponseSerializer.ParseError? {
    parseError(serializer, Data(text.utf8))
}

@Suite("JSON errors have a message and a byte offset")
struct JSONSyntaxTests {
    private let serializer = JSONResponseSerializer(allowsFragments: true)

    @Test(
        "each deviation from the grammar has its offset and message",
        arguments: [
            ("[1 2]", 3, "unexpected \"2\" where a comma or the end should be"),
            ("[\"é\" 1]", 6, "unexpected \"1\" where a comma or the end should be"),
            ("{\"a\":xyz}", 5, "unexpected \"x\" where a value should be"),
            ("[1]x", 3, "unexpected \"x\" after the end of the text"),
            ("[,1]", 1, "unexpected \",\" where a value should be"),
            ("[1,,2]", 3, "unexpected \",\" where a value should be"),
            ("{1:1}", 1, "unexpected \"1\" where a key should be"),
            ("{\"a\":1,b}", 7, "unexpected \"b\" where a key should be"),
            ("{\"a\"=1}", 4, "unexpected \"=\" where a colon should be"),
            ("[}", 1, "unexpected \"}\" where a value should be"),
            ("[1}", 2, "unexpected \"}\" where a comma or the end should be"),
            ("[nul]", 4, "unexpected \"]\" in null"),
            ("[truE]", 4, "unexpected \"E\" in true"),
            ("fals", 4, "unexpected end of the text"),
            ("  \n", 3, "unexpected end of the text"),
            ("[01]", 2, "unexpected \"1\" where a comma or the end should be"),
            ("[1.]", 3, "unexpected \"]\" where a digit should be"),
            ("[-x]", 2, "unexpected \"x\" where a digit should be"),
            ("[1e+]", 4, "unexpected \"]\" where a digit should be"),
            ("-", 1, "unexpected end of the text"),
            ("[1e5e]", 4, "unexpected \"e\" where a comma or the end should be"),
            ("[1\u{A0}]", 2, "unexpected byte 0xc2 where a comma or the end should be"),
            ("[\"a\nb\"]", 3, "an unescaped control character in a string"),
            ("\"\\x\"", 2, "unexpected \"x\" after a backslash"),
            ("\"\\u12g4\"", 5, "unexpected \"g\" where a hexadecimal digit should be"),
            ("\"\\u12", 5, "unexpected end of the text"),
            ("\"a\\ud800\"", 2, "half of a surrogate pair"),
            ("\"a\\udc00\"", 2, "half of a surrogate pair"),
            ("\"a\\ud800\\n\"", 2, "half of a surrogate pair"),
            ("\"a\\ud800\\ud800\"", 2, "half of a surrogate pair"),
            ("\"abc", 4, "unexpected end of the text"),
            ("{\"a\":[1,{\"b\":2}", 15, "unexpected end of the text"),
        ])
    func places(_ text: String, _ offset: Int, _ message: String) throws {
        let error = try #require(parseError(serializer, text))
        #expect(error.byteOffset == offset)
        #expect(error.message == message)
        #expect(error.description == "invalid JSON: \(message) at byte \(offset)")
        // Decoding a type gives the same error.
        #expect(parseError(DecodableResponseSerializer(AnyJSON?.self), text) == error)
    }

    @Test(
        "invalid UTF-8 is found at the first byte of the character",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF],
            [0xED, 0xA0, 0x80], [0xEF, 0xBF], [0xE2, 0x28, 0xA1], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF1, 0x80, 0x80, 0xC0], [0xF5], [0xFF],
        ] as [[UInt8]])
    func invalidUTF8(_ bytes: [UInt8]) throws {
        let body = Data("[\"é😀".utf8) + bytes + Data("\"]".utf8)
        let error = try #require(parseError(serializer, body))
        #expect(error.byteOffset == 8)
        #expect(error.message == "invalid UTF-8")
        #expect(parseError(serializer, body.prefix(8 + bytes.count))?.byteOffset == 8)
    }

    @Test("the scan agrees with simdjson on the first and last character of each length")
    func validUTF8() throws {
        let text = "\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{FFFFF}\u{10FFFF}"
        // The large integer makes the scan check the text.
        let body = Data("[18446744073709551616,\"\(text)\\udbff\\udfff\"]".utf8)
        let array = try #require(try serializer.serialize(body, head: nil) as? [Any])
        #expect(array.last as? String == text + "\u{10FFFF}")
    }

    @Test("the offset is in the body, also after a byte order mark and in UTF-16 and UTF-32")
    func encodings() throws {
        let text = "[\"é😀\",x]"
        let cases: [(String.Encoding, [UInt8], Int)] = [
            (.utf8, [0xEF, 0xBB, 0xBF], 13), (.utf16LittleEndian, [], 14),
            (.utf16BigEndian, [0xFE, 0xFF], 16), (.utf32LittleEndian, [], 24),
            (.utf32BigEndian, [0, 0, 0xFE, 0xFF], 28),
        ]
        for (encoding, mark, offset) in cases {
            let body = Data(mark) + (try #require(text.data(using: encoding)))
            #expect(parseError(serializer, body)?.byteOffset == offset, "\(encoding) \(mark)")
        }
    }
}
