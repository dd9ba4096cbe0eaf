import Bluebonnet
import Foundation
import Glibc
import Testing

@Suite("JSONResponseSerializer: limits, and texts that simdjson alone refuses")
struct JSONReaderTests {
    private let serializer = JSONResponseSerializer(allowsFragments: true)

    private func value(_ text: String) throws -> (any Sendable)? {
        try serializer.serialize(Data(text.utf8), head: nil)
    }

    @Test("integers of more than 64 bits become the nearest Double, at any position")
    func bigIntegers() throws {
        let text =
            #"{"a":[18446744073709551616,1,"18446744073709551616"],"#
            + #""b":-9223372036854775809,"c":18446744073709553665}"#
        let object = try #require(try value(text) as? [String: Any])
        let array = try #require(object["a"] as? [Any])
        try #require(array.count == 3)
        #expect(array[0] as? Double == 18_446_744_073_709_551_616)
        #expect(array[1] as? Int == 1)
        #expect(array[2] as? String == "18446744073709551616")
        #expect(object["b"] as? Double == -9_223_372_036_854_775_808)
        // The twentieth digit takes it past the midpoint between two Doubles.
        #expect(object["c"] as? Double == 18_446_744_073_709_555_712)
        #expect(try value("18446744073709551616") as? Double == 18_446_744_073_709_551_616)
    }

    @Test("errors elsewhere in a text with a large integer are found")
    func bigIntegerAndError() {
        #expect(parseError(serializer, "[18446744073709551616,]")?.byteOffset == 21)
        let nested = JSONResponseSerializer(maximumDepth: 1)
        #expect(parseError(nested, "[18446744073709551616,[]]")?.byteOffset == 22)
    }

    @Test(
        "a number that no Double can represent is an error with its position",
        arguments: [
            ("[1,1e400]", 3), ("[-1E+309]", 1), ("[\(String(repeating: "9", count: 310))]", 1),
            ("[18446744073709551616,1e400,1e500]", 22),
        ])
    func hugeNumbers(_ text: String, _ offset: Int) throws {
        let error = try #require(parseError(serializer, text))
        #expect(error.byteOffset == offset)
        #expect(error.message == "a number too big for a Double")
    }

    @Test("the last of repeated keys counts, as with JSONSerialization")
    func repeatedKeys() throws {
        let body = Data(#"{"a":1,"b":0,"a":{"c":2},"a":3}"#.utf8)
        let object = try #require(try serializer.serialize(body, head: nil) as? [String: Any])
        #expect(object.count == 2)
        #expect(object["a"] as? Int == 3)
        let foundations = try JSONSerialization.jsonObject(with: body) as? [String: Any]
        #expect(foundations?["a"] as? Int == 3)
    }

    @Test("a repeated key whose last value is null is removed with the nulls")
    func repeatedKeysAndNulls() throws {
        let cleaner = JSONResponseSerializer(removesKeysWithNullValues: true)
        let body = Data(#"{"a":1,"a":null,"b":null,"b":2}"#.utf8)
        let object = try #require(try cleaner.serialize(body, head: nil) as? [String: Any])
        #expect(object as? [String: Int] == ["b": 2])
    }

    @Test("a property limits the depth of arrays and objects, up to 1,024")
    func depth() throws {
        let shallow = JSONResponseSerializer(maximumDepth: 2)
        #expect(refusal(shallow, #"[[1],{"a":[]}]"#)?.contains("nested deeper than 2") == true)
        #expect(parseError(shallow, #"[[1],{"a":{}}]"#)?.byteOffset == 10)
        #expect(refusal(shallow, #"[[1],{"a":1},[]]"#) == nil)
        #expect(refusal(JSONResponseSerializer(allowsFragments: true, maximumDepth: 0), "1") == nil)
        #expect(refusal(JSONResponseSerializer(maximumDepth: -1), "[]") != nil)
        let deepest = JSONResponseSerializer(maximumDepth: .max)
        let error = parseError(deepest, String(repeating: "[", count: 100_000))
        #expect(error?.byteOffset == 1024)
    }

    @Test(
        "nesting needs little stack: 512 levels in 512 KiB, 1,024 in 1 MiB",
        arguments: [512, 1024]
    )
    func smallStack(_ depth: Int) async throws {
        let reasons = await withCheckedContinuation { continuation in
            let thread = Thread {
                let serializer = JSONResponseSerializer(maximumDepth: depth)
                let reasons = [("[", "]"), (#"{"a":"#, "}")].map { opening, closing in
                    let start = String(repeating: opening, count: depth)
                    return refusal(
                        serializer, start + "1" + String(repeating: closing, count: depth))
                }
                continuation.resume(returning: reasons)
            }
            // A sanitizer's stack frames are several times larger.
            let isSanitized =
                dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
            thread.stackSize = depth * 1024 * (isSanitized ? 8 : 1)
            thread.start()
        }
        #expect(reasons == [nil, nil])
    }

    @Test("a body above the limit is refused unread, and the error names the property")
    func size() throws {
        let small = JSONResponseSerializer(maximumDocumentSize: 4)
        #expect(refusal(small, "[10]") == nil)
        let error = try #require(parseError(small, "[100]"))
        #expect(error.byteOffset == nil)
        #expect(error.description.contains("maximumDocumentSize"))
        #expect(error.description.contains("5 bytes"))
    }

    @Test("strings of every kind and length are read, with zero bytes")
    func strings() throws {
        let texts =
            ["", "\0", "a\0b", "é", "漢字", "😀", "\u{FEFF}x", "\u{2028}\"\\/\u{8}\n", "\u{10FFFF}"]
            + (0..<200).map { String(repeating: "ü", count: $0) + "x" }
        let body = try JSONEncoder().encode(texts)
        #expect(try serializer.serialize(body, head: nil) as? [String] == texts)
        let escaped = try value(#"["\u0000\u00e9\ud83d\ude00\/\"\\\b\f\n\r\t"]"#) as? [String]
        #expect(escaped == ["\0é😀/\"\\\u{8}\u{C}\n\r\t"])
    }

    @Test("a text of any length can end at the end of its memory")
    func ends() throws {
        for length in 0..<300 {
            let text = "\"" + String(repeating: "x", count: length) + "\""
            #expect(try value(text) as? String == String(text.dropFirst().dropLast()))
        }
    }
}
