import Foundation
import Testing

import Bluebonnet

@Suite("Lone surrogates in JSON")
struct LoneSurrogateTests {
    static let cases: [(String, String)] = [
        (#"\ud800"#, "\u{FFFD}"), (#"\uDFFF"#, "\u{FFFD}"), (#"a\uD83Db"#, "a\u{FFFD}b"),
        (#"\ud83d\ude00"#, "😀"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
        (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"), (#"\ud800\n"#, "\u{FFFD}\n"),
        (#"\ud800\\ude00"#, "\u{FFFD}\\ude00"), (#"\\ud800"#, #"\ud800"#),
        (#"\\\ud800"#, "\\\u{FFFD}"), (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"é\ud800é"#, "é\u{FFFD}é"),
    ]

    @Test(
        "they are U+FFFD if requested, in values and keys, and pairs are unchanged",
        arguments: cases)
    func replaced(escaped: String, text: String) throws {
        var json = JSONResponseSerializer()
        json.replacesLoneSurrogates = true
        var typed = DecodableResponseSerializer<[String: String]>()
        typed.replacesLoneSurrogates = true
        let body = Data("{\"k\(escaped)\":\"\(escaped)\"}".utf8)
        let expected = ["k" + text: text]
        #expect(try json.serialize(body, head: nil) as? [String: String] == expected)
        #expect(try typed.serialize(body, head: nil) == expected)
        let slice = (Data("xx".utf8) + body).dropFirst(2)
        #expect(try typed.serialize(slice, head: nil) == expected)
    }

    @Test("by default they are errors with offsets", arguments: [#"["\ud800"]"#, #"["\udc00"]"#])
    func refused(text: String) {
        #expect(parseError(JSONResponseSerializer(), text)?.message == "half of a surrogate pair")
        #expect(
            parseError(DecodableResponseSerializer<[String]>(), text)?.byteOffset == 2)
    }

    @Test("another error keeps its offset", arguments: [#"["\ud800",]"#, #"["\ud800\ud8"]"#])
    func places(text: String) {
        var json = JSONResponseSerializer()
        json.replacesLoneSurrogates = true
        var plain = text
        plain.replace(#"\ud800"#, with: #"\uFFFD"#)
        let error = parseError(json, text)
        #expect(error != nil && error == parseError(JSONResponseSerializer(), plain))
    }

    @Test("the manager's setting applies to typed verbs")
    func verbs() async throws {
        let stub = ManualTransport {
            $0.reply(200, ["Content-Type": "application/json"], #"["\ud800"]"#)
        }
        let manager = HTTPSessionManager(baseURL: URL(string: "http://stub.test/"), transport: stub)
        await #expect(throws: BluebonnetError.self) {
            try await manager.get("a", as: [String].self)
        }
        manager.responseSerializer[as: JSONResponseSerializer.self]?.replacesLoneSurrogates = true
        #expect(try await manager.get("a", as: [String].self) == ["\u{FFFD}"])
    }
}
