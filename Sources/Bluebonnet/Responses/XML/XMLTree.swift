import CBluebonnetXML
public import FoundationEssentials

/// An XML document that was parsed as a whole and can only be read.
///
/// Only well-formed documents with correct namespaces are accepted: a prefix that is not declared is an
/// error, for ``XMLParserSource`` too. The parser never opens a file
/// or a connection: a reference to an external DTD is ignored, and a document that declares
/// anything in an internal DTD subset — entities, attributes, elements, notations — is refused.
/// Character references and the five predefined entities work. What could harm the process is
/// found by a linear scan, before the parser sees any of it.
///
/// ```swift
/// let feed = try XMLTree(data)
/// for entry in feed.root.children(named: "entry") {
///     print(entry.child(named: "title")?.text ?? "untitled")
/// }
/// let links = try feed.strings(forXPath: "//a:link/@href", namespaces: ["a": atom])
/// ```
///
/// A tree can be read from several threads at once.
public struct XMLTree: Sendable {
    let document: Document

    /// Parses a document.
    ///
    /// The encoding is taken from the byte order mark or the XML declaration, and is UTF-8 without
    /// them. UTF-8, UTF-16, ASCII and the encodings that extend it by single bytes or by EUC are
    /// read. Elements may be nested 256 deep. A tag may have 64 KiB and 1,000 attributes, 256
    /// namespace declarations may be in scope at once, and all names together may be 65,536
    /// different ones. A single text may have about 10 million bytes.
    ///
    /// - Parameters:
    ///   - data: The encoded document.
    ///   - maximumSize: The number of bytes above which a document is refused unread. The tree
    ///     takes up to about 60 times the memory of the document.
    /// - Throws: A ``ParseError`` that says what is wrong at which place.
    public init(
        _ data: Data,
        maximumSize: Int = Self.defaultMaximumSize
    ) throws(ParseError) {
        var error = BluebonnetXMLError()
        let parsed = data.withUnsafeBytes { bytes in
            bluebonnet_xml_parse(bytes.baseAddress, bytes.count, Self.limits(maximumSize), &error)
        }
        guard let parsed else { throw ParseError(error) }
        let document = Document(adopting: parsed)
        // A document without a root element does not parse; this is for the type system only.
        guard let root = bluebonnet_xml_root(parsed) else { throw .withoutRoot }
        self.document = document
        self.root = Node(document: document, pointer: root)
    }

    /// The element that holds all others.
    public let root: Node
}

extension XMLTree {
    /// The owner of a document of libxml2.
    ///
    /// The invariant behind `@unchecked Sendable`: after parsing nothing changes the document. All
    /// accessors only follow its pointers and copy its strings, and none of them fills a cache
    /// lazily, so that several threads may read it at once. The last reference frees it.
    final class Document: @unchecked Sendable {
        let pointer: OpaquePointer

        init(adopting pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit {
            bluebonnet_xml_free(pointer)
        }
    }
}
