import CBluebonnetXML

extension XMLTree {
    /// An attribute of an element.
    ///
    /// Namespace declarations (`xmlns`) are not attributes.
    public struct Attribute: Sendable, Equatable {
        /// The local name, without a prefix.
        public let name: String

        /// The prefix as written in the document; nil if there is none.
        public let prefix: String?

        /// The namespace of the attribute; nil if it has none.
        ///
        /// An attribute without a prefix has no namespace, even if its element has one.
        public let namespaceURI: String?

        /// The value, with character references and predefined entities replaced.
        public let value: String

        init(_ pointer: OpaquePointer) {
            name = XMLTree.string(bluebonnet_xml_name(pointer)) ?? ""
            prefix = XMLTree.string(bluebonnet_xml_prefix(pointer))
            namespaceURI = XMLTree.string(bluebonnet_xml_namespace_uri(pointer))
            value = XMLTree.text(below: pointer)
        }

        var nameAsWritten: String {
            prefix.map { "\($0):\(name)" } ?? name
        }
    }
}

extension XMLTree.Node {
    /// The attributes of the element, in document order.
    public var attributes: [XMLTree.Attribute] {
        withPointer { XMLTree.attributes(of: $0).map(XMLTree.Attribute.init) }
    }

    /// The value of the attribute with a name; nil if there is no such attribute.
    ///
    /// The name is written as in the document: `id`, `xml:id`. A name without a prefix also finds
    /// an attribute with a prefix, if no other attribute has that name. Names are compared code
    /// point by code point.
    public subscript(attribute name: String) -> String? {
        let attributes = attributes
        let match =
            attributes.first { XMLTree.isSame($0.nameAsWritten, name) }
            ?? attributes.first { XMLTree.isSame($0.name, name) }
        return match?.value
    }
}
