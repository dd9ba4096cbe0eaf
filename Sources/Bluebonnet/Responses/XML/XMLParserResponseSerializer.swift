public import Foundation
@_exported public import FoundationXML

/// Gives an XML body for an `XMLParser`, unparsed.
///
/// The body is scanned and refused where ``XMLTree`` would refuse it unread: it declares something
/// in an internal DTD subset, uses a namespace prefix that is not declared, is too large, nested too
/// deep, or cut short. Whether it is well-formed in every other way shows when the parser runs. An empty
/// body is an error.
public struct XMLParserResponseSerializer: ResponseSerializer {
    /// The content types that are accepted by default.
    public static let defaultContentTypes: Set<String> = ["application/xml", "text/xml"]

    /// Status codes of a success; nil accepts every status.
    public var acceptableStatusCodes: Set<Int>?
    /// Media types that the body may have; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The number of bytes above which a document is refused unread, and its transfer stopped; 16 MiB
    /// by default.
    public var maximumDocumentSize: Int

    /// ``maximumDocumentSize``.
    public var maximumBodySize: Int? { maximumDocumentSize }

    /// Makes a serializer that accepts the statuses of a success and the types of XML.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = Self.defaultContentTypes,
        maximumDocumentSize: Int = XMLTree.defaultMaximumSize
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.maximumDocumentSize = maximumDocumentSize
    }

    /// The body, ready to be parsed.
    ///
    /// - Throws: ``XMLTree/ParseError`` when the scan refuses it, or
    ///   ``ResponseSerializationError/emptyBody``.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> XMLParserSource {
        if isEmptyBody(data, head: head) { throw ResponseSerializationError.emptyBody }
        return try XMLParserSource(data, maximumSize: maximumDocumentSize)
    }
}

/// An XML document that was scanned and not parsed yet.
///
/// It may be used on any thread; each parser belongs to the one that made it.
public struct XMLParserSource: Sendable {
    /// The encoded document.
    public let data: Data

    /// Makes a source of a document that is safe to parse.
    ///
    /// - Parameters:
    ///   - data: The encoded document.
    ///   - maximumSize: The number of bytes above which a document is refused unread.
    /// - Throws: A ``XMLTree/ParseError`` that says what is wrong at which place.
    public init(
        _ data: Data,
        maximumSize: Int = XMLTree.defaultMaximumSize
    ) throws(XMLTree.ParseError) {
        try XMLTree.scan(data, maximumSize: maximumSize)
        self.data = data
    }

    /// Makes a parser that resolves no external entities.
    ///
    /// `parse()` runs your delegate on the thread that calls it, and takes seconds for the largest
    /// documents; `abortParsing()` in the delegate ends it. Whether the document is well-formed, and
    /// how much of it is kept, is for the caller to see to.
    public func makeParser() -> XMLParser {
        // Given in one piece, a document of more than 10 MB fails at its end on Linux.
        let parser = XMLParser(stream: InputStream(data: data))
        parser.shouldResolveExternalEntities = false
        parser.externalEntityResolvingPolicy = .never
        return parser
    }
}

extension ResponseSerializer where Self == XMLParserResponseSerializer {
    /// Gives an XML body for an `XMLParser`, unparsed.
    public static var xmlParser: Self { Self() }
}
