import Bluebonnet
import Foundation
import Testing

@Suite("XMLParserResponseSerializer and XMLDocumentResponseSerializer")
struct XMLResponseSerializerTests {
    private static var sample: Data {
        Data("<?xml version='1.0'?><a b='é'><c>t</c><!-- x --></a>".utf8)
    }

    private final class Recorder: NSObject, XMLParserDelegate {
        var names: [String] = []
        var text = ""

        func parser(
            _ parser: XMLParser,
            didStartElement elementName: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            names.append(elementName)
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            text += string
        }
    }

    @Test("a body becomes a parser that has not run")
    func parser() throws {
        let source = try XMLParserResponseSerializer().serialize(Self.sample, head: nil)
        #expect(source.data == Self.sample)
        let recorder = Recorder()
        let parser = source.makeParser()
        parser.delegate = recorder
        #expect(parser.parse())
        #expect(recorder.names == ["a", "c"])
        #expect(source.makeParser() !== parser)
    }

    @Test(
        "a document that is not well-formed becomes no parser",
        arguments: [
            "<a></b>", "<a b='' b=''/>", "<a>&x;</a>", "<!DOCTYPE a SYSTEM 'x'><a>&x;</a>",
            "<a>é<b></a></b>", "<?xml version='1.0'?>\n<a><b>x</b><c></a></c>",
        ])
    func malformedForParser(_ document: String) {
        #expect(refusal(XMLParserResponseSerializer(), document) != nil)
    }

    @Test("a document of more than 10 MB is parsed")
    func largeForParser() throws {
        // If more than 10 MB are passed at once, Foundation's parser fails at the end.
        let text = String(repeating: "x", count: 1 << 20)
        let body = "<a>" + (0..<11).map { "<b>\($0)\(text)</b>" }.joined() + "</a>"
        let source = try XMLParserResponseSerializer().serialize(Data(body.utf8), head: nil)
        #expect(source.data.count > 11_000_000)
        let recorder = Recorder()
        let parser = source.makeParser()
        parser.delegate = recorder
        #expect(parser.parse())
        #expect(parser.parserError == nil)
        #expect(recorder.names.count == 12)
        #expect(recorder.text.utf8.count == 11 << 20 + 12)
    }

    @Test("neither serializer opens files or connections for entities and DTDs")
    func externalEntities() throws {
        let (file, port) = (CanaryFile(), try CanaryPort())
        for uri in ["file://\(file.path)", file.path, "http://127.0.0.1:\(port.port)/x"] {
            for subset in ["<!ENTITY x SYSTEM '\(uri)'>", "<!ENTITY % x SYSTEM '\(uri)'>%x;"] {
                let document = "<!DOCTYPE a [\(subset)]><a>&x;</a>"
                for reason in [
                    refusal(XMLParserResponseSerializer(), document),
                    refusal(XMLDocumentResponseSerializer(), document),
                ] {
                    #expect(reason?.contains("internal subset") == true)
                }
            }
            let reference = "<!DOCTYPE a SYSTEM '\(uri)'><a>&x;</a>"
            #expect(refusal(XMLParserResponseSerializer(), reference) != nil)
            let document = Data("<!DOCTYPE a SYSTEM '\(uri)'><a>text</a>".utf8)
            let source = try XMLParserResponseSerializer().serialize(document, head: nil)
            let recorder = Recorder()
            let parser = source.makeParser()
            parser.delegate = recorder
            #expect(!parser.shouldResolveExternalEntities)
            #expect(parser.externalEntityResolvingPolicy == .never)
            #expect(parser.parse())
            #expect(recorder.text == "text")
        }
        #expect(!file.wasOpened())
        #expect(!port.wasConnected())
        #expect(try Data(contentsOf: URL(filePath: file.path)).count == CanaryFile.secret.count)
        #expect(file.wasOpened(), "the canary is alive")
        port.connectOnce()
        #expect(port.wasConnected(), "the canary is alive")
    }

    @Test("a document becomes a tree")
    func document() throws {
        let tree = try XMLDocumentResponseSerializer().serialize(Self.sample, head: nil)
        #expect(tree.root.name == "a")
        #expect(tree.root[attribute: "b"] == "é")
        #expect(tree.root.child(named: "c")?.text == "t")
    }

    @Test("a malformed document is an error with its position")
    func malformedDocument() {
        let reason = refusal(XMLDocumentResponseSerializer(), "<a>\n</b>")
        #expect(reason?.contains("line 2") == true)
    }

    @Test("a document above the maximum size is refused")
    func maximumDocumentSize() {
        var (document, parser) = (XMLDocumentResponseSerializer(), XMLParserResponseSerializer())
        #expect(document.maximumDocumentSize == 16 << 20)
        #expect(parser.maximumDocumentSize == 16 << 20)
        document.maximumDocumentSize = Self.sample.count
        parser.maximumDocumentSize = Self.sample.count
        #expect(refusal(document, Self.sample) == nil)
        #expect(refusal(parser, Self.sample) == nil)
        document.maximumDocumentSize -= 1
        parser.maximumDocumentSize -= 1
        #expect(refusal(document, Self.sample)?.contains("more than the limit") == true)
        #expect(refusal(parser, Self.sample)?.contains("more than the limit") == true)
    }

    @Test("an empty body is an error that says so, as are 204, 205, 304 and HEAD")
    func empty() throws {
        #expect(refusal(XMLParserResponseSerializer(), "")?.contains("empty") == true)
        #expect(refusal(XMLDocumentResponseSerializer(), "")?.contains("empty") == true)
        for head in try bodilessHeads() {
            let reasons = [
                refusal(XMLParserResponseSerializer(), Self.sample, head: head),
                refusal(XMLDocumentResponseSerializer(), Self.sample, head: head),
            ]
            #expect(reasons.allSatisfy { $0?.contains("empty") == true })
        }
    }

    @Test("a document that is cut at any byte is an error")
    func truncated() {
        for length in 1..<Self.sample.count {
            let part = Self.sample.prefix(length)
            #expect(refusal(XMLDocumentResponseSerializer(), part) != nil, "\(length)")
            #expect(refusal(XMLParserResponseSerializer(), part) != nil, "\(length)")
        }
    }

    @Test("damaged and random bodies never crash")
    func randomBytes() {
        for body in damagedBodies(of: [Self.sample], count: 4000, seed: 4) {
            _ = refusal(XMLDocumentResponseSerializer(), body)
            _ = refusal(XMLParserResponseSerializer(), body)
        }
    }
}
