import Bluebonnet
import Foundation
import Testing

@Suite("XMLParserSource")
struct XMLParserSourceTests {
    /// Returns the error of the source, and whether a tree is refused, too.
    private func refusals(_ document: Data) -> (source: XMLTree.ParseError?, tree: Bool) {
        do throws(XMLTree.ParseError) {
            _ = try XMLParserSource(document)
            return (nil, (try? XMLTree(document)) == nil)
        } catch {
            return (error, (try? XMLTree(document)) == nil)
        }
    }

    private func utf16(_ text: String, bigEndian: Bool = false) -> Data {
        let units = text.utf16.flatMap { unit in
            bigEndian
                ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
        return Data((bigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]) + units)
    }

    @Test(
        "well-formed documents pass, with text that looks like markup",
        arguments: [
            "<a/>", "<a />", "<a\n b = '>'\tc=\"/>'\"></a >", "<?xml version='1.0'?>\n<a/>\n",
            "<a><!-- <b> <![CDATA[ - -> --></a>", "<a><![CDATA[<b>]]]]><![CDATA[>]]></a>",
            "<a><![CDATA[]]]></a>".replacing("]]]", with: "]]]]"), "<a><?p <b> ? > ?></a>",
            "<!----><a/><!---->", "<a>]] ></a>", "<é:ü xmlns:é='u' ß='1'/>",
            "<!DOCTYPE a><a/>", "<!DOCTYPE a ><a/>", "<!DOCTYPE a SYSTEM 'x[y>' ><a/>",
            "<!DOCTYPE a PUBLIC '-//X//EN' \"http://[::1]/\"><a/>", "\u{FEFF}<a/>",
            "<?xml version='1.0' encoding='UTF-8' standalone='yes'?><a/>", " <a/>",
            "<a><?é?></a>", "<!DOCTYPE a SYSTEM '<b>'><a/>",
        ])
    func wellFormed(_ text: String) {
        let (source, tree) = refusals(Data(text.utf8))
        #expect(source == nil, "\(String(describing: source))")
        #expect(!tree)
    }

    @Test(
        "an undeclared prefix is refused",
        arguments: [
            ("<p:a/>", 5), ("<a><p:b/></a>", 8), ("<a p:c='1'/>", 11), ("<xmlns:a/>", 9),
            ("<a><b xmlns:p='u'/><p:c/></a>", 24), ("<a><b xmlns:p='u'></b><p:c/></a>", 27),
            ("<a xmlns:p='u' q:b='1'/>", 23), ("<a xmlns:p=''/>", 14), ("<a :b='1'/>", 6),
            ("<a:b:c/>", 5), ("<a:/>", 4), ("<a xmlns:='u'/>", 10),
            ("<a xmlns:p='u' p:1='2'/>", 18),
            ("<a xmlns:pq='u'><p:b/></a>", 21), ("<?p:q x?><a/>", 6),
        ])
    func undeclaredPrefix(_ text: String, _ column: Int) throws {
        for document in [Data(text.utf8), utf16(text)] {
            let (source, tree) = refusals(document)
            let error = try #require(source)
            #expect(error.line == 1 && error.column == column, "\(error)")
            #expect(tree)
        }
    }

    @Test(
        "a declared prefix passes, in any order of attributes, and so does xml",
        arguments: [
            "<p:a xmlns:p='u'/>", "<a p:b='1' xmlns:p='u'/>", "<a xmlns:p='u'><p:b p:c='1'/></a>",
            "<a xml:lang='en'/>", "<xml:a/>", "<a xmlns=''/>",
            "<a xmlns:p='u'><b xmlns:p='v'/><p:c/></a>", "<!DOCTYPE p:a><a/>",
            "<a xmlns:é='u'><é:b/></a>",
        ])
    func declaredPrefix(_ text: String) throws {
        let (source, tree) = refusals(Data(text.utf8))
        #expect(source == nil && !tree, "\(text): \(String(describing: source))")
        let parser = try XMLParserSource(Data(text.utf8)).makeParser()
        #expect(parser.parse() && parser.parserError == nil)
    }

    @Test(
        "markup that is unterminated or misplaced is refused at its position",
        arguments: [
            ("<a>", 4), ("<a><b></b>", 11), ("<a", 3), ("<a b='x", 8), ("<a><!-- x", 10),
            ("<a><![CDATA[x]]", 16), ("<a><?p x", 9), ("<!DOCTYPE a", 12), ("", 1), ("  ", 3),
            ("x<a/>", 1), ("<a/>x", 5), ("<a/><b/>", 5), ("</a>", 2), ("<a/></a>", 5),
            ("<![CDATA[x]]><a/>", 2), ("<a><!DOCTYPE b></a>", 5), ("<a b='<'/>", 7),
            ("<a b=c/>", 6), ("<a b/>", 5), ("<a b='1'c='2'/>", 9), ("<1/>", 2), ("<a/ >", 3),
            ("<a><!-- a -- b --></a>", 11), ("<a><? p?></a>", 6),
            (" <?xml version='1.0'?><a/>", 7), ("<!DOCTYPE a '[<!ENTITY x \"y\">]'><a/>", 13),
            ("<!DOCTYPE a PUBLIC 'é[' 'x'><a/>", 21),
            ("<!DOCTYPE a><!DOCTYPE a><a/>", 14), ("<a>\u{1}</a>", 4), ("<a>é\u{FFFE}</a>", 5),
            ("<?xml version='<b>'?><a/>", 16), ("<!ENTITY x 'y'><a/>", 2),
        ])
    func malformed(_ text: String, _ column: Int) throws {
        let (source, tree) = refusals(Data(text.utf8))
        let error = try #require(source)
        #expect(error.line == 1)
        #expect(error.column == column, "\(error)")
        #expect(tree)
    }

    @Test("lines and columns count characters in every encoding")
    func places() throws {
        let text = "<a>\né😀é<b c='<'/></a>"
        var documents = [Data(text.utf8), Data("\u{FEFF}\(text)".utf8)]
        documents += [utf16(text), utf16(text, bigEndian: true)]
        for document in documents {
            let error = try #require(refusals(document).source)
            #expect(error.line == 2)
            #expect(error.column == 10, "\(error)")
        }
        let latin = Data("<?xml version='1.0' encoding='latin1'?>\n<a>".utf8) + [0xE9, 0xBF]
        let error = try #require(refusals(latin + Data("<b c='<'/></a>".utf8)).source)
        #expect(error.line == 2 && error.column == 12, "\(error)")
    }

    @Test("hostile documents are also detected in UTF-16")
    func wideHostility() {
        for text in [
            "<!DOCTYPE r [<!ENTITY a 'b'>]><r>&a;</r>",
            String(repeating: "<a>", count: 257) + String(repeating: "</a>", count: 257),
            "<a b='\(String(repeating: "x", count: 70_000))'/>",
        ] {
            for document in [utf16(text), utf16(text, bigEndian: true)] {
                #expect(refusals(document).source != nil)
            }
        }
        #expect(refusals(utf16("<a>x</a>")).source == nil)
    }

    @Test(
        "an encoding in which an XMLParser could see another document is refused",
        arguments: [
            "UTF-7", "UTF-16", "UTF-16LE", "UCS-4", "UTF-32", "ISO-2022-JP", "Shift_JIS", "GBK",
            "GB18030", "Big5", "HZ-GB-2312", "EBCDIC-US", "IBM037", "x", "",
        ])
    func unsafeEncodings(_ name: String) {
        let document = Data("<?xml version='1.0' encoding='\(name)'?><a>+ADw-b+AD4-</a>".utf8)
        let (source, tree) = refusals(document)
        #expect(source != nil)
        #expect(tree)
    }

    @Test(
        "a nonexistent encoding is refused and not read as UTF-8",
        arguments: [
            "iso-8859-", "ISO-8859-0", "ISO-8859-01", "iso-8859-12", "ISO-8859-17", "ISO-8859-99",
            "windows-125", "windows-1249", "WINDOWS-1259", "CP1259", "cp12500",
        ])
    func missingEncodings(_ name: String) throws {
        let document = Data("<?xml version='1.0' encoding='\(name)'?><a>é</a>".utf8)
        let (source, tree) = refusals(document)
        #expect(try #require(source).message.contains(name))
        #expect(tree)
    }

    private static let safeNames: [String] = {
        var names = [
            "utf-8", "UTF8", "us-ascii", "latin1", "KOI8-R", "KOI8-U", "EUC-JP", "euc-kr", "GB2312",
        ]
        names += (1...16).filter { $0 != 12 }.map { "ISO-8859-\($0)" }
        names += (1250...1258).flatMap { ["windows-\($0)", "cp\($0)"] }
        return names
    }()

    @Test("encodings that extend ASCII are read", arguments: safeNames)
    func safeEncodings(_ name: String) throws {
        let document = Data("<?xml version='1.0' encoding='\(name)'?><a>b</a>".utf8)
        #expect(try XMLTree(document).root.text == "b")
        #expect(refusals(document).source == nil)
    }

    @Test("a declared encoding is used, and a byte order mark overrides it")
    func declaredEncodings() throws {
        let cyrillic = Data("<?xml version='1.0' encoding='windows-1251'?><a>".utf8) + [0xC4, 0xE0]
        #expect(try XMLTree(cyrillic + Data("</a>".utf8)).root.text == "Да")
        let japanese = Data("<?xml version='1.0' encoding='EUC-JP'?><a>".utf8) + [0xC6, 0xFC]
        #expect(try XMLTree(japanese + Data("</a>".utf8)).root.text == "日")
        let marked = "\u{FEFF}<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>"
        #expect(try XMLTree(Data(marked.utf8)).root.text == "é")
        let wide = utf16("<?xml version='1.0' encoding='UTF-16'?><a>é</a>")
        #expect(try XMLTree(wide).root.text == "é")
        let lie = utf16("<?xml version='1.0' encoding='UTF-16BE'?><a>é</a>")
        #expect(refusals(lie).source != nil)
        let withoutMark = wide.dropFirst(2)
        #expect(try XMLTree(Data(withoutMark)).root.text == "é")
    }

    @Test(
        "a non-ASCII byte in an ASCII document is an error at any place",
        arguments: ["<a>%</a>", "<a b='%'/>", "<a/><!--%-->", "<a><?p %?></a>", "<a>%"])
    func beyondASCII(_ template: String) throws {
        let parts = template.split(separator: "%", omittingEmptySubsequences: false)
        for name in ["US-ASCII", "ascii"] {
            let start = "<?xml version='1.0' encoding='\(name)'?>\n\(parts[0])"
            let (source, tree) = refusals(Data(start.utf8) + [0xE9] + Data(parts[1].utf8))
            let error = try #require(source)
            #expect(error.line == 2 && error.column == parts[0].count + 1, "\(error)")
            #expect(tree)
        }
    }

    @Test("a tag is limited to 64 KiB and 1,000 attributes, at any place")
    func tags() {
        func refusal(_ tag: String) -> String? {
            refusals(Data("<r>\(tag)</r>".utf8)).source?.message
        }
        let value = String(repeating: "x", count: 64 * 1024 - "<a b=''/>".count)
        #expect(refusal("<a b='\(value)'/>") == nil)
        // libxml2 calls the handler before the end of the tag.
        #expect(refusal("<a b='\(value)xxx'/>") == "A tag has more than 65536 bytes")
        let attributes = (0..<1000).map { " a\($0)=''" }.joined()
        #expect(refusal("<a\(attributes)/>") == nil)
        #expect(refusal("<a\(attributes) b=''/>")?.contains("1000 attributes") == true)
        #expect(refusal("<a>\(value)x</a>") == nil)
        let space = String(repeating: " ", count: 70_000)
        #expect(refusal("<a></a\(space)>") == "A tag has more than 65536 bytes")
    }

    @Test("a document can have more than 10 MB of large tags")
    func manyTags() throws {
        let value = String(repeating: "x", count: 60_000)
        let tags = String(repeating: "<a b='\(value)'/><a xmlns='\(value)'/>", count: 100)
        let (source, tree) = refusals(Data("<r>\(tags)</r>".utf8))
        #expect(source == nil && !tree, "\(String(describing: source))")
    }

    private final class Names: NSObject, XMLParserDelegate {
        var all: Set<String> = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            all.insert(name)
        }
    }

    /// `<b>` is within a comment, an instruction, a CDATA section, a declaration or a value.
    private static let hiding: [String] = {
        let hidden = String(repeating: "<b>", count: 300)
        let long = String(repeating: "p", count: 60_000)
        // A parser reads 128 KiB at once.
        let filled = "<!--\(String(repeating: "x", count: 128 * 1024 - 30))-->"
        let huge = String(repeating: "x", count: 10_000_001)
        return [
            "<a><?× \(hidden)?></a>", "<a><!--\u{1}\(hidden)--></a>", "<?><a>\(hidden)?></a>",
            "<a><![CDATA[\u{FFFF}\(hidden)]]></a>", "<!DOCTYPE a SYSTEM '>\(hidden)'><a/>",
            "<?xml version='\(hidden)'?><a/>", "<![CDATA[\(hidden)]]><a/>", "<a b=\"\(hidden)\"/>",
            "<a><?\(long) \(hidden)?></a>", "<!DOCTYPE a SYSTEM '\(long)\(hidden)'><a/>",
            "\(filled)<!DOCTYPE a SYSTEM '>\(hidden)'><a/>", "\(filled)<a><!-->\(hidden)--></a>",
            "\(filled)<a><![CDATA[>\(hidden)]]></a>", "\(filled)<a><?p ?\(hidden)?></a>",
            "<a><!--\(huge)\(hidden)--></a>", "<a><?p \(huge)\(hidden)?></a>",
            "<a><![CDATA[\(huge)\(hidden)]]></a>",
        ]
    }()

    @Test("an XMLParser finds no markup where the check found none", arguments: hiding.indices)
    func agreement(_ index: Int) {
        guard let source = try? XMLParserSource(Data(Self.hiding[index].utf8)) else { return }
        let names = Names()
        let parser = source.makeParser()
        parser.delegate = names
        _ = parser.parse()
        #expect(names.all.isSubset(of: ["a"]))
    }

    @Test(
        "a comment, instruction or CDATA section of more than 10,000,000 bytes is refused",
        arguments: [("<!--", "-->"), ("<?p ", "?>"), ("<![CDATA[", "]]>")])
    func longTexts(_ start: String, _ end: String) {
        func isRefused(_ count: Int) -> Bool {
            let text = String(repeating: "x", count: count)
            return refusals(Data("<a>\(start)\(text)\(end)</a>".utf8)).source != nil
        }
        #expect(!isRefused(8 << 20))
        #expect(isRefused(10_100_000))
    }

    @Test(
        "a declaration that contradicts the byte order mark is refused for a parser, and ignored for a tree"
    )
    func marks() throws {
        func document(_ name: String) -> Data {
            Data("\u{FEFF}<?xml version='1.0' encoding='\(name)'?><a>é</a>".utf8)
        }
        for name in ["UTF-7", "UTF-16", "Shift_JIS", "x"] {
            #expect(refusals(document(name)).source != nil)
            #expect(try XMLTree(document(name)).root.text == "é")
        }
        #expect(refusals(document("ISO-8859-1")).source == nil)
        #expect(try XMLTree(document("ISO-8859-1")).root.text == "é")
    }

    @Test("a tree reads UTF-8 behind its byte order mark, whatever else is declared")
    func overriddenDeclarations() throws {
        for (name, text) in [("US-ASCII", "é"), ("windows-1252", "”"), ("GB2312", "é€")] {
            let document = "\u{FEFF}<?xml version='1.0' encoding='\(name)'?><a>\(text)</a>"
            #expect(try XMLTree(Data(document.utf8)).root.text == text)
        }
    }

    @Test("UTF-32 and EBCDIC are refused, whatever they declare")
    func foreignEncodings() {
        let wide: [UInt8] = Array("<a/>".utf8).flatMap { [0, 0, 0, $0] }
        // <?xml version='1.0' encoding='ISO-8859-1'?><a/>
        let ebcdic: [UInt8] = [
            0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40, 0xA5, 0x85, 0x99, 0xA2, 0x89, 0x96, 0x95, 0x7E,
            0x7D, 0xF1, 0x4B, 0xF0, 0x7D, 0x40, 0x85, 0x95, 0x83, 0x96, 0x84, 0x89, 0x95, 0x87,
            0x7E, 0x7D, 0xC9, 0xE2, 0xD6, 0x60, 0xF8, 0xF8, 0xF5, 0xF9, 0x60, 0xF1, 0x7D, 0x6F,
            0x6E, 0x4C, 0x81, 0x61, 0x6E,
        ]
        for bytes in [wide, ebcdic] {
            let (source, tree) = refusals(Data(bytes))
            #expect(source != nil && tree)
        }
    }

    @Test("white space of any length is accepted where XML has it", arguments: [471, 711, 1191])
    func longSpaces(count: Int) {
        let space = String(repeating: " ", count: count)
        for document in ["<a><?p \(space)x?></a>", "<!DOCTYPE a\(space)SYSTEM 'x'><a/>"] {
            let (source, tree) = refusals(Data(document.utf8))
            #expect(source == nil && !tree)
        }
    }
}
