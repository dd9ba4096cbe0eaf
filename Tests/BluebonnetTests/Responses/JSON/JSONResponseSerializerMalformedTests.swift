import Bluebonnet
import Foundation
import Testing

@Suite("Malformed JSON in JSONResponseSerializer")
struct JSONResponseSerializerMalformedTests {
    private let serializer = JSONResponseSerializer()

    @Test(
        "malformed JSON is an error",
        arguments: [
            "[", "]", "{", "[1 2]", "{\"a\" 1}", "{a:1}", "{'a':1}", "[01]", "[1.]", "[.5]", "[+1]",
            "[-]", "[NaN]", "[Infinity]", "[tru]", "[\"a]", "[\"\t\"]", "[\"\\x\"]",
            "[\"\\ud800\"]",
            "[]x", "[,1]", "[1,,2]", "{\"a\":1,,}", "// a\n[]", "[1e400]", "\u{1}",
        ])
    func malformed(_ text: String) {
        #expect(refusal(serializer, text) != nil)
    }

    @Test(
        "a trailing comma is refused with its position (RFC 8259)",
        arguments: [
            ("[1,]", 2), ("{\"a\":1,}", 6), ("[1,\n\t ]", 2), ("[[1],]", 4), ("[\"a\",]", 4),
            ("[{\"a\":\"b\",}]", 9),
        ])
    func trailingComma(_ text: String, _ offset: Int) throws {
        let error = try #require(parseError(serializer, text))
        #expect(error.byteOffset == offset)
        #expect(error.message == "trailing comma")
        #expect(parseError(DecodableResponseSerializer(AnyJSON.self), text) == error)
    }

    @Test(
        "commas in strings are not trailing commas",
        arguments: [
            #"[",]"]"#, #"{"a,}":",}"}"#, #"["\",]"]"#, #"["\\",1]"#, #"[",\\"]"#, #"["a",[]]"#,
            #"["a","]"]"#, #"[",",{}]"#,
        ])
    func commasInStrings(_ text: String) {
        #expect(refusal(serializer, text) == nil)
    }

    @Test("nesting is read up to 512 levels and refused beyond, also on a small stack")
    func nesting() async throws {
        let reasons = await withCheckedContinuation { continuation in
            let thread = Thread {
                let reasons = [512, 513, 100_000].map { depth in
                    let opening = String(repeating: "[", count: depth)
                    let closing = String(repeating: "]", count: depth)
                    return refusal(JSONResponseSerializer(), opening + closing)
                }
                continuation.resume(returning: reasons)
            }
            thread.stackSize = 1024 * 1024
            thread.start()
        }
        #expect(reasons[0] == nil)
        #expect(reasons[1]?.contains("nested") == true)
        #expect(reasons[2]?.contains("nested") == true)
    }

    @Test("UTF-8 with a byte order mark, UTF-16 and UTF-32 are read")
    func encodings() throws {
        let text = "[\"é\",1]"
        let encodings: [(String.Encoding, [UInt8])] = [
            (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16LittleEndian, []), (.utf16BigEndian, []),
            (.utf16LittleEndian, [0xFF, 0xFE]), (.utf16BigEndian, [0xFE, 0xFF]),
            (.utf32LittleEndian, []), (.utf32BigEndian, []),
            (.utf32LittleEndian, [0xFF, 0xFE, 0, 0]), (.utf32BigEndian, [0, 0, 0xFE, 0xFF]),
        ]
        for (encoding, mark) in encodings {
            let body = Data(mark) + (try #require(text.data(using: encoding)))
            let array = try serializer.serialize(body, head: nil) as? [Any]
            #expect(array?.first as? String == "é", "\(encoding)")
        }
    }

    @Test("invalid UTF-8 is an error", arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]])
    func invalidUTF8(_ bytes: [UInt8]) {
        #expect(refusal(serializer, Data("[\"".utf8) + bytes + Data("\"]".utf8)) != nil)
    }

    @Test("a slice of data is read from its own start")
    func slice() throws {
        let slice = Data("xx[1]".utf8).dropFirst(2)
        #expect(try serializer.serialize(slice, head: nil) as? [Int] == [1])
    }

    private static let sample = #"{"a":[1,-2e3,true,false,null,"\u00e9\ud83d\ude00"],"é":{"":{}}}"#

    @Test("a body that is cut at any byte is an error")
    func truncated() {
        let body = Data(Self.sample.utf8)
        #expect(refusal(serializer, body) == nil)
        for length in 1..<body.count {
            #expect(refusal(serializer, body.prefix(length)) != nil, "\(length)")
        }
    }

    @Test("damaged and random bodies never crash")
    func randomBytes() throws {
        let wide = try #require(Self.sample.data(using: .utf16))
        let samples = [Data(Self.sample.utf8), wide]
        let decodable = DecodableResponseSerializer([String: [Double?]]?.self)
        for body in damagedBodies(of: samples, count: 4000, seed: 2) {
            _ = refusal(serializer, body)
            _ = refusal(JSONResponseSerializer(allowsFragments: true), body)
            _ = refusal(decodable, body)
        }
    }
}
