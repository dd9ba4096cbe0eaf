import CBluebonnetXML

/// Access to libxml2's nodes. The caller must keep their document alive.
extension XMLTree {
    /// Copies a string of libxml2, which is valid UTF-8 after parsing.
    static func string(_ characters: UnsafePointer<CChar>?) -> String? {
        characters.map { String(cString: $0) }
    }

    static func hasName(_ node: OpaquePointer, _ name: String) -> Bool {
        string(bluebonnet_xml_name(node)).map { isSame($0, name) } ?? false
    }

    /// Whether two names are equal code point by code point, as XML requires.
    ///
    /// Swift's comparison would treat a composed and a decomposed é as equal, and takes quadratic
    /// time for many combining marks.
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

    /// Returns the text and CDATA sections below an element or attribute.
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

    /// Returns the next node in document order that is not below `node`.
    ///
    /// It is a loop rather than a recursion, since the document determines the depth.
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
