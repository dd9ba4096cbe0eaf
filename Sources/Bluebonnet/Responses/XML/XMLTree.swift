import CBluebonnetXML
public import FoundationEssentials

/// A completely parsed, read-only XML document.
///
/// Only well-formed documents with correct namespaces are accepted: an undeclared prefix is an
/// error, also for ``XMLParserSource``. The parser never opens a file or a connection, and ignores
/// a reference to an external DTD. A document with an internal DTD subset, which could declare
/// entities, attributes, elements and notations, is refused. Character references and the five
/// predefined entities are supported. A document is read twice: first to check it without keeping
/// anything, then to build the tree.
///
/// ```swift
/// let feed = try XMLTree(data)
/// for entry in feed.root.children(named: "entry") {
///     print(entry.child(named: "title")?.text ?? "untitled")
/// }
/// let links = try feed.strings(forXPath: "//a:link/@href", namespaces: ["a": atom])
/// ```
///
/// Several threads can read a tree at once.
public struct XMLTree: Sendable {
    let document: Document

    /// Parses a document.
    ///
    /// The byte order mark or the XML declaration specifies the encoding; the default is UTF-8.
    /// UTF-8, UTF-16, ASCII, and its single-byte and EUC extensions are supported.
    ///
    /// A document can have:
    ///
    /// - elements nested 256 deep,
    /// - 64 KiB and 1,000 attributes in a tag,
    /// - 256 namespace declarations in scope at once,
    /// - 65,536 different names in total,
    /// - about 10 million bytes in a single text.
    ///
    /// - Parameters:
    ///   - data: The encoded document.
    ///   - maximumSize: The maximum size in bytes; a larger document is refused without reading it.
    ///     The tree takes up to about 60 times the memory of the document.
    /// - Throws: A ``ParseError`` with the problem and its position.
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
        // A document without a root element does not parse; this satisfies the type system.
        guard let root = bluebonnet_xml_root(parsed) else { throw .withoutRoot }
        self.document = document
        self.root = Node(document: document, pointer: root)
    }

    /// The root element, which contains all others.
    public let root: Node
}

extension XMLTree {
    /// The owner of a libxml2 document.
    ///
    /// The invariant behind `@unchecked Sendable`: nothing changes the document after parsing. All
    /// accessors only follow its pointers and copy its strings, and none fills a cache lazily, so
    /// several threads can read it at once. The last reference frees it.
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
