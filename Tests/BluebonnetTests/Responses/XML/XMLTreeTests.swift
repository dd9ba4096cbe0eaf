import FoundationEssentials
import Testing

import Bluebonnet

@Suite("XMLTree")
struct XMLTreeTests {
    @Test("an element has its local name, prefix and namespace")
    func names() throws {
        let root = try parse(
            """
            <d:multistatus xmlns:d="DAV:" xmlns="urn:plain"><d:response/><status/></d:multistatus>
            """
        ).root
        #expect(root.name == "multistatus")
        #expect(root.prefix == "d")
        #expect(root.namespaceURI == "DAV:")
        let status = try #require(root.child(named: "status"))
        #expect(status.prefix == nil)
        #expect(status.namespaceURI == "urn:plain")
    }

    @Test("an element outside of all namespaces has neither prefix nor namespace")
    func withoutNamespace() throws {
        let root = try parse("<a/>").root
        #expect(root.prefix == nil)
        #expect(root.namespaceURI == nil)
    }

    @Test("an empty default namespace removes elements from the outer one")
    func undeclaredDefaultNamespace() throws {
        let root = try parse("<a xmlns='urn:x'><b xmlns=''/></a>").root
        #expect(root.namespaceURI == "urn:x")
        #expect(root.child(named: "b")?.namespaceURI == nil)
    }

    @Test("attributes keep their order, prefixes and namespaces, without declarations")
    func attributes() throws {
        let root = try parse(
            "<a xmlns='urn:x' xmlns:l='urn:l' id='1' l:href='&lt;&#x41;&amp;&#38;&quot;' e=''/>"
        ).root
        let attributes = root.attributes
        #expect(attributes.map(\.name) == ["id", "href", "e"])
        #expect(attributes.map(\.prefix) == [nil, "l", nil])
        #expect(attributes.map(\.namespaceURI) == [nil, "urn:l", nil])
        #expect(attributes.map(\.value) == ["1", "<A&&\"", ""])
    }

    @Test("white space in attribute values is normalized except for character references")
    func attributeWhiteSpace() throws {
        #expect(try parse("<a b=' x\n\ty '/>").root[attribute: "b"] == " x  y ")
        #expect(try parse("<a b='x&#10;y'/>").root[attribute: "b"] == "x\ny")
    }

    @Test("an attribute is found by its qualified name, then by its local name")
    func attributeLookup() throws {
        let root = try parse("<a xml:id='x' id='y' xml:lang='en'/>").root
        #expect(root[attribute: "id"] == "y")
        #expect(root[attribute: "xml:id"] == "x")
        #expect(root[attribute: "lang"] == "en")
        #expect(root[attribute: "other"] == nil)
    }

    @Test("text joins mixed content in order, with CDATA, without comments and instructions")
    func mixedContent() throws {
        let root = try parse(
            "<p>One <b>two<i/> </b><!-- no --><?no no?><![CDATA[<three> & ]]>fo<i>u</i>r</p>"
        ).root
        #expect(root.text == "One two <three> & four")
        #expect(root.child(named: "b")?.text == "two ")
    }

    @Test("the text of an element ends at its end tag")
    func textEnds() throws {
        let root = try parse("<a><b><c>1</c></b><d>2</d>3</a>").root
        #expect(root.child(named: "b")?.text == "1")
        #expect(root.child(named: "b")?.child(named: "c")?.text == "1")
        #expect(try parse("<a/>").root.text == "")
    }

    @Test("character references and the five predefined entities are replaced in text")
    func references() throws {
        let text = try parse("<a>&lt;&gt;&amp;&quot;&apos;&#233;&#x1F600;&#38;lt;</a>").root.text
        #expect(text == "<>&\"'é😀&lt;")
    }

    @Test("line breaks are normalized to line feeds")
    func lineBreaks() throws {
        #expect(try parse("<a>1\r\n2\n3</a>").root.text == "1\n2\n3")
    }

    @Test("children are only elements, and can be selected by local name")
    func children() throws {
        let root = try parse("<a>x<b n='1'/><!----><c/><q:b xmlns:q='u' n='2'/></a>").root
        #expect(root.children.map(\.name) == ["b", "c", "b"])
        #expect(root.children(named: "b").map { $0[attribute: "n"] } == ["1", "2"])
        #expect(root.child(named: "b")?[attribute: "n"] == "1")
        #expect(root.child(named: "x") == nil)
        #expect(root.children(named: "x").isEmpty)
    }

    @Test("names are compared by code points, not by canonical equivalence")
    func codePoints() throws {
        let attributes = "e\u{301}='1' \u{E9}='2'"
        let elements = "<e\u{301}>3</e\u{301}><\u{E9}>4</\u{E9}>"
        let root = try parse("<a \(attributes)>\(elements)</a>").root
        #expect(root[attribute: "\u{E9}"] == "2")
        #expect(root[attribute: "e\u{301}"] == "1")
        #expect(root.child(named: "\u{E9}")?.text == "4")
        #expect(root.children(named: "\u{E9}").map(\.text) == ["4"])
        #expect(root.children(named: "e\u{301}").map(\.text) == ["3"])
        #expect(try parse("<a e\u{301}='1'/>").root[attribute: "\u{E9}"] == nil)
    }

    @Test("an element is found quickly among others with names that are slow to compare")
    func slowNames() throws {
        let name = "b" + marks(15_000)
        let elements = String(repeating: "<\(name) \(name)=''/>", count: 100)
        let root = try parse("<a>\(elements)<c/></a>").root
        let time = ContinuousClock().measure {
            #expect(root.child(named: "c") != nil)
            #expect(root.children.allSatisfy { $0[attribute: "c"] == nil })
        }
        #expect(time < .seconds(10))
    }

    @Test("nodes are equal if they are the same element of the same tree")
    func identity() throws {
        let tree = try parse("<a><b/><b/></a>")
        let children = tree.root.children
        #expect(children[0] == tree.root.child(named: "b"))
        #expect(children[0] != children[1])
        #expect(children[1].parent == tree.root)
        #expect(tree.root.parent == nil)
        #expect(try parse("<a><b/><b/></a>").root != tree.root)
    }

    @Test("a node keeps its document alive")
    func lifetime() throws {
        func leaf() throws -> XMLTree.Node {
            try #require(try parse("<a><b><c>deep</c></b></a>").root.child(named: "b"))
        }
        let node = try leaf()
        #expect(node.child(named: "c")?.text == "deep")
        #expect(node.parent?.name == "a")
    }

    @Test("comments and instructions around the root element are accepted")
    func aroundRoot() throws {
        let tree = try parse("<?xml version='1.0'?><!-- x --><?y z?>\n<a>1</a><!-- x -->\n<?y?>\n")
        #expect(tree.root.text == "1")
    }

    @Test("an error's description has its position")
    func description() throws {
        let error = try #require(refusal(of: "<a>\n  <b></c>\n</a>"))
        #expect(error.line == 2)
        #expect(error.column == 10)
        #expect(error.description == "line 2, column 10: \(error.message)")
        #expect(error.message == "Opening and ending tag mismatch: b line 2 and c")
        #expect(error == refusal(of: "<a>\n  <b></c>\n</a>"))
    }
}
