public import Foundation

/// Decodes JSON into a type.
///
/// An empty body, or one of a single space, is an error, unless the type is an optional, which
/// becomes nil, or an ``EmptyResponse`` where HTTP has no body. For an ``EmptyBody`` no body is read, so it
/// may be of any type and size.
public struct DecodableResponseSerializer<T: Decodable & Sendable>: ResponseSerializer {
    /// Status codes of a success; nil accepts every status.
    public var acceptableStatusCodes: Set<Int>?
    /// Media types that the body may have; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The decoder; nil for the one of the call's options, or else of the manager:
    /// ``HTTPSessionManager/JSON/decoder``.
    ///
    /// Default nil, which is `JSONDecoder()` without a manager. Threads may share it.
    ///
    /// Where it allows JSON5 or assumes a dictionary at the top, its own idea of JSON counts, which
    /// is laxer: trailing commas, for one, pass. Keys that combining marks make slow to compare are
    /// not refused then, so a hostile body can keep it busy for minutes.
    public var decoder: JSONDecoder?
    /// Whether an escape that is half of a surrogate pair, such as `"\ud800"`, is read as U+FFFD; default
    /// false, which makes it an error.
    ///
    /// RFC 8259 section 8.2 leaves open what it means. No Swift string can hold it.
    public var replacesLoneSurrogates = false
    /// The number of bytes above which a body is refused unread, and its transfer stopped; 64 MiB by
    /// default.
    public var maximumDocumentSize: Int
    private var options: BodyOptions?
    /// A decoder of another kind, by which all is decoded.
    private var otherDecoder: (any DataDecoder)?

    /// The types of JSON, and nil where the body is not read.
    public static var defaultContentTypes: Set<String>? {
        readsBody ? JSONResponseSerializer.defaultContentTypes : nil
    }

    /// Whether the body matters.
    static var readsBody: Bool { T.self != EmptyBody.self && T.self != EmptyBody?.self }

    /// Makes a serializer that accepts the statuses of a success and the types of JSON.
    public init(
        _ type: T.Type = T.self,
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = Self.defaultContentTypes,
        maximumDocumentSize: Int = 64 * 1024 * 1024,
        decoder: JSONDecoder? = nil
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.maximumDocumentSize = maximumDocumentSize
        self.decoder = decoder
    }

    /// Makes a serializer, in Alamofire's words.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the body first.
    ///   - decoder: The decoder; nil for that of the manager.
    ///   - emptyResponseCodes: Statuses with which an ``EmptyResponse`` may have no body, beside those that have
    ///     none (RFC 9110 section 6.4.1).
    ///   - emptyRequestMethods: Methods for which it may have none, beside HEAD.
    @_disfavoredOverload
    public init(
        dataPreprocessor: any DataPreprocessor = .passthrough,
        decoder: (any DataDecoder)? = nil,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods
    ) {
        self.init(decoder: decoder as? JSONDecoder)
        if self.decoder == nil { otherDecoder = decoder }
        options = BodyOptions(
            dataPreprocessor, emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods)
    }

    /// The decoded body.
    ///
    /// - Throws: ``ResponseSerializationError`` that names the key path, such as
    ///   `user.emails[2]: expected String but found number`, or
    ///   ``JSONResponseSerializer/ParseError`` with the place of a syntax error.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> T {
        if isEmptyBody(data, head: head) || JSONText.isBlank(data) {
            return try valueOfEmptyBody(head)
        }
        let data = try options.preprocessed(data)
        if !Self.readsBody, let value = EmptyBody() as? T { return value }
        if let otherDecoder { return try decode(data, otherDecoder) }
        guard data.count <= maximumDocumentSize else {
            throw JSONResponseSerializer.ParseError(tooLarge: data, maximumDocumentSize)
        }
        var text = try JSONText(data)
        if replacesLoneSurrogates { text = text.replacingLoneSurrogates }
        do {
            return try TypedJSONReader(decoder).value(T.self, of: text)
        } catch let error as DecodingError {
            throw ResponseSerializationError(error)
        }
    }

    /// Whether there are at most 4 KiB, or 256 bytes for a `JSONDecoder` that decodes by itself, which takes longer.
    public func isCheap(byteCount: Int) -> Bool {
        guard Self.readsBody else { return true }
        guard byteCount <= 4096, options == nil, otherDecoder == nil else { return false }
        return byteCount <= 256 || decoder.map { JSONDecodingOptions($0) != nil } ?? true
    }

    /// ``maximumDocumentSize``; nil where the body is not read.
    public var maximumBodySize: Int? { Self.readsBody ? maximumDocumentSize : nil }

    private func valueOfEmptyBody(_ head: ResponseHead?) throws -> T {
        if T.self is any ExpressibleByNilLiteral.Type || !Self.readsBody {
            return try decode(Data("null".utf8), JSONDecoder())
        }
        guard options.allowsEmptyBody(head) else { throw ResponseSerializationError.emptyBody }
        guard let type = T.self as? any EmptyResponse.Type, let value = type.emptyValue() as? T
        else { throw ResponseSerializationError.noEmptyValue(of: T.self) }
        return value
    }

    private func decode(_ data: Data, _ decoder: some DataDecoder) throws -> T {
        do {
            return try decoder.decode(T.self, from: data)
        } catch let error as DecodingError {
            throw ResponseSerializationError(error)
        }
    }
}

/// The type to decode where a body does not matter: it may be missing, and of any content type.
public struct EmptyBody: Decodable, Sendable, Hashable {
    /// Makes the value.
    public init() {}

    /// Accepts whatever is there.
    public init(from decoder: any Decoder) throws {}
}

extension ResponseSerializer {
    /// Decodes JSON into a type, by the decoder given, or that of the call or its manager.
    public static func decodable<T: Decodable & Sendable>(
        _ type: T.Type = T.self, decoder: JSONDecoder? = nil
    ) -> Self
    where Self == DecodableResponseSerializer<T> {
        Self(type, decoder: decoder)
    }

    /// Decodes a type, in Alamofire's words.
    public static func decodable<T: Decodable & Sendable>(
        of type: T.Type,
        dataPreprocessor: any DataPreprocessor = .passthrough,
        decoder: (any DataDecoder)? = nil,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods
    ) -> Self
    where Self == DecodableResponseSerializer<T> {
        Self(
            dataPreprocessor: dataPreprocessor, decoder: decoder,
            emptyResponseCodes: emptyResponseCodes, emptyRequestMethods: emptyRequestMethods)
    }
}

extension DecodableResponseSerializer: ManagerBoundSerializer {
    func bound(by defaults: SerializerDefaults) -> Self {
        guard decoder == nil, otherDecoder == nil else { return self }
        var bound = self
        bound.decoder = defaults.decoder
        bound.otherDecoder = defaults.otherDecoder
        return bound
    }
}
