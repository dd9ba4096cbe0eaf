public import Foundation
@_exported public import FoundationXML

/// Gives an XML body for an `XMLParser`, unparsed.
///
/// Whether the body is well-formed shows only when the parser runs. An empty body is an error.
public struct XMLParserResponseSerializer: ResponseSerializer {
    /// The content types that are accepted by default.
    public static let defaultContentTypes: Set<String> = ["application/xml", "text/xml"]

    /// Status codes of a success; nil accepts every status.
    public var acceptableStatusCodes: Set<Int>?
    /// Media types that the body may have, in lower case; nil accepts every type.
    public var acceptableContentTypes: Set<String>?

    /// Makes a serializer that accepts the statuses of a success and the types of XML.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = Self.defaultContentTypes
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
    }

    /// The body, ready to be parsed.
    ///
    /// - Throws: ``ResponseSerializationError`` when the body is empty.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> XMLParserSource {
        if isEmptyBody(data, head: head) { throw ResponseSerializationError.emptyBody }
        return XMLParserSource(data: data)
    }
}

/// An XML document that was not parsed yet.
///
/// It may be used on any thread; each parser belongs to the one that made it.
public struct XMLParserSource: Sendable {
    /// The encoded document.
    public let data: Data

    /// Makes a source of a document.
    public init(data: Data) {
        self.data = data
    }

    /// Makes a parser that resolves no external entities.
    ///
    /// On Linux `XMLParser` takes a document that is cut short for a whole one; where that
    /// matters use ``XMLDocumentResponseSerializer``.
    public func makeParser() -> XMLParser {
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.externalEntityResolvingPolicy = .never
        return parser
    }
}

extension ResponseSerializer where Self == XMLParserResponseSerializer {
    /// Gives an XML body for an `XMLParser`, unparsed.
    public static var xmlParser: Self { Self() }
}
