public import Foundation

/// Makes plain Swift values of a property list.
///
/// Values are `String`, `Int`, `UInt64` where an `Int` is too small, `Double`, `Bool`, `Date`,
/// `Data`, `[any Sendable]` and `[String: any Sendable]`. The XML and the binary format are read,
/// the old text format of NeXT is refused. A set in the binary format becomes an array, the UID
/// of an archive a dictionary with the key `CF$UID`. An empty body gives nil. A key with more than
/// 128 combining marks in a row, which would take long to compare, is an error.
///
/// Foundation's reader is not used: on Linux it crashes on some binary property lists.
public struct PropertyListResponseSerializer: ResponseSerializer {
    /// The content types that are accepted by default.
    public static let defaultContentTypes: Set<String> = ["application/x-plist"]

    /// Status codes of a success; nil accepts every status.
    public var acceptableStatusCodes: Set<Int>?
    /// Media types that the body may have; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The number of bytes above which a property list is refused unread, and its transfer stopped; 16 MiB
    /// by default.
    ///
    /// The values take up to about 100 times as much memory.
    public var maximumDocumentSize: Int

    /// ``maximumDocumentSize``.
    public var maximumBodySize: Int? { maximumDocumentSize }

    /// Makes a serializer that accepts the statuses of a success and `application/x-plist`.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = Self.defaultContentTypes,
        maximumDocumentSize: Int = XMLTree.defaultMaximumSize
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.maximumDocumentSize = maximumDocumentSize
    }

    /// The root of the property list, or nil of an empty body.
    ///
    /// - Throws: ``ResponseSerializationError`` with what is wrong, and where in the binary format,
    ///   or ``XMLTree/ParseError``.
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
    /// Makes plain Swift values of a property list.
    public static var propertyList: Self { Self() }
}
