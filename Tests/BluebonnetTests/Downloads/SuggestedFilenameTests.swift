import Foundation
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("A response's suggested file name")
struct SuggestedFilenameTests {
    private func name(
        _ disposition: String?, url: String = "https://example.com/dir/page"
    ) throws -> String {
        var headers = HTTPHeaders()
        headers["Content-Disposition"] = disposition
        let url = try #require(URL(string: url))
        return ResponseHead(statusCode: 200, headers: headers, url: url).suggestedFilename
    }

    @Test(
        "the name comes from Content-Disposition (RFC 6266)",
        arguments: [
            ("attachment; filename=a.txt", "a.txt"),
            ("attachment; filename=\"a b.txt\"", "a b.txt"),
            ("ATTACHMENT;FILENAME=\"a.txt\"", "a.txt"),
            ("inline; filename = \"a.txt\" ; x=y", "a.txt"),
            (#"attachment; filename="a\"b;c.txt""#, #"a"b;c.txt"#), (";filename=a", "a"),
            ("attachment; x=\"filename=no\"; filename=a", "a"), ("attachment;; filename=a", "a"),
            ("attachment; filename=a; filename=b", "a"),
            ("attachment; filename=a b.txt", "a b.txt"),
            ("attachment; filename=\"ü.txt\"", "ü.txt"),
            ("attachment; filename=a%20b.txt", "a%20b.txt"),
            ("attachment; filename=\"€.txt\"; filename*=UTF-8''%e2%82%ac%20rates", "€ rates"),
            ("attachment; filename*=iso-8859-1'en'%A3%20rates; filename=x", "£ rates"),
            ("attachment; filename*=UTF-8''%e2%82; filename=x", "x"),
            ("attachment; filename*=UTF-8''%e2%8; filename=x", "x"),
            ("attachment; filename*=KOI8-R''%e2; filename=x", "x"),
            ("attachment; filename*=a.txt; filename=x", "x"),
            // A combining mark that forms one Swift character with the quote before it.
            ("attachment; filename=\"a\"\u{301}; x=\"b\"", "a"),
            ("attachment;\u{301}filename=a; filename=b", "page"),
            ("attachment; filename*=UTF-8'\u{301}'%41; filename=x", "A"),
        ]
    )
    func disposition(field: String, expected: String) throws {
        #expect(try name(field) == expected)
    }

    @Test(
        "the name comes from the URL if the field has none",
        arguments: [
            (nil, "https://example.com/dir/page", "page"), ("attachment", "https://a/b.c", "b.c"),
            ("attachment; filename=", "https://a/b.c", "b.c"),
            ("attachment; filename=\"open", "https://a/b.c", "b.c"),
            ("attachment; filename=\"open\\", "https://a/b.c", "b.c"),
            ("attachment; =x", "https://a/b.c", "b.c"),
            ("attachment; filename", "https://a/b", "b"),
            ("attachment; filename=..", "https://a/b.c", "b.c"),
            (nil, "https://a/b%20c.txt?d=e#f", "b c.txt"), (nil, "https://a/b/", "b"),
            (nil, "https://a/b/..%2F..%2Fc", "c"), (nil, "https://a/%2e%2e", "download"),
            (nil, "https://a/a%00b", "ab"), (nil, "https://a/%FF", "%FF"),
            (nil, "https://a", "download"),
            (nil, "https://a/", "download"), (nil, "https://a//", "download"),
        ] as [(String?, String, String)]
    )
    func url(field: String?, url: String, expected: String) throws {
        #expect(try name(field, url: url) == expected)
    }

    @Test(
        "the name is harmless (fault 93)",
        arguments: [
            ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"), ("..", nil), (".", nil),
            ("", nil), ("...", nil), ("/", nil), ("a/", nil), ("a/..", nil),
            ("C:\\a\\b.txt", "b.txt"),
            ("..\\..\\b.txt", "b.txt"), (".profile", "profile"), ("..a", "a"), (". . a", "a"),
            (".bluebonnet-x", "bluebonnet-x"), ("a\0b", "ab"), ("\0", nil), ("a\r\nb", "ab"),
            ("\u{1B}[31mred", "[31mred"), ("a\u{7F}\u{85}\u{9F}b", "ab"), (" a ", "a"),
            ("\u{202E}fdp.exe", "fdp.exe"), ("a\u{2066}b\u{200F}c\u{061C}d", "abcd"),
            ("\u{202E}..", nil), (".\u{200E}.", nil), ("\u{FEFF}.a", "a"), ("a\u{2028}b", "ab"),
            ("../\u{338}a", "\u{338}a"), ("x/\u{301}y", "\u{301}y"), (".\u{301}a", "\u{301}a"),
            ("a\r\n/b", "b"), ("a..b", "a..b"), ("a.", "a."), ("～/a", "a"), ("~", "~"),
            ("a%2Fb", "a%2Fb"), ("👨‍👩‍👧.png", "👨‍👩‍👧.png"), ("\u{3000}", nil), ("a／b", "a／b"),
        ] as [(String, String?)]
    )
    func hostile(candidate: String, expected: String?) {
        let clean = SuggestedFilename.sanitize(candidate)
        // Compared by scalars, like in the file system.
        #expect(clean.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
    }

    @Test("the name is cut to the file system's limit, between characters, before its extension")
    func length() {
        let long = String(repeating: "ä", count: 200)
        #expect(SuggestedFilename.sanitize(long + ".txt")?.utf8.count == 254)
        #expect(SuggestedFilename.sanitize(long + ".txt")?.hasSuffix("ä.txt") == true)
        #expect(SuggestedFilename.sanitize(long)?.utf8.count == 254)
        let family = String(repeating: "👨‍👩‍👧", count: 30)
        #expect(SuggestedFilename.sanitize(family) == String(repeating: "👨‍👩‍👧", count: 14))
        let longExtension = "a." + String(repeating: "b", count: 300)
        #expect(SuggestedFilename.sanitize(longExtension)?.utf8.count == 255)
        let oneCharacter = "a" + String(repeating: "\u{301}", count: 500)
        #expect(SuggestedFilename.sanitize(oneCharacter + ".txt") == "download.txt")
        #expect(SuggestedFilename.sanitize(String(repeating: "a", count: 255))?.count == 255)
    }

    @Test("any suggested name is a file in the directory")
    func random() throws {
        let directory = URL(fileURLWithPath: "/some/dir", isDirectory: true)
        let pieces = [
            "/", "\\", ".", "..", "%2F", "%00", "\0", "\"", ";", "'", "*", "=", "a", "é", " ",
            "\u{301}",
            "\u{202E}", "UTF-8''", "filename", "~", "?", "#", ":", "\r\n", "\u{FFFD}", "👨‍👩‍👧",
        ]
        var generator = SeededGenerator(seed: 3)
        let destination = SessionManager.suggestedDownloadDestination(in: directory)
        for _ in 0..<5000 {
            let count = Int.random(in: 0...12, using: &generator)
            let text = (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }
                .joined()
            let form = [
                "attachment; filename=", "attachment; filename=\"", "attachment; filename*=UTF-8''",
            ]
            let field = (form.randomElement(using: &generator) ?? "") + text
            let head = ResponseHead(
                statusCode: 200, headers: ["Content-Disposition": field],
                url: URL(string: "http://a/x")!
            )
            let name = head.suggestedFilename
            let url = destination(head)
            #expect(
                Array(url.path.utf8) == Array("/some/dir/\(name)".utf8), "\(field.debugDescription)"
            )
            let isSafe = !name.isEmpty && !name.utf8.contains(0x2F) && !name.hasPrefix(".")
            #expect(isSafe, "\(field.debugDescription)")
        }
    }
}
