import Foundation
import Testing

@testable import Bluebonnet

@Suite(
    "Charsets compared with Python's codecs",
    .enabled(if: Python.isInstalled, Python.comment),
    .timeLimit(.minutes(5))
)
struct PythonCharsetTests {
    private static let singleByte =
        [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16].map { "iso-8859-\($0)" }
        + (1250...1258).map { "windows-\($0)" }
        + ["iso-8859-1", "us-ascii", "windows-874", "ibm866", "koi8-r", "koi8-u", "macintosh"]
        + ["x-mac-cyrillic"]

    private static let multipleByte = ["shift_jis", "euc-jp", "euc-kr", "gb18030", "big5"]

    private static let unicode = ["utf-8", "utf-16be", "utf-16le", "utf-32be", "utf-32le"]

    /// Reads lines with a charset, bytes and the library's text, and prints those that it reads
    /// differently.
    ///
    /// It decodes one character at a time, with a Python codec or with a rule that has a reason to
    /// differ from Python's table.
    private static let script = """
        import sys
        codecs = {"windows-874": "cp874", "macintosh": "mac_roman", "shift_jis": "cp932",
                  "x-mac-cyrillic": "mac_cyrillic", "euc-kr": "cp949", "big5": "big5hkscs"}

        def decoded(piece, codec):
            try: return piece.decode(codec)
            except UnicodeDecodeError: return None

        # The full-width forms that Windows and browsers (WHATWG) use for these characters.
        wide = {0x301C: 0xFF5E, 0x2016: 0x2225, 0x2212: 0xFF0D, 0xA2: 0xFFE0, 0xA3: 0xFFE1,
                0xAC: 0xFFE2}
        # Characters of GB 18030 that Unicode lacked when Python's table was created.
        old = {0xE5E5: 0x3000, 0xE7C7: 0x1E3F, 0xE81E: 0x9FB4, 0xE826: 0x9FB5, 0xE82B: 0x9FB6,
               0xE82C: 0x9FB7, 0xE832: 0x9FB8, 0xE843: 0x9FB9, 0xE854: 0x9FBA, 0xE864: 0x9FBB}
        old.update(zip(range(0xE78D, 0xE797), [0xFE10, 0xFE12, 0xFE11, 0xFE13, 0xFE14, 0xFE15,
                                               0xFE16, 0xFE17, 0xFE18, 0xFE19]))
        # Characters of Hong Kong's Big5 that were late in Unicode and that Foundation lacks.
        late = {*range(0x31C0, 0x31D0), *range(0x9FA6, 0x9FB4), 0x23DA, 0x23DB, 0x304, 0x30C}

        def eucjp(piece):
            # NEC's row 13 and IBM's rows, which Python has only in Windows' Shift_JIS.
            row, cell = piece[0] - 0xA0, piece[1] - 0xA0
            if row not in (13, 89, 90, 91, 92): return None
            number = (row - 1) * 94 + cell - 1
            lead, trail = divmod(number, 188)
            lead += 0x81 if lead < 31 else 0xC1
            return decoded(bytes([lead, trail + (0x40 if trail < 63 else 0x41)]), "cp932")

        def read(piece, charset):
            text = decoded(piece, codecs.get(charset, charset))
            if charset.startswith("windows") and text is None and len(piece) == 1:
                # As in browsers, a control character represents itself.
                if 0x80 <= piece[0] < 0xA0: return chr(piece[0])
            if charset == "shift_jis" and piece[0] in (0x80, 0xA0, 0xFD, 0xFE, 0xFF): return None
            if charset == "gb18030":
                if piece == b"\\x80": return "\\u20AC"
                if text: text = text.translate(old)
            if charset == "euc-jp" and len(piece) == 2 and 0xA1 <= min(piece) <= max(piece) < 0xFF:
                return text.translate(wide) if text else eucjp(piece)
            if charset == "big5":
                # Symbols of the older Big5, as in Windows and browsers.
                if len(piece) == 2 and piece[0] in (0xA1, 0xA2, 0xA3):
                    return decoded(piece, "cp950") or text
                if text and late & set(map(ord, text)): return None
                # Hong Kong's additions of 2008, which Python lacks.
                if len(piece) == 2 and piece[0] == 0x87 and text is None and (
                        0x7A <= piece[1] <= 0x7E or 0xA1 <= piece[1] <= 0xDF
                        and piece[1] not in (0xA4, 0xAC)): return "?"
            return text

        known = {}
        def expected(data, charset):
            text, place = "", 0
            while place < len(data):
                for length in (1, 2, 3, 4):
                    piece = data[place:place + length]
                    if len(piece) < length: return place
                    key = charset, piece
                    if key not in known: known[key] = read(piece, charset)
                    if known[key] is not None: break
                else: return place
                text += known[key]
                place += length
            return text

        count = 0
        for line in sys.stdin:
            charset, data, place, got = line.split(" ")
            want = expected(bytes.fromhex(data), charset)
            if got == "\\n":
                fits = isinstance(want, int) and place in (str(want), "unknown")
            else:
                text = "".join(chr(int(s, 16)) for s in got.split(","))
                fits = isinstance(want, str) and len(text) == len(want) and all(
                    a == b or b == "?" and a >= "\\u3400" for a, b in zip(text, want))
            if not fits: print(line.strip(), "should be", ascii(want))
            count += 1
        print(count)
        """

    /// Returns a line for the script: the text, or the offset of the invalid byte.
    private func line(_ charset: String, _ bytes: [UInt8]) throws -> String {
        let encoding = try #require(TextEncoding.named(charset))
        let hexadecimal = bytes.map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }
        let start = "\(charset) \(hexadecimal.joined()) "
        if let text = TextEncoding.decode(Data(bytes), as: encoding) {
            let scalars = text.unicodeScalars.map { String($0.value, radix: 16) }
            return start + "- " + scalars.joined(separator: ",")
        }
        let place = TextEncoding.firstInvalidByte(of: Data(bytes), in: encoding)
        return start + (place.map { "\($0)" } ?? "unknown") + " "
    }

    private func check(_ lines: [String]) throws {
        let output = try Python.run(Self.script, input: lines.joined(separator: "\n") + "\n")
        let complaints = String(decoding: output, as: UTF8.self).split(separator: "\n")
        #expect(complaints.last == "\(lines.count)")
        #expect(complaints.dropLast().prefix(10) == [])
    }

    /// Returns bytes of which many are the first or last of a character.
    private func randomBytes(_ random: inout RandomTree.Source) -> [UInt8] {
        (0..<Int.random(in: 1...12, using: &random)).map { _ in
            let ranges =
                [0x00...0x7F, 0x30...0x39, 0x81...0xFE, 0xA1...0xFE] as [ClosedRange<UInt8>]
            return .random(
                in: ranges[Int.random(in: 0..<ranges.count, using: &random)], using: &random)
        }
    }

    @Test("every single byte, and random bytes, give the same text or the same invalid byte")
    func singleBytes() throws {
        var random = RandomTree.Source(seed: 8859)
        var lines: [String] = []
        for charset in Self.singleByte {
            for byte in UInt8.min...(.max) { lines.append(try line(charset, [byte])) }
            for _ in 0..<150 { lines.append(try line(charset, randomBytes(&random))) }
        }
        try check(lines)
    }

    @Test("every pair of bytes gives the same character or is invalid", arguments: multipleByte)
    func pairs(charset: String) throws {
        var lines: [String] = []
        for lead in UInt8(0x80)...(.max) {
            lines.append(try line(charset, [lead]))
            for trail in UInt8.min...(.max) { lines.append(try line(charset, [lead, trail])) }
        }
        for byte in UInt8(0)..<0x80 { lines.append(try line(charset, [byte])) }
        try check(lines)
    }

    @Test("every three-byte character is the same, and random four-byte ones")
    func longCharacters() throws {
        var random = RandomTree.Source(seed: 18030)
        var lines: [String] = []
        for row in UInt8(0xA0)...(.max) {
            for cell in UInt8(0xA0)...(.max) {
                lines.append(try line("euc-jp", [0x8F, row, cell]))
            }
        }
        for _ in 0..<5000 {
            let leads: [UInt8] = [0x81, 0x82, 0x83, 0x84, 0x85, 0x90, 0xE3, 0xE4, 0xFE]
            let bytes = [
                leads.randomElement(using: &random) ?? 0, .random(in: 0x2F...0x3A, using: &random),
                .random(in: 0x80...0xFF, using: &random), .random(in: 0x2F...0x3A, using: &random),
            ]
            lines.append(try line("gb18030", bytes))
        }
        try check(lines)
    }

    @Test("random bytes give the same text or the same invalid byte")
    func randomTexts() throws {
        var random = RandomTree.Source(seed: 2022)
        var lines: [String] = []
        for charset in Self.multipleByte {
            for _ in 0..<2000 { lines.append(try line(charset, randomBytes(&random))) }
        }
        try check(lines)
    }

    /// Texts of each encoding with a byte changed, added or removed.
    @Test("damaged UTF-8, UTF-16 and UTF-32 give the same text or are invalid")
    func damagedUnicode() throws {
        var random = RandomTree.Source(seed: 32)
        let text = "aé€😀\u{10FFFF}\u{FEFF}\u{D7FF}\u{E000}"
        var lines: [String] = []
        for charset in Self.unicode {
            let encoding = try #require(TextEncoding.named(charset))
            let body = Array(try #require(text.data(using: encoding)))
            lines.append(try line(charset, body))
            for length in 1..<body.count { lines.append(try line(charset, Array(body[..<length]))) }
            for _ in 0..<800 {
                var damaged = body
                let place = Int.random(in: 0..<body.count, using: &random)
                damaged[place] = .random(in: .min ... .max, using: &random)
                lines.append(try line(charset, damaged))
            }
        }
        let script = """
            import sys
            count = 0
            for line in sys.stdin:
                charset, data, place, got = line.split(" ")
                try: want = bytes.fromhex(data).decode(charset)
                except UnicodeDecodeError as error: want = error.start
                if got == "\\n": fits = place == str(want)
                else: fits = want == "".join(chr(int(s, 16)) for s in got.split(","))
                if not fits: print(line.strip(), "should be", ascii(want))
                count += 1
            print(count)
            """
        let output = try Python.run(script, input: lines.joined(separator: "\n") + "\n")
        let complaints = String(decoding: output, as: UTF8.self).split(separator: "\n")
        #expect(complaints.last == "\(lines.count)")
        #expect(complaints.dropLast().prefix(10) == [])
    }

    @Test("every label that Python also knows means the same encoding")
    func labels() throws {
        // All labels of an encoding. Python must know at least one of them.
        let script = """
            import codecs, sys
            def name(label):
                try: return codecs.lookup(label).name
                except LookupError: return None
            parts = {"cp932", "gb18030", "gbk", "gb2312", "big5", "big5hkscs", "cp949", "euc_kr",
                     "shift_jis"}
            # TIS-620 lacks only ISO's no-break space. Python has no label of Mac Cyrillic.
            alike = {"tis-620": "iso8859-11"}
            for line in sys.stdin:
                names = {name(label) for label in line.split()} - {None}
                if not names and "x-mac-cyrillic" not in line: print("unknown", line.strip())
                names = {alike.get(name, name) for name in names}
                if len(names) > 1 and not names <= parts: print(line.strip(), names)
            """
        var groups: [String.Encoding: [String]] = [:]
        for (label, encoding) in TextEncoding.encodings {
            groups[encoding, default: []].append(label)
        }
        // Without a byte order these are big-endian here, and in the machine's order in Python.
        let ordered = groups.values.map { labels in
            labels.filter { !["utf-16", "utf16", "utf-32", "utf32"].contains($0) }
        }
        let lines = ordered.map { $0.sorted().joined(separator: " ") }
        let output = try Python.run(script, input: lines.joined(separator: "\n"))
        #expect(String(decoding: output, as: UTF8.self) == "")
        #expect(groups.count == Self.singleByte.count + Self.multipleByte.count + 5)
    }
}
