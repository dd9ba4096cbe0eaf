public import Foundation

/// A serializer that decodes JSON into a type.
///
/// An empty body, or a body of a single space, is an error with two exceptions. An optional type
/// becomes nil, and an ``EmptyResponse`` becomes its empty value if the response is allowed to have
/// no body. For ``EmptyBody`` the body is not read, so it can have any type and size.
public struct DecodableResponseSerializer<T: Decodable & Sendable>: ResponseSerializer {
    /// The acceptable status codes; nil accepts every status code.
    public var acceptableStatusCodes: Set<Int>?
    /// The acceptable media types; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The decoder; threads can share it.
    ///
    /// If it is nil, the default, the decoder of the call's options is used, or else that of the
    /// manager, ``HTTPSessionManager/JSON/decoder``. Without a manager, it is `JSONDecoder()`.
    ///
    /// A decoder that allows JSON5 or assumes a top-level dictionary parses the body itself. It
    /// accepts more than strict JSON, for example trailing commas. Malformed numbers and invalid
    /// UTF-8, for which it can trap, are refused before. It does not refuse keys with
    /// many combining marks, which are slow to compare, so a hostile body can keep it busy for
    /// minutes.
    public var decoder: JSONDecoder?
    /// Whether to read half of an escaped surrogate pair, such as `"\ud800"`, as U+FFFD.
    ///
    /// The default is false: such an escape is an error. RFC 8259 section 8.2 does not define its
    /// meaning, and no Swift string can contain it.
    public var replacesLoneSurrogates = false
    /// The maximum size of a body in bytes; default 64 MiB.
    ///
    /// A larger body is refused without reading it, and its transfer is stopped.
    public var maximumDocumentSize: Int
    private var options: BodyOptions?
    /// A decoder that is not a `JSONDecoder`; it decodes every body if it is set.
    private var otherDecoder: (any DataDecoder)?

    /// The default media types: those of JSON, or nil if the body is not read.
    public static var defaultContentTypes: Set<String>? {
        readsBody ? JSONResponseSerializer.defaultContentTypes : nil
    }

    /// Whether the body is read at all.
    static var readsBody: Bool { T.self != EmptyBody.self && T.self != EmptyBody?.self }

    /// Creates a serializer that by default accepts the status codes 200 to 299 and the types of
    /// JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - acceptableStatusCodes: The acceptable status codes. The default is 200 to 299; nil
    ///     accepts every status code.
    ///   - acceptableContentTypes: The acceptable media types. The default is those of JSON, or nil
    ///     for ``EmptyBody``; nil accepts every type.
    ///   - maximumDocumentSize: The maximum size of a body, in bytes; 64 MiB by default.
    ///   - decoder: The decoder. If nil, the default, it is that of the call's options, or else the
    ///     manager's ``HTTPSessionManager/JSON/decoder``.
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

    /// Creates a serializer with Alamofire's parameters.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the body before it is decoded.
    ///   - decoder: The decoder; nil for the manager's decoder.
    ///   - emptyResponseCodes: The status codes whose responses can be empty for an
    ///     ``EmptyResponse``, in addition to those that never have a body (RFC 9110 section 6.4.1).
    ///   - emptyRequestMethods: The methods whose responses can be empty, in addition to HEAD.
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

    /// Decodes the body.
    ///
    /// - Parameters:
    ///   - data: The complete body, without content codings.
    ///   - head: The status and header fields; nil if no response was received.
    /// - Returns: The decoded value.
    /// - Throws: A ``ResponseSerializationError`` that names the key path, such as
    ///   `user.emails[2]: expected String but found number`, or a
    ///   ``JSONResponseSerializer/ParseError`` with the position of a syntax error.
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

    /// Returns true for up to 4 KiB, or up to 256 bytes if a `JSONDecoder` decodes the body by
    /// itself.
    public func isCheap(byteCount: Int) -> Bool {
        guard Self.readsBody else { return true }
        guard byteCount <= 4096, options == nil, otherDecoder == nil else { return false }
        return byteCount <= 256 || decoder.map { JSONDecodingOptions($0) != nil } ?? true
    }

    /// ``maximumDocumentSize``, or nil if the body is not read.
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

/// The type to decode if the body does not matter: it can be missing or of any content type.
public struct EmptyBody: Decodable, Sendable, Hashable {
    /// Creates the value.
    public init() {}

    /// Accepts any content.
    public init(from decoder: any Decoder) throws {}
}

extension ResponseSerializer {
    /// Returns a serializer that decodes JSON into a type.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder. If nil, the default, it is that of the call's options, or else the
    ///     manager's ``HTTPSessionManager/JSON/decoder``.
    /// - Returns: The serializer.
    public static func decodable<T: Decodable & Sendable>(
        _ type: T.Type = T.self, decoder: JSONDecoder? = nil
    ) -> Self
    where Self == DecodableResponseSerializer<T> {
        Self(type, decoder: decoder)
    }

    /// Returns a serializer that decodes JSON into a type, with Alamofire's parameters.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - dataPreprocessor: Changes the body before it is decoded. The default changes nothing.
    ///   - decoder: The decoder; nil, the default, for the manager's decoder.
    ///   - emptyResponseCodes: The status codes whose responses can be empty for an
    ///     ``EmptyResponse``, in addition to those that never have a body.
    ///   - emptyRequestMethods: The methods whose responses can be empty, in addition to HEAD.
    /// - Returns: The serializer.
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
