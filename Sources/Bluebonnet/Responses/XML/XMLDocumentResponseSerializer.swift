public import Foundation

/// A serializer that parses XML into a tree.
///
/// The documents that it refuses are described at ``XMLTree``. An empty body is an error.
public struct XMLDocumentResponseSerializer: ResponseSerializer {
    /// The acceptable status codes; nil accepts every status code.
    public var acceptableStatusCodes: Set<Int>?
    /// The acceptable media types; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The maximum size of a document in bytes; default 16 MiB.
    ///
    /// A larger document is refused without reading it, and its transfer is stopped. The tree takes
    /// up to about 60 times the memory of the document.
    public var maximumDocumentSize: Int

    /// ``maximumDocumentSize``.
    public var maximumBodySize: Int? { maximumDocumentSize }

    /// Creates a serializer that by default accepts the status codes 200 to 299 and the types of
    /// XML.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = XMLParserResponseSerializer.defaultContentTypes,
        maximumDocumentSize: Int = XMLTree.defaultMaximumSize
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.maximumDocumentSize = maximumDocumentSize
    }

    /// Returns the document as a tree.
    ///
    /// - Parameters:
    ///   - data: The complete body, without content codings.
    ///   - head: The status and header fields; nil if no response was received.
    /// - Returns: The tree.
    /// - Throws: An ``XMLTree/ParseError``, or ``ResponseSerializationError/emptyBody``.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> XMLTree {
        if isEmptyBody(data, head: head) { throw ResponseSerializationError.emptyBody }
        return try XMLTree(data, maximumSize: maximumDocumentSize)
    }
}

extension ResponseSerializer where Self == XMLDocumentResponseSerializer {
    /// A serializer that parses XML into a tree.
    public static var xmlDocument: Self { Self() }
}
