public import Foundation

/// Parses XML into a tree.
///
/// ``XMLTree`` says which documents it refuses. An empty body is an error.
public struct XMLDocumentResponseSerializer: ResponseSerializer {
    /// Status codes of a success; nil accepts every status.
    public var acceptableStatusCodes: Set<Int>?
    /// Media types that the body may have; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The number of bytes above which a document is refused unread, and its transfer stopped; 16 MiB
    /// by default.
    ///
    /// The tree takes up to about 60 times the memory of the document.
    public var maximumDocumentSize: Int

    /// ``maximumDocumentSize``.
    public var maximumBodySize: Int? { maximumDocumentSize }

    /// Makes a serializer that accepts the statuses of a success and the types of XML.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = XMLParserResponseSerializer.defaultContentTypes,
        maximumDocumentSize: Int = XMLTree.defaultMaximumSize
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.maximumDocumentSize = maximumDocumentSize
    }

    /// The tree of the document.
    ///
    /// - Throws: ``XMLTree/ParseError``, or ``ResponseSerializationError/emptyBody``.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> XMLTree {
        if isEmptyBody(data, head: head) { throw ResponseSerializationError.emptyBody }
        return try XMLTree(data, maximumSize: maximumDocumentSize)
    }
}

extension ResponseSerializer where Self == XMLDocumentResponseSerializer {
    /// Parses XML into a tree.
    public static var xmlDocument: Self { Self() }
}
