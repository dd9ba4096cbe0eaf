import Bluebonnet
import Foundation
import FoundationNetworking
import Testing

@Suite("The body in an error's description")
struct BodyExcerptTests {
    private func description(_ body: [UInt8], type: String = "text/html") throws -> String {
        var head = try head(type: type)
        head = ResponseHead(
            statusCode: 200,
            headers: [
                "Content-Type": type, "Set-Cookie": "session=secret", "X-Token": "secret",
            ],
            url: head.url
        )
        let url = try #require(URL(string: "https://user:secret@example.com/a?token=secret#secret"))
        var request = URLRequest(url: url)
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        let context = BluebonnetError.Context(request: request, head: head, data: Data(body))
        return BluebonnetError.unacceptableContentType(
            type, acceptable: ["application/json", "+json"], context
        ).description
    }

    @Test("a wrong type is described with the accepted types and the body, without secrets")
    func wrongType() throws {
        #expect(
            try description(Array("<html>\n<b>Sign in</b>".utf8)) == """
                the content type "text/html" is not acceptable; accepted: +json, \
                application/json; the body of 21 bytes begins with: <html> <b>Sign in</b> \
                [GET https://example.com/a]
                """
        )
        #expect(try description([]).contains("begins with") == false)
    }

    @Test("a text that is cut within a character is shown up to there")
    func cutCharacter() throws {
        for length in 0..<4 {
            let text = String(repeating: "x", count: length) + String(repeating: "é€😀", count: 400)
            let shown = try description(Array(text.utf8))
            #expect(
                shown.contains(
                    "begins with: \(text.unicodeScalars.prefix(120).map(String.init).joined())… "))
        }
        #expect(try description(Array("é".utf8).dropLast() + []).contains("the bytes C3 "))
    }

    @Test("bytes that are not text are shown in hexadecimal")
    func binary() throws {
        #expect(try description([0x89, 0x50, 0x4E, 0x47]).contains("the bytes 89 50 4E 47 ["))
        let long = try description(Array(repeating: 0xFF, count: 5000))
        #expect(long.contains("5000 bytes begins with: the bytes FF"))
        #expect(long.contains("FF… [") && long.count < 300)
        #expect(try description([0x50, 0x4B, 0x03, 0]).contains("the bytes 50 4B 03 00"))
    }

    @Test("control and invisible characters are escaped")
    func controlCharacters() throws {
        let shown = try description(Array("a\u{1B}[2J\u{7F}\u{202E}b\u{200B}c\u{85}d\tf".utf8))
        #expect(shown.contains(#"a\u{1b}[2J\u{7f}\u{202e}b\u{200b}c\u{85}d f"#), "\(shown)")
        let type = try description([], type: "text/\u{1B}x" + String(repeating: "y", count: 500))
        #expect(type.contains(#"text/\u{1b}x"#) && type.count < 300)
    }

    @Test("the charset and the byte order mark are used")
    func charset() throws {
        let latin = try description([0xE9, 0x41], type: "text/plain; charset=iso-8859-1")
        #expect(latin.contains("begins with: éA "))
        #expect(try description([0xFF, 0xFE, 0x41, 0, 0xE9, 0]).contains("begins with: Aé "))
        let wrong = try description(Array("é".utf8), type: "text/plain; charset=klingon")
        #expect(wrong.contains("begins with: é "))
    }

    @Test("random bodies never crash")
    func randomBytes() throws {
        for body in damagedBodies(of: [Data("aé€😀z\u{FEFF}".utf8)], count: 3000, seed: 8) {
            _ = try description(Array(body))
        }
    }
}
