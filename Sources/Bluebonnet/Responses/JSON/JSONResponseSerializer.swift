public import Foundation

/// A serializer that parses JSON (RFC 8259, strictly) into plain Swift values.
///
/// Values are `String`, `Int`, `Double`, `Bool`, `NSNull`, `[any Sendable]` and
/// `[String: any Sendable]`. Casts with `as? [String: Any]` and `as? [Any]` work. An empty body, or
/// a body of a single space, becomes nil.
///
/// - An integer is an `Int` or, if it does not fit, a `UInt64`. If it fits into neither, it is a
///   `Double`.
/// - A number with a fraction or an exponent is a `Double`. A number out of range, such as 1e400,
///   is an error; a number too close to zero is 0.
/// - If a key repeats, the last value counts. Swift compares keys by canonical equivalence, so a
///   composed é and a decomposed é are the same key.
/// - A key with more than 128 combining marks in a row is an error: with very many of them,
///   comparing it would take minutes.
public struct JSONResponseSerializer: ResponseSerializer {
    /// The content types that are accepted by default.
    public static let defaultContentTypes: Set<String> = [
        "application/json", "text/json", "text/javascript",
    ]

    /// The acceptable status codes; nil accepts every status code.
    public var acceptableStatusCodes: Set<Int>?
    /// The acceptable media types; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// Whether the root can be something other than an array or an object; default false.
    public var allowsFragments: Bool
    /// Whether keys with a null value are removed, at any depth; default false.
    public var removesKeysWithNullValues: Bool
    /// Whether null elements of arrays are removed, at any depth; default false.
    public var removesNullArrayElements: Bool
    /// Whether to read half of an escaped surrogate pair, such as `"\ud800"`, as U+FFFD.
    ///
    /// The default is false: such an escape is an error. RFC 8259 section 8.2 does not define its
    /// meaning, and no Swift string can contain it.
    public var replacesLoneSurrogates = false
    /// The maximum nesting depth of arrays and objects; default 512, at most 1,024.
    public var maximumDepth: Int
    /// The maximum size of a body in bytes; default 64 MiB.
    ///
    /// A larger body is refused without reading it, and its transfer is stopped. Parsing and the
    /// values can take up to about 60 times the memory of the body.
    public var maximumDocumentSize: Int

    private var options: BodyOptions?

    /// ``maximumDocumentSize``.
    public var maximumBodySize: Int? { maximumDocumentSize }

    /// Creates a serializer that by default accepts the status codes 200 to 299 and the types of
    /// JSON.
    ///
    /// - Parameters:
    ///   - acceptableStatusCodes: The acceptable status codes. The default is 200 to 299; nil
    ///     accepts every status code.
    ///   - acceptableContentTypes: The acceptable media types. The default is those of JSON; nil
    ///     accepts every type.
    ///   - allowsFragments: Whether the root can be something other than an array or an object. The
    ///     default is false.
    ///   - removesKeysWithNullValues: Whether keys with a null value are removed, at any depth. The
    ///     default is false.
    ///   - removesNullArrayElements: Whether null elements of arrays are removed, at any depth. The
    ///     default is false.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects. The default is 512, and
    ///     the maximum 1,024.
    ///   - maximumDocumentSize: The maximum size of a body, in bytes; 64 MiB by default.
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

    /// Creates a serializer with Alamofire's parameters.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the body before it is parsed.
    ///   - emptyResponseCodes: Has no effect: an empty body becomes nil with every status code.
    ///   - emptyRequestMethods: Has no effect.
    ///   - options: Whether the root can be something other than an array or an object; default
    ///     true.
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

    /// Returns the root of the JSON text, or nil for an empty body.
    ///
    /// The encoding is UTF-8, as RFC 8259 requires, and a byte order mark is skipped. Like
    /// `JSONSerialization`, the serializer also reads UTF-16 and UTF-32, which it detects by their
    /// byte order marks or zero bytes.
    ///
    /// - Parameters:
    ///   - data: The complete body, without content codings.
    ///   - head: The status and header fields; nil if no response was received.
    /// - Returns: The root; nil for an empty body.
    /// - Throws: A ``ParseError`` with the position, or a ``ResponseSerializationError`` for a root
    ///   that is not allowed.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> (any Sendable)? {
        if isEmptyBody(data, head: head) || JSONText.isBlank(data) { return nil }
        let value = try JSONReader(self).value(of: try options.preprocessed(data))
        guard allowsFragments || value is [any Sendable] || value is [String: any Sendable] else {
            throw ResponseSerializationError(
                reason: "the root is not an array or an object; set allowsFragments to accept it"
            )
        }
        return value
    }

    /// Returns true for up to 4 KiB, unless a data preprocessor is set.
    public func isCheap(byteCount: Int) -> Bool { byteCount <= 4096 && options == nil }
}

extension ResponseSerializer where Self == JSONResponseSerializer {
    /// A serializer that parses JSON into plain Swift values.
    public static var json: Self { Self() }
}
