public import Foundation

/// A serializer that parses a property list into plain Swift values.
///
/// Values are `String`, `Int`, `UInt64` for an integer that does not fit into an `Int`, `Double`,
/// `Bool`, `Date`, `Data`, `[any Sendable]` and `[String: any Sendable]`. An empty body becomes
/// nil.
///
/// The XML and binary formats are supported; the old text format of NeXT is refused. In the binary
/// format, a set becomes an array, and a UID of a keyed archive becomes a dictionary with the key
/// `CF$UID`. A key with more than 128 combining marks in a row is an error, since comparing it
/// would be slow.
///
/// Foundation's parser is not used, because it crashes on some binary property lists on Linux.
public struct PropertyListResponseSerializer: ResponseSerializer {
    /// The content types that are accepted by default.
    public static let defaultContentTypes: Set<String> = ["application/x-plist"]

    /// The acceptable status codes; nil accepts every status code.
    public var acceptableStatusCodes: Set<Int>?
    /// The acceptable media types; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The maximum size of a property list in bytes; default 16 MiB.
    ///
    /// A larger property list is refused without reading it, and its transfer is stopped. The
    /// values take up to about 100 times as much memory.
    public var maximumDocumentSize: Int

    /// ``maximumDocumentSize``.
    public var maximumBodySize: Int? { maximumDocumentSize }

    /// Creates a serializer that by default accepts the status codes 200 to 299 and
    /// `application/x-plist`.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = Self.defaultContentTypes,
        maximumDocumentSize: Int = XMLTree.defaultMaximumSize
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.maximumDocumentSize = maximumDocumentSize
    }

    /// Returns the root of the property list, or nil for an empty body.
    ///
    /// - Parameters:
    ///   - data: The complete body, without content codings.
    ///   - head: The status and header fields; nil if no response was received.
    /// - Returns: The root; nil for an empty body.
    /// - Throws: A ``ResponseSerializationError`` that describes the problem, with its position in
    ///   the binary format, or an ``XMLTree/ParseError``.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> (any Sendable)? {
        if isEmptyBody(data, head: head) { return nil }
        if data.starts(with: BinaryPropertyList.signature) {
            var list = try BinaryPropertyList(data, maximumSize: maximumDocumentSize)
            return try list.root()
        }
        let tree = try XMLTree(data, maximumSize: maximumDocumentSize)
        return try XMLPropertyList.root(tree.root)
    }
}

extension ResponseSerializer where Self == PropertyListResponseSerializer {
    /// A serializer that parses a property list into plain Swift values.
    public static var propertyList: Self { Self() }
}
