public import Foundation
@_exported public import FoundationXML

/// A serializer that returns an XML body as the source for an `XMLParser`, without parsing it.
///
/// The body is scanned, and refused if the scan of ``XMLTree`` would refuse it. That is the case if
/// it has malformed markup or an internal DTD subset, uses an undeclared namespace prefix, is too
/// large, is nested too deeply or is truncated. Mismatched tags, repeated attributes and unknown
/// entities are found only when the parser runs. An empty body is an error.
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
    /// - Throws: An ``XMLTree/ParseError`` if the scan refuses the body, or
    ///   ``ResponseSerializationError/emptyBody``.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> XMLParserSource {
        if isEmptyBody(data, head: head) { throw ResponseSerializationError.emptyBody }
        return try XMLParserSource(data, maximumSize: maximumDocumentSize)
    }
}

/// An XML document that has been scanned but not parsed.
///
/// It can be used on any thread; each parser belongs to its creator.
public struct XMLParserSource: Sendable {
    /// The encoded document.
    public let data: Data

    /// Creates a source from a document that is safe to parse.
    ///
    /// - Parameters:
    ///   - data: The encoded document.
    ///   - maximumSize: The maximum size in bytes; a larger document is refused without reading it.
    /// - Throws: An ``XMLTree/ParseError`` with the problem and its position.
    public init(
        _ data: Data,
        maximumSize: Int = XMLTree.defaultMaximumSize
    ) throws(XMLTree.ParseError) {
        try XMLTree.scan(data, maximumSize: maximumSize)
        self.data = data
    }

    /// Creates a parser that resolves no external entities.
    ///
    /// `parse()` calls your delegate on the thread that calls `parse()`, and takes seconds for the
    /// largest documents. Call `abortParsing()` in the delegate to stop it. Your code must handle
    /// documents that are not well-formed, and limit how much of a document it keeps.
    public func makeParser() -> XMLParser {
        // On Linux, `XMLParser(data:)` fails at the end of a document of more than 10 MB.
        let parser = XMLParser(stream: InputStream(data: data))
        parser.shouldResolveExternalEntities = false
        parser.externalEntityResolvingPolicy = .never
        return parser
    }
}

extension ResponseSerializer where Self == XMLParserResponseSerializer {
    /// A serializer that returns an XML body as the source for an `XMLParser`, without parsing it.
    public static var xmlParser: Self { Self() }
}
