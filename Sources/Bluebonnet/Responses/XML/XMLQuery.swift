import CBluebonnetXML
import Foundation

/// The result of an XPath expression; its nodes belong to the document that was evaluated.
final class XMLQuery {
    /// The maximum number of steps of an evaluation, one for each visited node; they take about a
    /// second.
    ///
    /// libxml2 does not count the comparisons when it merges the nodes that a step finds from many
    /// others: each node is compared with all before it. Only the size of the document limits their
    /// number.
    private static let maximumOperations: UInt = 50_000_000

    private let pointer: OpaquePointer
    private let document: XMLTree.Document

    init(
        _ expression: String,
        _ namespaces: [String: String],
        at node: XMLTree.Node?,
        in document: XMLTree.Document
    ) throws(XMLTree.QueryError) {
        // C would read each string only up to a zero byte.
        let texts = [expression] + namespaces.flatMap { [$0.key, $0.value] }
        guard !texts.contains(where: { $0.utf8.contains(0) }) else { throw .zeroByte }
        var error = BluebonnetXMLError()
        let copies = namespaces.map { (strdup($0), strdup($1)) }
        defer {
            for (prefix, uri) in copies {
                free(prefix)
                free(uri)
            }
        }
        let pairs = copies.compactMap { prefix, uri -> BluebonnetXMLNamespace? in
            guard let prefix, let uri else { return nil }
            return BluebonnetXMLNamespace(prefix: prefix, uri: uri)
        }
        func evaluate(at node: OpaquePointer?) -> OpaquePointer? {
            bluebonnet_xml_query(
                document.pointer, node, expression, pairs, Int32(clamping: pairs.count),
                Self.maximumOperations, &error
            )
        }
        let result =
            if let node { node.withPointer { evaluate(at: $0) } } else { evaluate(at: nil) }
        guard let result else { throw XMLTree.QueryError(error) }
        pointer = result
        self.document = document
    }

    deinit {
        bluebonnet_xml_query_free(pointer)
    }

    /// The number of nodes; negative if the result is a string, a number or a Boolean.
    var count: Int { Int(bluebonnet_xml_query_count(pointer)) }

    func element(at index: Int) -> OpaquePointer? {
        bluebonnet_xml_query_element(pointer, Int32(clamping: index))
    }

    func string(at index: Int) -> String? {
        guard let characters = bluebonnet_xml_query_string(pointer, Int32(clamping: index)) else {
            return nil
        }
        defer { free(characters) }
        return String(cString: characters)
    }
}
