@testable import Bluebonnet

/// XPath expressions for any document.
///
/// They are fixed, because expressions come from a program and not from untrusted input.
enum XPathExpressions {
    static let all = [
        "//*", "//@*", "//text()", "/*", "count(//*)", "*[1]/*", "string(/*)", "//*[@id]/..",
        "//namespace::*", "//comment()", "//[", "$variable", "unknown()", "count()", "no:prefix",
        "//a:*", "true()", "", "id('a') | //*", "//*[position() = last()]", "sum(1)", "a\0b",
        String(repeating: "(", count: 6000), String(repeating: "-", count: 20_000),
    ]

    static func check(_ tree: XMLTree, _ expression: String) throws {
        let namespaces = ["a": "urn:a"]
        do {
            let texts = try tree.strings(forXPath: expression, namespaces: namespaces)
            if expression == "count(//*)" {
                let nodes = try tree.nodes(forXPath: "//*")
                try require(texts == ["\(nodes.count)"], "wrong elements: \(texts)")
            }
            _ = try tree.root.strings(forXPath: expression, namespaces: namespaces)
        } catch let error as XMLTree.QueryError {
            try require(!error.description.isEmpty, "an error without a description")
        }
        do {
            _ = try tree.strings(forXPath: expression, namespaces: ["": "urn:a"])
            try require(false, "a namespace without a prefix")
        } catch let error as XMLTree.QueryError {
            try require(!error.description.isEmpty, "an error without a description")
        }
        do {
            let nodes = try tree.root.nodes(forXPath: expression, namespaces: namespaces)
            try require(nodes.allSatisfy { !$0.name.isEmpty }, "an element without a name")
            let first = tree.root.children.first?.name ?? ""
            try require(
                tree.root.children(named: first).first == tree.root.child(named: first),
                "wrong first child")
            try require(tree.root[attribute: "\0"] == nil && tree.root.parent == nil, "wrong root")
        } catch let error as XMLTree.QueryError {
            try require(!error.description.isEmpty, "an error without a description")
        }
    }
}
