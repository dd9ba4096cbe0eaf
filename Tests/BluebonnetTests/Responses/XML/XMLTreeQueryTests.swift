import Foundation
import Testing

import Bluebonnet

@Suite("XPath queries of XMLTree")
struct XMLTreeQueryTests {
    private static let feed = """
        <feed xmlns='urn:atom' xmlns:m='urn:media'>
        <entry id='1'><title>One</title><m:link href='a'/></entry>
        <entry id='2'><title>Two</title><m:link href='b'/><!--c--></entry>
        <entry id='3'/>
        </feed>
        """
    private static let namespaces = ["a": "urn:atom", "media": "urn:media"]

    private func failure(_ expression: String, in tree: XMLTree) -> XMLTree.QueryError? {
        do throws(XMLTree.QueryError) {
            _ = try tree.nodes(forXPath: expression)
            return nil
        } catch {
            return error
        }
    }

    @Test("elements are found by namespace, in document order")
    func elements() throws {
        let tree = try parse(Self.feed)
        let found = try tree.nodes(forXPath: "//a:entry[a:title]", namespaces: Self.namespaces)
        #expect(found.map { $0[attribute: "id"] } == ["1", "2"])
        #expect(found[0].parent == tree.root)
        let reversed = try tree.nodes(
            forXPath: "//a:entry[3]/preceding-sibling::*", namespaces: Self.namespaces)
        #expect(reversed.map { $0[attribute: "id"] } == ["1", "2"])
        #expect(try tree.nodes(forXPath: "//entry").isEmpty)
        #expect(try tree.nodes(forXPath: "//nothing").isEmpty)
    }

    @Test("results are strings of attributes, text, elements and comments, or a single value")
    func strings() throws {
        let tree = try parse(Self.feed)
        func strings(_ expression: String) throws -> [String] {
            try tree.strings(forXPath: expression, namespaces: Self.namespaces)
        }
        #expect(try strings("//media:link/@href") == ["a", "b"])
        #expect(try strings("//a:title/text()") == ["One", "Two"])
        #expect(try strings("//a:title") == ["One", "Two"])
        #expect(try strings("//comment()") == ["c"])
        #expect(try strings("count(//a:entry)") == ["3"])
        #expect(try strings("string(//a:entry[2]/a:title)") == ["Two"])
        #expect(try strings("boolean(//x)") == ["false"])
        #expect(try strings("//x").isEmpty)
        #expect(try strings("//a:entry[1]/namespace::m") == ["urn:media"])
        #expect(try Set(strings("//namespace::*")).isSuperset(of: ["urn:atom", "urn:media"]))
        #expect(throws: XMLTree.QueryError.self) { try tree.nodes(forXPath: "//namespace::*") }
    }

    @Test("a namespace without a prefix, or with a zero byte, is a separate error")
    func badNamespaces() throws {
        let tree = try parse(Self.feed)
        let cases = [["": "urn:atom"], ["a\u{0}": "urn:atom"], ["a": "urn:atom\u{0}x"]]
        for namespaces in cases {
            let error = #expect(throws: XMLTree.QueryError.self) {
                _ = try tree.nodes(forXPath: "//entry", namespaces: namespaces)
            }
            #expect(try #require(error).message.contains("namespace"))
        }
    }

    @Test("a node's query starts at the node, a tree's at the document")
    func context() throws {
        let tree = try parse("<a><b><c n='1'/></b><c n='2'/></a>")
        let node = try #require(tree.root.child(named: "b"))
        #expect(try node.strings(forXPath: "c/@n") == ["1"])
        #expect(try node.nodes(forXPath: "..") == [tree.root])
        #expect(try node.strings(forXPath: "/a/c/@n") == ["2"])
        #expect(try tree.strings(forXPath: "a/c/@n") == ["2"])
    }

    @Test(
        "an invalid expression is an error with the reason and the position",
        arguments: [
            ("//[", "not well-formed", 2), ("q:b", "prefix", 3), ("f()", "function", 3),
            ("$x", "variable", 2), ("", "not well-formed", 0), ("count()", "arguments", nil),
            ("a\0b", "zero byte", nil), ("//@n", "strings(forXPath:)", nil),
            ("count(//c)", "strings(forXPath:)", nil), ("/", "strings(forXPath:)", nil),
        ] as [(String, String, Int?)])
    func malformed(_ expression: String, _ message: String, _ offset: Int?) throws {
        let tree = try parse("<a><c n='1'/></a>")
        let error = try #require(failure(expression, in: tree))
        #expect(error.message.contains(message), "\(error)")
        if let offset { #expect(error.offset == offset, "\(error)") }
    }

    @Test("an expression crafted to be slow or deep ends with an error, also on a small stack")
    func costly() async throws {
        let tree = try parse("<r>\(String(repeating: "<a/>", count: 30_000))</r>")
        let start = ContinuousClock.now
        #expect(failure("//a[count(//a) > 1]", in: tree)?.message.contains("steps") == true)
        #expect(start.duration(to: .now) < .seconds(20))
        let errors = await withCheckedContinuation { continuation in
            let thread = Thread {
                let brackets = [2_000, 8_000, 100_000].map { count in
                    String(repeating: "(", count: count) + "1"
                        + String(repeating: ")", count: count)
                }
                let steps = String(repeating: "a[", count: 8_000)
                continuation.resume(returning: (brackets + [steps]).map { failure($0, in: tree) })
            }
            thread.stackSize = 1024 * 1024
            thread.start()
        }
        #expect(errors.allSatisfy { $0 != nil })
    }

    @Test("the total length of strings from nested elements is limited")
    func amplification() throws {
        let text = String(repeating: "x", count: 1 << 20)
        let tree = try parse(
            String(repeating: "<a>", count: 200) + text + String(repeating: "</a>", count: 200))
        #expect(throws: XMLTree.QueryError.self) { try tree.strings(forXPath: "//a") }
        #expect(try tree.strings(forXPath: "//a/text()") == [text])
    }

    @Test("eight threads query one tree at the same time")
    func threads() async throws {
        let tree = try parse("<r>\(String(repeating: "<a n='1'><b/></a>", count: 500))</r>")
        let counts = await withTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    (0..<20).reduce(0) { sum, _ in
                        let found = (try? tree.nodes(forXPath: "//a[@n = '1'][b]"))?.count ?? 0
                        let failed = (try? tree.nodes(forXPath: "//p:a")) == nil
                        return sum + found + (failed ? 0 : number)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 10_000, count: 8))
    }
}
