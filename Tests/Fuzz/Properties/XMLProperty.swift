import CBluebonnetXML
import Foundation

#if canImport(CFuzzer)
import CFuzzer
#endif

@testable import Bluebonnet

/// The property that documents that pass the scan also stay within the limits in libxml2.
///
/// A tree that is written as a document must also be read as the same tree.
enum XMLProperty {
    private static let small = BluebonnetXMLLimits(
        maximumSize: 4096, maximumDepth: 6, maximumTagSize: 256, maximumAttributes: 5,
        maximumNamespaces: 3, maximumNames: 40)

    private static let large = BluebonnetXMLLimits(
        maximumSize: 1 << 24, maximumDepth: 5000, maximumTagSize: 1 << 24,
        maximumAttributes: 5000, maximumNamespaces: 5000, maximumNames: 1 << 20)

    /// Checks an input, which has a byte of options and then the document.
    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let options = input.byte()
        let body = Array(input.rest)
        let isSafe = try scan(body, small)
        let isParsed = try parse(body, small) != nil
        try require(isSafe || !isParsed, "a document was parsed that the scan rejects")
        if isSafe, let tree = try parse(body, large) { try measure(tree.root) }
        #if canImport(CFuzzer)
        for readsSubsets in [false, true] {
            if let tree = parseUnscanned(body, readsSubsets) { try measure(tree.root) }
        }
        #endif
        try checkTree(Data(body), XPathExpressions.all[Int(options) % XPathExpressions.all.count])
    }

    private static func scan(_ body: [UInt8], _ limits: BluebonnetXMLLimits) throws -> Bool {
        var error = BluebonnetXMLError()
        let isSafe = body.withUnsafeBytes {
            bluebonnet_xml_scan($0.baseAddress, $0.count, limits, &error)
        }
        try checkError(error, isSafe, body)
        return isSafe
    }

    private static func parse(_ body: [UInt8], _ limits: BluebonnetXMLLimits) throws -> Document? {
        var error = BluebonnetXMLError()
        let pointer = body.withUnsafeBytes {
            bluebonnet_xml_parse($0.baseAddress, $0.count, limits, &error)
        }
        try checkError(error, pointer != nil, body)
        return pointer.flatMap(Document.init)
    }

    #if canImport(CFuzzer)
    /// Parses a document with only the handlers to enforce the limits, the second check after the
    /// scan.
    private static func parseUnscanned(_ body: [UInt8], _ readsSubsets: Bool) -> Document? {
        var error = BluebonnetXMLError()
        let pointer = body.withUnsafeBytes {
            fuzz_xml_parse_unscanned($0.baseAddress, $0.count, small, readsSubsets, &error)
        }
        return pointer.flatMap(Document.init)
    }
    #endif

    private static func checkError(
        _ error: BluebonnetXMLError, _ isAccepted: Bool, _ body: [UInt8]
    ) throws {
        let description = XMLTree.ParseError(error)
        guard !isAccepted else {
            return try require(description.message.isEmpty, "an error for an accepted document")
        }
        try require(
            !description.message.isEmpty && error.line >= 1 && error.column >= 1
                && (-1...Int64(body.count)).contains(error.byteOffset),
            "an error without a location: \(description), byte \(error.byteOffset)")
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
