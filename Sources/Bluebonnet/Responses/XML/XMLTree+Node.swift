import CBluebonnetXML

extension XMLTree {
    /// An element of a document.
    ///
    /// A node has the size of two pointers and keeps its whole document alive. Two nodes are equal
    /// if they are the same element of the same tree.
    public struct Node: Sendable {
        let document: Document

        /// Points into `document`, whose invariant makes it safe to share.
        private nonisolated(unsafe) let pointer: OpaquePointer

        init(document: Document, pointer: OpaquePointer) {
            self.document = document
            self.pointer = pointer
        }

        /// Calls `body` with the pointer, and is the only access to it.
        ///
        /// Otherwise the last reference to the document could be released between copying the
        /// pointer and its last use.
        func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
            withExtendedLifetime(document) { body(pointer) }
        }
    }
}

extension XMLTree.Node {
    /// The local name, without a prefix.
    public var name: String {
        withPointer { XMLTree.string(bluebonnet_xml_name($0)) ?? "" }
    }

    /// The prefix as written in the document; nil if there is none.
    ///
    /// A prefix is an arbitrary abbreviation; compare ``namespaceURI`` instead.
    public var prefix: String? {
        withPointer { XMLTree.string(bluebonnet_xml_prefix($0)) }
    }

    /// The namespace of the element; nil if it has none.
    public var namespaceURI: String? {
        withPointer { XMLTree.string(bluebonnet_xml_namespace_uri($0)) }
    }

    /// The text of the element and of all elements below it, in document order.
    ///
    /// White space and CDATA sections are included. Comments and processing instructions are not.
    public var text: String {
        withPointer { XMLTree.text(below: $0) }
    }
}

extension XMLTree.Node {
    /// The element that contains this one; nil for the root.
    public var parent: XMLTree.Node? {
        withPointer { bluebonnet_xml_parent($0).map(node) }
    }

    /// The child elements, in document order.
    public var children: [XMLTree.Node] {
        withPointer { XMLTree.elements(in: $0).map(node) }
    }

    /// Returns the first child element with a local name, in any namespace.
    ///
    /// Names are compared code point by code point: a composed é and a decomposed é are different.
    ///
    /// - Parameter name: The local name, without a prefix.
    /// - Returns: The element; nil if there is none.
    public func child(named name: String) -> XMLTree.Node? {
        withPointer { pointer in
            XMLTree.elements(in: pointer)
                .first { XMLTree.hasName($0, name) }
                .map(node)
        }
    }

    /// Returns the child elements with a local name, in any namespace.
    ///
    /// Names are compared code point by code point.
    public func children(named name: String) -> [XMLTree.Node] {
        withPointer { pointer in
            XMLTree.elements(in: pointer)
                .filter { XMLTree.hasName($0, name) }
                .map(node)
        }
    }

    private func node(_ pointer: OpaquePointer) -> XMLTree.Node {
        XMLTree.Node(document: document, pointer: pointer)
    }
}

extension XMLTree.Node: Equatable {
    /// Whether two nodes are the same element of the same tree.
    public static func == (left: XMLTree.Node, right: XMLTree.Node) -> Bool {
        left.pointer == right.pointer
    }
}
