import Bluebonnet
import Foundation
import Testing

@Suite("JSON keys that are slow to compare")
struct JSONKeyTests {
    private static let message = "a key with more than 128 combining marks in a row"

    private let plain = JSONResponseSerializer()
    private let typed = DecodableResponseSerializer([String: Int].self)

    /// Returns the marks of `marks(_:)` as JSON escapes.
    private func escapedMarks(_ count: Int) -> String {
        let pairs = String(repeating: #"\u0301\u0323"#, count: count / 2)
        return count.isMultiple(of: 2) ? pairs : pairs + #"\u0301"#
    }

    @Test("a key with 128 consecutive combining marks is read, and one with more is refused")
    func limit() throws {
        for key in ["a" + marks(128), "a" + escapedMarks(128), "a" + marks(64) + escapedMarks(64)] {
            #expect(refusal(plain, "{\"\(key)\":1}") == nil)
            #expect(refusal(typed, "{\"\(key)\":1}") == nil)
        }
        for key in ["a" + marks(129), "a" + escapedMarks(129), "a" + marks(64) + escapedMarks(65)] {
            let text = "{\"a\":{},\"b\":1,\"\(key)\":1}"
            let error = try #require(parseError(plain, text))
            #expect(error.byteOffset == 14)
            #expect(error.message == Self.message)
            // This error comes before type errors.
            #expect(parseError(typed, text) == error)
        }
    }

    @Test(
        "marks are counted from the last base character, in any notation",
        arguments: [#"\n"#, #"\""#, #"\\"#, #"\ud83d\ude00"#, #"\u00e9"#, "é", "😀", "x"])
    func beginnings(_ start: String) {
        let key = String(repeating: start + marks(127) + #"\u0323"#, count: 3)
        #expect(refusal(plain, "{\"\(key)\":1}") == nil)
        #expect(refusal(typed, "{\"\(key)\":1}") == nil)
        #expect(parseError(plain, "{\"\(key)\u{301}\":1}")?.message == Self.message)
        #expect(parseError(typed, "{\"\(key)\u{301}\":1}")?.message == Self.message)
    }

    @Test(
        "letters that consist of marks count as marks",
        arguments: ["\u{F73}", "\u{F75}", "\u{F81}"])
    func tibetan(_ letter: String) {
        let key = String(repeating: letter, count: 129)
        #expect(parseError(plain, "{\"\(key)\":1}")?.message == Self.message)
    }

    @Test("a long key without marks is read")
    func longKeys() {
        for letter in ["a", "é", "漢", #"\u00e9"#, "e\u{301}"] {
            let key = String(repeating: letter, count: 10_000)
            #expect(refusal(plain, "{\"\(key)\":1}") == nil)
            #expect(refusal(typed, "{\"\(key)\":1}") == nil)
        }
    }

    @Test("a key with very many marks is refused quickly by every reader")
    func manyMarks() {
        let time = ContinuousClock().measure {
            for key in ["a" + marks(200_000), "a" + escapedMarks(50_000)] {
                let text = "{\"\(key)\":1}"
                #expect(parseError(plain, text)?.message == Self.message)
                #expect(parseError(typed, text)?.message == Self.message)
            }
        }
        #expect(time < .seconds(10))
    }

    @Test("a string value can have any number of marks")
    func values() throws {
        let text = "a" + marks(10_000)
        let values = try plain.serialize(Data("[\"\(text)\"]".utf8), head: nil) as? [String]
        #expect(values?.first?.utf8.elementsEqual(text.utf8) == true)
    }
}
