public import Foundation

/// Makes plain Swift values of JSON (RFC 8259, strictly).
///
/// Values are `String`, `Int`, `UInt64` where an `Int` is too small, `Double` for every number
/// with a fraction or an exponent and for integers too big for both, `Bool`, `NSNull`,
/// `[any Sendable]` and `[String: any Sendable]`; `as? [String: Any]` and `as? [Any]` work.
/// A number beyond the range of `Double`, such as 1e400, is an error; one too close to zero is 0.
/// A body that is empty or a single space gives nil. Of keys that
/// repeat, the last one counts; to Swift an é is the same key however it is composed, for which it
/// takes minutes when a key has very many combining marks in a row: more than 128 are an error.
public struct JSONResponseSerializer: ResponseSerializer {
    /// The content types that are accepted by default.
    public static let defaultContentTypes: Set<String> = [
        "application/json", "text/json", "text/javascript",
    ]

    /// Status codes of a success; nil accepts every status.
    public var acceptableStatusCodes: Set<Int>?
    /// Media types that the body may have; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// Whether the root may be something other than an array or object; it may not by default.
    public var allowsFragments: Bool
    /// Whether keys whose value is null are left out, at any depth; they are kept by default.
    public var removesKeysWithNullValues: Bool
    /// Whether nulls in arrays are left out, at any depth; they are kept by default.
    public var removesNullArrayElements: Bool
    /// Whether an escape that is half of a surrogate pair, such as `"\ud800"`, is read as U+FFFD; default
    /// false, which makes it an error.
    ///
    /// RFC 8259 section 8.2 leaves open what it means. No Swift string can hold it.
    public var replacesLoneSurrogates = false
    /// How deep arrays and objects may be nested; 512 by default, and never more than 1,024.
    public var maximumDepth: Int
    /// The number of bytes above which a body is refused unread, and its transfer stopped; 64 MiB
    /// by default.
    ///
    /// Parsing and its values may take up to about 60 times the memory of the body.
    public var maximumDocumentSize: Int

    private var options: BodyOptions?

    /// ``maximumDocumentSize``.
    public var maximumBodySize: Int? { maximumDocumentSize }

    /// Makes a serializer that accepts the statuses of a success and the types of JSON.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = Self.defaultContentTypes,
        allowsFragments: Bool = false,
        removesKeysWithNullValues: Bool = false,
        removesNullArrayElements: Bool = false,
        maximumDepth: Int = 512,
        maximumDocumentSize: Int = 64 * 1024 * 1024
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.allowsFragments = allowsFragments
        self.removesKeysWithNullValues = removesKeysWithNullValues
        self.removesNullArrayElements = removesNullArrayElements
        self.maximumDepth = maximumDepth
        self.maximumDocumentSize = maximumDocumentSize
    }

    /// Makes a serializer, in Alamofire's words.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the body first.
    ///   - emptyResponseCodes: Has no effect: an empty body is nil, whatever the status.
    ///   - emptyRequestMethods: Has no effect.
    ///   - options: Whether the root may be neither an array nor an object; default that it may.
    @_disfavoredOverload
    public init(
        dataPreprocessor: any DataPreprocessor = .passthrough,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods,
        options: JSONSerialization.ReadingOptions = .allowFragments
    ) {
        self.init(allowsFragments: options.contains(.fragmentsAllowed))
        self.options = BodyOptions(dataPreprocessor)
    }

    /// The root of the JSON text, or nil of an empty body.
    ///
    /// RFC 8259 wants UTF-8. A byte order mark is passed over, and UTF-16 and UTF-32 are told by
    /// theirs or by their zero bytes, as `JSONSerialization` does.
    ///
    /// - Throws: ``ParseError`` with the place, or ``ResponseSerializationError`` for a root that is
    ///   not allowed.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> (any Sendable)? {
        if isEmptyBody(data, head: head) || JSONText.isBlank(data) { return nil }
        let value = try JSONReader(self).value(of: try options.preprocessed(data))
        guard allowsFragments || value is [any Sendable] || value is [String: any Sendable] else {
            throw ResponseSerializationError(
                reason: "the root is neither an array nor an object; allowsFragments permits that"
            )
        }
        return value
    }

    /// Whether there are at most 4 KiB, and no preprocessor.
    public func isCheap(byteCount: Int) -> Bool { byteCount <= 4096 && options == nil }
}

extension ResponseSerializer where Self == JSONResponseSerializer {
    /// Makes plain Swift values of JSON.
    public static var json: Self { Self() }
}
