import CBluebonnetXML
import Foundation

@testable import Bluebonnet

/// The property that the trees of documents stay within the limits.
///
/// A tree that is written as a document must also be read as the same tree.
enum XMLProperty {
    private static let small = BluebonnetXMLLimits(
        maximumSize: 4096, maximumDepth: 6, maximumTagSize: 256, maximumAttributes: 5,
        maximumNamespaces: 3, maximumNames: 40)

    /// Checks an input, which has a byte of options and then the document.
    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let options = input.byte()
        let body = Array(input.rest)
        let isAccepted = try accepts(body)
        if let tree = try parse(body) {
            try require(isAccepted, "a document was parsed that the check refuses")
            try measure(tree.root)
        }
        try checkTree(Data(body), XPathExpressions.all[Int(options) % XPathExpressions.all.count])
    }

    private static func accepts(_ body: [UInt8]) throws -> Bool {
        var error = BluebonnetXMLError()
        let isAccepted = body.withUnsafeBytes {
            bluebonnet_xml_check($0.baseAddress, $0.count, small, &error)
        }
        try checkError(error, isAccepted)
        return isAccepted
    }

    private static func parse(_ body: [UInt8]) throws -> Document? {
        var error = BluebonnetXMLError()
        let pointer = body.withUnsafeBytes {
            bluebonnet_xml_parse($0.baseAddress, $0.count, small, &error)
        }
        try checkError(error, pointer != nil)
        return pointer.flatMap(Document.init)
    }

    private static func checkError(_ error: BluebonnetXMLError, _ isAccepted: Bool) throws {
        let description = XMLTree.ParseError(error)
        guard !isAccepted else {
            return try require(description.message.isEmpty, "an error for an accepted document")
        }
        try require(
            !description.message.isEmpty && error.line >= 1 && error.column >= 1,
            "an error without a location: \(description)")
    }

    /// A document of the C module, with its root.
    private final class Document {
        private let pointer: OpaquePointer
        let root: OpaquePointer

        init?(_ pointer: OpaquePointer) {
            guard let root = bluebonnet_xml_root(pointer) else { return nil }
            (self.pointer, self.root) = (pointer, root)
        }

        deinit { bluebonnet_xml_free(pointer) }
    }

    /// Checks that no element exceeds the limits for depth and attributes.
    private static func measure(_ root: OpaquePointer) throws {
        var waiting = [(node: root, depth: Int32(1))]
        while let (node, depth) = waiting.popLast() {
            try require(depth <= small.maximumDepth, "an element at depth \(depth)")
            var count: Int32 = 0
            var attribute = bluebonnet_xml_first_attribute(node)
            while let current = attribute {
                count += 1
                attribute = bluebonnet_xml_next_sibling(current)
            }
            try require(count <= small.maximumAttributes, "an element with \(count) attributes")
            var child = bluebonnet_xml_first_child(node)
            while let current = child {
                if bluebonnet_xml_kind(current) == BluebonnetXMLNodeKindElement {
                    try require(bluebonnet_xml_parent(current) == node, "wrong parent")
                    waiting.append((current, depth + 1))
                }
                child = bluebonnet_xml_next_sibling(current)
            }
        }
    }

    /// Checks that a tree that is written is read as the same tree.
    private static func checkTree(_ body: Data, _ expression: String) throws {
        let tree: XMLTree
        do {
            tree = try XMLTree(body)
        } catch {
            return try require(!error.description.isEmpty, "an error without a description")
        }
        _ = try XMLParserSource(body)
        let text = XMLWriter(tree.root).text
        do {
            let again = try XMLTree(Data(text.utf8))
            try require(XMLWriter(again.root).text == text, "wrong tree: \(text)")
        } catch let error as XMLTree.ParseError {
            throw FuzzViolation(description: "\(error) in \(text)")
        }
        try XPathExpressions.check(tree, expression)
    }
}
