public import Foundation
@_exported public import FoundationXML

/// A serializer that returns an XML body as the source for an `XMLParser`.
///
/// The body is checked first, and refused if ``XMLTree`` would refuse it. Its encoding is the one
/// that `XMLParser` uses: a declaration overrides the byte order mark of UTF-8. An empty body is an
/// error.
public struct XMLParserResponseSerializer: ResponseSerializer {
    /// The content types that are accepted by default.
    public static let defaultContentTypes: Set<String> = ["application/xml", "text/xml"]

    /// The acceptable status codes; nil accepts every status code.
    public var acceptableStatusCodes: Set<Int>?
    /// The acceptable media types; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The maximum size of a document in bytes; default 16 MiB.
    ///
    /// A larger document is refused without reading it, and its transfer is stopped.
    public var maximumDocumentSize: Int

    /// ``maximumDocumentSize``.
    public var maximumBodySize: Int? { maximumDocumentSize }

    /// Creates a serializer that by default accepts the status codes 200 to 299 and the types of
    /// XML.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = Self.defaultContentTypes,
        maximumDocumentSize: Int = XMLTree.defaultMaximumSize
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.maximumDocumentSize = maximumDocumentSize
    }

    /// Returns the body as a source for parsers.
    ///
    /// - Parameters:
    ///   - data: The complete body, without content codings.
    ///   - head: The status and header fields; nil if no response was received.
    /// - Returns: The source.
    /// - Throws: An ``XMLTree/ParseError`` if the body is refused, or
    ///   ``ResponseSerializationError/emptyBody``.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> XMLParserSource {
        if isEmptyBody(data, head: head) { throw ResponseSerializationError.emptyBody }
        return try XMLParserSource(data, maximumSize: maximumDocumentSize)
    }
}

/// A well-formed XML document within the limits of ``XMLTree``.
///
/// It can be used on any thread; each parser belongs to its creator.
public struct XMLParserSource: Sendable {
    /// The encoded document.
    public let data: Data

    /// Checks a document, and creates a source from it.
    ///
    /// libxml2 reads the whole document, without building a tree.
    ///
    /// - Parameters:
    ///   - data: The encoded document.
    ///   - maximumSize: The maximum size in bytes; a larger document is refused without reading it.
    /// - Throws: An ``XMLTree/ParseError`` with the problem and its position.
    public init(
        _ data: Data,
        maximumSize: Int = XMLTree.defaultMaximumSize
    ) throws(XMLTree.ParseError) {
        try XMLTree.check(data, maximumSize: maximumSize)
        self.data = data
    }

    /// Creates a parser that resolves no external entities.
    ///
    /// `parse()` calls your delegate on the thread that calls `parse()`, and takes seconds for the
    /// largest documents. Call `abortParsing()` in the delegate to stop it. Your code must limit how
    /// much of a document it keeps.
    public func makeParser() -> XMLParser {
        // On Linux, `XMLParser(data:)` fails at the end of a document of more than 10 MB.
        let parser = XMLParser(stream: InputStream(data: data))
        parser.shouldResolveExternalEntities = false
        parser.externalEntityResolvingPolicy = .never
        return parser
    }
}

extension ResponseSerializer where Self == XMLParserResponseSerializer {
    /// A serializer that returns an XML body as the source for an `XMLParser`.
    public static var xmlParser: Self { Self() }
}
