import CBluebonnetXML

extension XMLTree {
    /// An element of a document.
    ///
    /// A node is as small as two pointers and keeps its whole document alive. Two nodes are equal
    /// if they are the same element of the same tree.
    public struct Node: Sendable {
        let document: Document

        /// Points into `document`, whose invariant makes it safe to share.
        private nonisolated(unsafe) let pointer: OpaquePointer

        init(document: Document, pointer: OpaquePointer) {
            self.document = document
            self.pointer = pointer
        }

        /// The only way to the pointer: without it, the last reference to the document could be
        /// released between the copy of the pointer and its last use.
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

    /// The prefix as written in the document, or nil without one.
    ///
    /// A prefix is an abbreviation that the document chooses: compare ``namespaceURI``.
    public var prefix: String? {
        withPointer { XMLTree.string(bluebonnet_xml_prefix($0)) }
    }

    /// The namespace of the element, or nil if it is in none.
    public var namespaceURI: String? {
        withPointer { XMLTree.string(bluebonnet_xml_namespace_uri($0)) }
    }

    /// All text inside the element and the elements below it, in the order of the document.
    ///
    /// White space and CDATA sections are included, comments and processing instructions
    /// are not.
    public var text: String {
        withPointer { XMLTree.text(below: $0) }
    }
}

extension XMLTree.Node {
    /// The element that holds this one, or nil for the root.
    public var parent: XMLTree.Node? {
        withPointer { bluebonnet_xml_parent($0).map(node) }
    }

    /// The elements directly below this one, in the order of the document.
    public var children: [XMLTree.Node] {
        withPointer { XMLTree.elements(in: $0).map(node) }
    }

    /// The first element directly below this one with a local name, in any namespace.
    ///
    /// Names are compared code point by code point: an é is another than an e with an accent.
    public func child(named name: String) -> XMLTree.Node? {
        withPointer { pointer in
            XMLTree.elements(in: pointer)
                .first { XMLTree.hasName($0, name) }
                .map(node)
        }
    }

    /// The elements directly below this one with a local name, in any namespace.
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
