import CBluebonnetXML

/// Reads the nodes of libxml2. The caller keeps their document alive.
extension XMLTree {
    /// Copies a string of libxml2, which is valid UTF-8 after parsing.
    static func string(_ characters: UnsafePointer<CChar>?) -> String? {
        characters.map { String(cString: $0) }
    }

    static func hasName(_ node: OpaquePointer, _ name: String) -> Bool {
        string(bluebonnet_xml_name(node)).map { isSame($0, name) } ?? false
    }

    /// Whether two names are the same, code point by code point, as XML says.
    ///
    /// Swift's own comparison takes an é for an e with an accent, and quadratic time of many marks.
    static func isSame(_ name: String, _ other: String) -> Bool {
        name.utf8.elementsEqual(other.utf8)
    }

    static func attributes(of element: OpaquePointer) -> some Sequence<OpaquePointer> {
        siblings(from: bluebonnet_xml_first_attribute(element))
    }

    static func elements(in parent: OpaquePointer) -> some Sequence<OpaquePointer> {
        siblings(from: bluebonnet_xml_first_child(parent)).lazy
            .filter { bluebonnet_xml_kind($0) == BluebonnetXMLNodeKindElement }
    }

    /// The text and CDATA sections below an element or attribute.
    static func text(below top: OpaquePointer) -> String {
        var text = ""
        var current = bluebonnet_xml_first_child(top)
        while let node = current {
            if let piece = string(bluebonnet_xml_text(node)) {
                text += piece
            }
            current = bluebonnet_xml_first_child(node) ?? successor(of: node, below: top)
        }
        return text
    }

    private static func siblings(from first: OpaquePointer?) -> some Sequence<OpaquePointer> {
        sequence(state: first) { next in
            defer { next = next.flatMap { bluebonnet_xml_next_sibling($0) } }
            return next
        }
    }

    /// The next node in the order of the document that is not below `node`.
    ///
    /// A loop instead of recursion, since the document decides how deep it goes.
    private static func successor(
        of node: OpaquePointer,
        below top: OpaquePointer
    ) -> OpaquePointer? {
        var node = node
        while node != top {
            if let sibling = bluebonnet_xml_next_sibling(node) { return sibling }
            guard let parent = bluebonnet_xml_parent(node) else { return nil }
            node = parent
        }
        return nil
    }
}
