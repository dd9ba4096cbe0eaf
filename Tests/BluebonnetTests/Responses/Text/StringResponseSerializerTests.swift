import Bluebonnet
import Foundation
import Testing

@Suite("StringResponseSerializer")
struct StringResponseSerializerTests {
    private func text(_ bytes: [UInt8], _ charset: String? = nil) throws -> String {
        let type = charset.map { "text/plain; charset=\($0)" } ?? "text/plain"
        return try StringResponseSerializer().serialize(Data(bytes), head: head(type: type))
    }

    @Test(
        "the charset of the content type is used",
        arguments: [
            ("utf-8", [0xC3, 0xA9], "é"), ("UTF-8", [0xC3, 0xA9], "é"), ("\"utf8\"", [0x41], "A"),
            ("iso-8859-1", [0xC3, 0xA9], "Ã©"), ("latin1", [0xE9, 0x80], "é\u{80}"),
            ("us-ascii", [0x41, 0x7F], "A\u{7F}"),
            ("windows-1252", [0x80, 0xE9, 0x9F, 0x81], "€éŸ\u{81}"),
            ("utf-16le", [0xE9, 0, 0x3D, 0xD8, 0, 0xDE], "é😀"),
            ("utf-16be", [0, 0xE9, 0xD8, 0x3D, 0xDE, 0], "é😀"), ("utf-16", [0, 0x41], "A"),
            ("windows-1251", [0xC4, 0xE0], "Да"), ("iso-8859-2", [0xB3], "ł"),
            ("utf-32", [0, 1, 0xF6, 0], "😀"), ("utf-32be", [0, 0, 0, 0x41], "A"),
            ("utf-32le", [0, 0xF6, 1, 0], "😀"), ("euc-jp", [0x41, 0xC6, 0xFC], "A日"),
            ("EUC-JP", [0x8E, 0xB1, 0x8F, 0xB0, 0xA1], "ｱ丂"), ("Shift_JIS", [0x93, 0xFA], "日"),
            ("shift_jis", [0xB1, 0x1A, 0x1C, 0x7F], "ｱ\u{1A}\u{1C}\u{7F}"),
            ("euc-kr", [0xC7, 0xD1], "한"), ("gbk", [0xD6, 0xD0], "中"),
            ("GB18030", [0x84, 0x31, 0xA4, 0x37], "\u{FFFD}"), ("big5", [0xA4, 0xA4], "中"),
            ("koi8-r", [0xC4, 0xC1], "да"), ("koi8-u", [0xA4], "є"),
            ("macintosh", [0xF0], "\u{F8FF}"),
            ("ibm866", [0x84, 0xA0, 0x7F], "Да\u{7F}"), ("iso-8859-15", [0xA4], "€"),
            ("tis-620", [0xA1], "ก"), ("windows-1256", [0xC8], "ب"),
        ] as [(String, [UInt8], String)])
    func charsets(_ charset: String, _ bytes: [UInt8], _ expected: String) throws {
        #expect(try text(bytes, charset) == expected)
    }

    @Test("a byte order mark overrides the charset and is not part of the string")
    func byteOrderMark() throws {
        #expect(try text([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "iso-8859-1") == "é")
        #expect(try text([0xFF, 0xFE, 0xE9, 0], "utf-16be") == "é")
        #expect(try text([0xFE, 0xFF, 0, 0xE9], "utf-8") == "é")
        #expect(try text([0xEF, 0xBB, 0xBF]).isEmpty)
        #expect(try text([0xFF, 0xFE, 0xE9, 0], "utf-16") == "é")
    }

    @Test("a UTF-32 mark counts only for the charset UTF-32, in either byte order")
    func byteOrderMarkOfUTF32() throws {
        let (little, big) = ([0xFF, 0xFE, 0, 0, 0xE9, 0, 0, 0], [0, 0, 0xFE, 0xFF, 0, 0, 0, 0xE9])
        for charset in ["utf-32", "utf-32be", "UTF-32LE"] {
            #expect(try text(little.map { UInt8($0) }, charset) == "é")
            #expect(try text(big.map { UInt8($0) }, charset) == "é")
            #expect(try text([0xEF, 0xBB, 0xBF, 0x41], charset) == "A")
            // The first half of the mark is that of UTF-16.
            #expect(try text([0xFF, 0xFE, 0xE9, 0], charset) == "é")
        }
        #expect(try text(little.map { UInt8($0) }, "utf-16") == "\0é\0")
        #expect(try text(little.map { UInt8($0) }) == "\0é\0")
    }

    @Test("without a charset, valid UTF-8 is UTF-8, and anything else is ISO-8859-1")
    func guess() throws {
        #expect(try text([0xC3, 0xA9]) == "é")
        #expect(try text([0xE9]) == "é")
        #expect(try StringResponseSerializer().serialize(Data([0xE9]), head: nil) == "é")
    }

    @Test("the default encoding is only for bodies without a charset")
    func defaultEncoding() throws {
        var serializer = StringResponseSerializer()
        serializer.defaultEncoding = .windowsCP1252
        #expect(try serializer.serialize(Data([0x80]), head: nil) == "€")
        let utf8 = try head(type: "text/plain; charset=utf-8")
        #expect(try serializer.serialize(Data([0xC3, 0xA9]), head: utf8) == "é")
        serializer.defaultEncoding = .japaneseEUC
        #expect(try serializer.serialize(Data([0xC6, 0xFC]), head: nil) == "日")
        serializer.defaultEncoding = .macOSRoman
        #expect(try serializer.serialize(Data([0x8E]), head: nil) == "é")
        serializer.defaultEncoding = .utf8
        #expect(refusal(serializer, Data([0xE9]))?.contains("UTF-8") == true)
    }

    @Test(
        "bytes that are invalid in the charset are an error that names it",
        arguments: [
            ("utf-8", [0xE9]), ("utf-8", [0xED, 0xA0, 0x80]), ("utf-8", [0xC0, 0x80]),
            ("us-ascii", [0xC3, 0xA9]), ("utf-16le", [0x41]), ("utf-16be", [0xD8, 0x3D]),
            ("utf-16le", [0x00, 0xDC]), ("utf-32", [0, 0, 0]), ("utf-32", [0, 0, 0xD8, 0]),
            ("utf-32le", [0, 0, 0x11, 0]),
        ] as [(String, [UInt8])])
    func contradiction(_ charset: String, _ bytes: [UInt8]) throws {
        let type = "text/plain; charset=\(charset)"
        let reason = refusal(StringResponseSerializer(), Data(bytes), head: try head(type: type))
        #expect(reason?.contains("\"\(charset)\"") == true)
    }

    @Test(
        "the first byte that is invalid in the encoding is reported",
        arguments: [
            ("utf-8", [0x41, 0xC3, 0xA9, 0xE9, 0x41], 3), ("us-ascii", [0x41, 0xC3], 1),
            ("utf-16le", [0x41, 0, 0x00, 0xDC], 2),
            ("utf-16be", [0, 0x41, 0xD8, 0x3D, 0, 0x41], 2),
            ("utf-32", [0, 0, 0, 0x41, 0, 0x11, 0, 0], 4), ("utf-16be", [0, 0x41, 0], 2),
            ("utf-32le", [0xFF, 0xFE, 0, 0, 0x41, 0, 0, 0, 0x41], 8),
            ("euc-jp", [0xC6, 0xFC, 0xC6], 2),
            ("shift_jis", [0x41, 0x93, 0xFA, 0xA0], 3), ("windows-1255", [0x41, 0xD9], 1),
            ("x", [0xEF, 0xBB, 0xBF, 0x41, 0xFF], 4), ("x", [0xFF, 0xFE, 0x41, 0, 0, 0xD8], 4),
        ] as [(String, [UInt8], Int)])
    func place(_ charset: String, _ bytes: [UInt8], _ offset: Int) throws {
        let type = "text/plain; charset=\(charset)"
        let reason = refusal(StringResponseSerializer(), Data(bytes), head: try head(type: type))
        #expect(reason?.hasSuffix("at byte \(offset)") == true, "\(reason ?? "")")
    }

    @Test(
        "an unknown charset is an error that names it",
        arguments: ["klingon", "iso-8859-12", "iso-2022-jp", "utf-7", "utf-3", "x-user-defined"])
    func unknownCharset(_ charset: String) throws {
        let head = try head(type: "text/plain; charset=\(charset)")
        let reason = refusal(StringResponseSerializer(), Data("a".utf8), head: head)
        #expect(reason == "the charset \"\(charset)\" is unknown")
    }

    @Test("an empty body is an empty string, as are 204, 205, 304 and HEAD")
    func empty() throws {
        #expect(try text([]).isEmpty)
        #expect(try text([], "klingon").isEmpty)
        for head in try bodilessHeads() {
            #expect(try StringResponseSerializer().serialize(Data([0x41]), head: head).isEmpty)
        }
    }

    @Test("a slice of data is read from its own start")
    func slice() throws {
        let slice = Data([0x41, 0xEF, 0xBB, 0xBF, 0x42]).dropFirst()
        #expect(try StringResponseSerializer().serialize(slice, head: nil) == "B")
    }

    @Test("UTF-8 that is cut at any byte is text or an error that names UTF-8")
    func truncated() throws {
        let body = Data("aé€😀z".utf8)
        let head = try head(type: "text/plain; charset=utf-8")
        for length in 0...body.count {
            let part = body.prefix(length)
            let reason = refusal(StringResponseSerializer(), part, head: head)
            let isText = String(bytes: part, encoding: .utf8) != nil
            #expect((reason == nil) == isText)
        }
    }

    @Test("random bytes in any charset never crash")
    func randomBytes() throws {
        let heads = try [
            "utf-8", "iso-8859-1", "us-ascii", "utf-16", "utf-16le", "windows-1252", "shift_jis",
            "euc-jp", "windows-1253", "windows-1254", "windows-1250", "x", "euc-kr", "big5",
            "gb18030", "utf-32", "utf-32le", "koi8-r",
        ].map { try head(type: "text/plain; charset=\($0)") }
        let bodies = damagedBodies(of: [Data("aé€😀z".utf8)], count: 3000, seed: 1)
        for (number, body) in bodies.enumerated() {
            _ = refusal(StringResponseSerializer(), body, head: heads[number % heads.count])
            _ = refusal(StringResponseSerializer(), body)
        }
    }
}
