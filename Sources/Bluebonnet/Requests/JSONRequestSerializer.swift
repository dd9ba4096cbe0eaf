import Foundation
public import FoundationNetworking

/// A serializer that puts parameters into the body as JSON.
///
/// For methods without a body, parameters go into the query, as by ``HTTPRequestSerializer``.
///
/// ``JSONBodyEncoder`` determines how bodies are written. The serializer also has the members of
/// its encoder and of ``HTTPRequestSerializer``, such as ``JSONBodyEncoder/dates`` and
/// ``HTTPRequestSerializer/timeoutInterval``.
@dynamicMemberLookup
public struct JSONRequestSerializer: RequestSerializer {
    /// Options for the text of the JSON.
    public typealias WritingOptions = JSONBodyEncoder.WritingOptions

    /// The encoder that writes bodies.
    public var encoder: JSONBodyEncoder

    /// The serializer that writes queries, and holds the settings that both share.
    private(set) var querySerializer: HTTPRequestSerializer

    /// Creates a serializer, without options and header fields by default.
    ///
    /// - Parameters:
    ///   - writingOptions: Options for the text of the JSON, such as `.prettyPrinted`. The default is
    ///     none.
    ///   - headers: Header fields for every request that does not already have them. The default is
    ///     none.
    public init(writingOptions: WritingOptions = [], headers: HTTPHeaders = [:]) {
        self.init(encoder: JSONBodyEncoder(writingOptions: writingOptions), headers: headers)
    }

    /// Creates a serializer that writes bodies with an encoder, without header fields by default.
    ///
    /// - Parameters:
    ///   - encoder: The encoder that writes bodies.
    ///   - headers: Header fields for every request that does not already have them. The default is
    ///     none.
    public init(encoder: JSONBodyEncoder, headers: HTTPHeaders = [:]) {
        self.encoder = encoder
        querySerializer = HTTPRequestSerializer(headers: headers)
    }

    /// Creates a serializer with an encoder, and with the other settings of another serializer.
    init(encoder: JSONBodyEncoder, besides other: any RequestSerializer) {
        self.encoder = encoder
        querySerializer = other.querySerializer
    }

    /// Header fields for every request that does not already have them; none by default.
    public var headers: HTTPHeaders {
        get { querySerializer.headers }
        set { querySerializer.headers = newValue }
    }

    /// True, because the body can be an array.
    public var acceptsArrays: Bool { true }

    /// Accesses a member of ``HTTPRequestSerializer``.
    public subscript<Value>(
        dynamicMember member: WritableKeyPath<HTTPRequestSerializer, Value>
    ) -> Value {
        get { querySerializer[keyPath: member] }
        set { querySerializer[keyPath: member] = newValue }
    }

    /// Accesses a member of ``encoder``.
    public subscript<Value>(
        dynamicMember member: WritableKeyPath<JSONBodyEncoder, Value>
    ) -> Value {
        get { encoder[keyPath: member] }
        set { encoder[keyPath: member] = newValue }
    }

    /// Returns the request with `headers` and the parameters added.
    ///
    /// The Content-Type is `application/json` unless the request has one. Without parameters, the
    /// body and the Content-Type stay as they are. Empty parameters become the body `{}`.
    ///
    /// - Parameters:
    ///   - request: The request. Its header fields are kept, and without parameters its body too.
    ///   - parameters: The values of the query or the body; nil for none.
    /// - Returns: The request to send.
    /// - Throws: A ``RequestSerializationError`` that names the header field or the parameter that
    ///   cannot be sent. A parameter cannot be sent if it is of an unsupported type, is not finite,
    ///   or is nested in more than 128 arrays and dictionaries.
    public func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest {
        guard putsParametersIntoBody(of: request) else {
            return try querySerializer.serialize(request, parameters: parameters)
        }
        return try serialize(request, body: parameters.map { try encoder.data(of: $0) })
    }

    /// Returns the request with `headers` and a body added.
    func serialize(
        _ request: URLRequest, body: @autoclosure () throws -> Data?
    ) throws -> URLRequest {
        var request = request
        try querySerializer.applySettings(to: &request)
        if let body = try body() { request.setBody(body, contentType: "application/json") }
        return request
    }

    /// Returns whether a request's parameters go into its body rather than its query.
    func putsParametersIntoBody(of request: URLRequest) -> Bool {
        !querySerializer.encodesParametersInURI(of: request)
    }
}

extension RequestSerializer {
    /// The serializer for queries; for a custom request serializer, a new one with its headers.
    var querySerializer: HTTPRequestSerializer {
        switch self {
        case let serializer as HTTPRequestSerializer: serializer
        case let serializer as JSONRequestSerializer: serializer.querySerializer
        case let serializer as PropertyListRequestSerializer: serializer.querySerializer
        default: HTTPRequestSerializer(headers: headers)
        }
    }
}
