import FoundationEssentials
import Testing

import Bluebonnet

@Suite("Unsafe documents in XMLTree")
struct XMLTreeRefusalTests {
    @Test(
        "a document with declarations is refused at its internal subset",
        arguments: [
            "<!ENTITY a 'x'><!ENTITY b '&a;&a;'><!ENTITY c '&b;&b;'><!ENTITY lol '&c;&c;'>",
            "<!ENTITY lol SYSTEM 'file:///etc/passwd'>",
            "<!ENTITY lol PUBLIC 'p' 'http://127.0.0.1:1/'>",
            "<!ENTITY lol SYSTEM 'file:///x' NDATA gif>",
            "<!ENTITY % p 'x'>",
            "<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;",
            "%undeclared;",
            "<!ATTLIST r a CDATA 'default'>",
            "<!ATTLIST r>",
            "<!ELEMENT r ANY>",
            "<!NOTATION n SYSTEM 'x'>",
            "<!ENTITY amp '&#38;#38;'>",
        ])
    func declarations(_ subset: String) throws {
        let references = String(repeating: "&lol;", count: 10_000)
        let error = try #require(refusal(of: "<!DOCTYPE r [\(subset)]><r>\(references)</r>"))
        #expect(error.message.contains("declarations of entities, attributes"))
        #expect(error.line == 1)
        #expect(error.column == 13)
    }

    @Test("declarations crafted to be slow are refused before they are parsed")
    func slowDeclarations() {
        let entity = "<!ENTITY lol '\(String(repeating: "x", count: 100_000))'>"
        let nested = "<!ELEMENT r (\(String(repeating: "(", count: 1_000_000))"
        let values = "<!ATTLIST r a (\((0..<500_000).map { "v\($0)" }.joined(separator: "|")))"
        let references = String(repeating: "&lol;", count: 100_000)
        let start = ContinuousClock.now
        for subset in [entity, nested, values] {
            #expect(refusal(of: "<!DOCTYPE r [\(subset)]><r>\(references)</r>")?.column == 13)
        }
        #expect(start.duration(to: .now) < .seconds(20))
    }

    @Test("an internal subset is refused even if it is empty or next to an external one")
    func otherSubsets() {
        #expect(refusal(of: "<!DOCTYPE r SYSTEM 'x' [<!ENTITY e 'x'>]><r/>") != nil)
        #expect(refusal(of: "<!DOCTYPE r []><r/>") != nil)
    }

    @Test("external entities and DTDs open neither files nor connections")
    func canaries() throws {
        let file = CanaryFile()
        let port = try CanaryPort()
        for uri in [
            file.path, "file://\(file.path)", "http://127.0.0.1:\(port.port)/x",
            "ftp://127.0.0.1:\(port.port)/x",
        ] {
            #expect(refusal(of: "<!DOCTYPE r [<!ENTITY e SYSTEM '\(uri)'>]><r>&e;</r>") != nil)
            #expect(refusal(of: "<!DOCTYPE r [<!ENTITY % e SYSTEM '\(uri)'>%e;]><r/>") != nil)
            #expect(refusal(of: "<!DOCTYPE r SYSTEM '\(uri)'><r>&e;</r>") != nil)
            #expect(try parse("<!DOCTYPE r SYSTEM '\(uri)'><r>1</r>").root.text == "1")
            #expect(try parse("<!DOCTYPE r PUBLIC 'p' '\(uri)'><r>1</r>").root.text == "1")
            let catalog = "<?oasis-xml-catalog catalog='\(uri)'?>"
            #expect(try parse("\(catalog)<!DOCTYPE r SYSTEM 'x'><r>1</r>").root.text == "1")
            let include = "<i:include xmlns:i='http://www.w3.org/2001/XInclude' href='\(uri)'/>"
            #expect(try parse("<r>\(include)</r>").root.text == "")
            let style = "<?xml-stylesheet href='\(uri)'?><r xmlns:s='s' s:schemaLocation='\(uri)'/>"
            #expect(try parse(style).root.text == "")
        }
        #expect(!file.wasOpened())
        #expect(!port.wasConnected())

        #expect(try Data(contentsOf: URL(filePath: file.path)).count == CanaryFile.secret.count)
        #expect(file.wasOpened(), "the canary is alive")
        port.connectOnce()
        #expect(port.wasConnected(), "the canary is alive")
    }

    @Test(
        "an undeclared entity is an error, in text and in attributes",
        arguments: [
            "<a>&nbsp;</a>", "<a b='&nbsp;'/>", "<!DOCTYPE a SYSTEM 'x'><a>&nbsp;</a>",
            "<!DOCTYPE a SYSTEM 'x'><a b='&nbsp;'/>",
        ])
    func undeclaredEntity(_ document: String) {
        #expect(refusal(of: document)?.message == "Entity 'nbsp' not defined")
    }

    @Test(
        "elements can be nested 256 deep and not deeper",
        arguments: [
            (255, true), (256, true), (257, false), (100_000, false), (1_000_000, false),
        ])
    func depth(_ depth: Int, accepted: Bool) {
        let open = String(repeating: "<a>", count: depth)
        let close = String(repeating: "</a>", count: depth)
        let start = ContinuousClock.now
        let error = refusal(of: open + "x" + close)
        #expect((error == nil) == accepted)
        #expect(error.map { $0.message == "Elements are nested deeper than 256" } != false)
        #expect(start.duration(to: .now) < .seconds(5))
    }

    @Test("the text of the deepest tree can be read")
    func deepText() throws {
        let document = String(repeating: "<a>x", count: 256) + String(repeating: "</a>", count: 256)
        #expect(try parse(document).root.text == String(repeating: "x", count: 256))
    }

    @Test("a document can have the maximum size and no more")
    func size() throws {
        let document = Data("<a>12345</a>".utf8)
        #expect(refusal(of: document, maximumSize: document.count) == nil)
        for limit in [document.count - 1, 0, -1, Int.min] {
            let error = try #require(refusal(of: document, maximumSize: limit))
            #expect(error.message.contains("more than the limit of \(max(0, limit))"))
            #expect(error.line == 1 && error.column == 1)
        }
        #expect(refusal(of: Data(repeating: 0x20, count: 16 * 1024 * 1024 + 1)) != nil)
    }

    @Test(
        "start tags and names that take quadratic time are refused quickly",
        arguments: [
            ("a", 1_000, "attributes"), ("xmlns:a", 256, "namespace declarations"),
        ])
    func startTags(_ name: String, limit: Int, message: String) throws {
        func tag(_ count: Int) -> Data {
            Data("<a \((0..<count).map { "\(name)\($0)='u'" }.joined(separator: " "))/>".utf8)
        }
        #expect(refusal(of: tag(limit)) == nil)
        #expect(try #require(refusal(of: tag(limit + 1))).message.contains(message))
        let hostile = tag(500_000)
        let start = ContinuousClock.now
        #expect(try #require(refusal(of: hostile)).message.contains(message))
        #expect(start.duration(to: .now) < .seconds(20))
    }

    @Test(
        "a document with more than 65,536 element or instruction names is refused quickly",
        arguments: ["/", "?"])
    func manyNames(_ mark: String) throws {
        let start = mark == "?" ? "<?x" : "<x"
        let body = (0..<500_000).map { "\(start)\($0)\(mark)>" }.joined()
        let document = Data("<r>\(body)</r>".utf8)
        let message = "The document has more than 65536 different names"
        let time = ContinuousClock().measure {
            #expect(refusal(of: document)?.message == message)
            // Foundation's parser has no such limit.
            let error = #expect(throws: XMLTree.ParseError.self) { try XMLParserSource(document) }
            #expect(error?.message == message)
        }
        #expect(time < .seconds(20))
    }

    @Test("an instruction can be repeated up to the document's maximum size")
    func repeatedInstruction() {
        let document = "<r>\(String(repeating: "<?x y?>", count: 100_000))</r>"
        #expect(refusal(of: document) == nil)
    }
}
