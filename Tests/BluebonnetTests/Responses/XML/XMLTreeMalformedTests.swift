import FoundationEssentials
import Testing

import Bluebonnet

@Suite("Malformed documents in XMLTree")
struct XMLTreeMalformedTests {
    @Test(
        "a malformed document is an error with line and column",
        arguments: [
            "", " ", "\n \n", "text", "<", "<a", "<a>", "<a/", "</a>", "<a></b>", "<a><b></a></b>",
            "<a/><b/>", "<a/>junk", "<a/>&#32;", "junk<a/>", "<a b/>", "<a b=c/>", "<a b='c/>",
            "<a b='<'/>", "<a b='1' b='2'/>", "<a b='1'c='2'/>",
            "<a>&</a>", "<a>&lt</a>", "<a>& b</a>", "<a>&#0;</a>", "<a>&#x110000;</a>",
            "<a>&#xD800;</a>", "<a>&#x;</a>", "<a>\u{1}</a>", "<a>\u{FFFE}</a>", "<a>]]></a>",
            "<a><![CDATA[</a>", "<![CDATA[x]]>", "<a><!-- -- --></a>", "<a><!-- </a>", "<a><?x</a>",
            "<a><?xml version='1.0'?></a>", " <?xml version='1.0'?><a/>", "<?xml?><a/>",
            "<?xml version='1.0' encoding='no-such'?><a/>", "<?xml version='2.0'?><a/>",
            "<1a/>", "< a/>", "<a></ a>", "<a:b/>", "<a b:c='1'/>", "<a:b:c xmlns:a='u'/>",
            "<a xmlns:b=''/>", "<a xmlns:xmlns='u'/>", "<a xmlns:x='u' xmlns:y='u' x:b='' y:b=''/>",
            "<!DOCTYPE><a/>", "<!DOCTYPE a", "<a/><!DOCTYPE a>", "<!DOCTYPE a SYSTEM><a/>",
            "<a><!ENTITY x 'y'></a>", "<A></a>",
        ])
    func malformed(_ document: String) throws {
        let error = try #require(refusal(of: document))
        #expect(error.line >= 1)
        #expect(error.column >= 1)
        #expect(!error.message.isEmpty)
        #expect(!error.message.contains("\n"))
    }

    @Test("a zero byte is an error anywhere")
    func zeroBytes() {
        for document in [
            "\0<a/>", "<a/>\0", "<a/>\0<b/>", "<a/>\0</b>", "<a>\0</a>", "<a b='\0'/>", "<a\0/>",
            "<a/>\n\0", "<a><!--\0--></a>", "<!--\0--><a/>", "<a><![CDATA[\0]]></a>",
            "<?p \0?><a/>",
            "<!DOCTYPE a\0><a/>", "<!DOCTYPE a SYSTEM '\0'><a/>",
        ] {
            #expect(refusal(of: document) != nil, "\(document.debugDescription)")
        }
    }

    @Test(
        "invalid UTF-8 is an error anywhere",
        arguments: [
            [0x80], [0xFF], [0xC0, 0xAF], [0xC1, 0x81], [0xE0, 0x81, 0x81],
            [0xF0, 0x80, 0x81, 0x81],
            [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func invalidUTF8(_ bytes: [UInt8]) {
        for template in [
            "<a>%</a>", "<a b='%'/>", "<%/>", "<a %=''/>", "<a><!--%--></a>", "<a><?p %?></a>",
            "<a><![CDATA[%]]></a>", "%<a/>", "<a/>%", "<a/><!--%-->", "<a xmlns='%'/>",
        ] {
            let parts = template.split(separator: "%", omittingEmptySubsequences: false)
            let document = Data(parts[0].utf8) + Data(bytes) + Data(parts[1].utf8)
            #expect(refusal(of: document) != nil, "\(template)")
        }
    }

    @Test("UTF-8 and UTF-16 with byte order marks and declared ISO-8859-1 are decoded")
    func encodings() throws {
        let text = "<a b='é'>é€</a>"
        let littleEndian = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let bigEndian = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for document in [
            Data(text.utf8), Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8),
            Data([0xFF, 0xFE] + littleEndian), Data([0xFE, 0xFF] + bigEndian),
        ] {
            let root = try XMLTree(document).root
            #expect(root.text == "é€")
            #expect(root[attribute: "b"] == "é")
        }
        let latin = "<?xml version='1.0' encoding='ISO-8859-1'?><a>"
        #expect(try XMLTree(Data(latin.utf8) + [0xE9] + Data("</a>".utf8)).root.text == "é")
    }

    @Test("bytes that are invalid in the encoding are an error, also at the end")
    func undecodable() {
        let ascii = Data("<?xml version='1.0' encoding='US-ASCII'?><a/>".utf8)
        #expect(refusal(of: ascii) == nil)
        #expect(refusal(of: ascii + [0xE9]) != nil)
        let wide = Data([0xFF, 0xFE] + "<a/>".utf16.flatMap { [UInt8($0 & 0xFF), 0] })
        #expect(refusal(of: wide) == nil)
        #expect(refusal(of: wide + [0x0A]) != nil)
        #expect(refusal(of: wide + [0x00, 0xD8]) != nil)
        #expect(refusal(of: wide + [0x00, 0x00, 0x41, 0x00]) != nil)
    }

    @Test("an invalid URI as namespace and an invalid name as xml:id are well-formed")
    func notMalformed() throws {
        #expect(try parse("<a xmlns='not a uri'/>").root.namespaceURI == "not a uri")
        #expect(try parse("<a xml:id='1 2'><b xml:id='1 2'/></a>").root[attribute: "id"] == "1 2")
        #expect(try parse("<?xml version='1.1'?><a xmlns='relative'/>").root.name == "a")
    }
}
