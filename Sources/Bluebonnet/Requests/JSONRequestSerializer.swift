import Foundation
public import FoundationNetworking

/// Puts parameters into the body as JSON, or into the query for methods without a body.
///
/// ``JSONBodyEncoder`` says how bodies are written. Whatever it has, and whatever
/// ``HTTPRequestSerializer`` has, the serializer has by the same name, such as
/// ``JSONBodyEncoder/dates`` or ``HTTPRequestSerializer/timeoutInterval``.
@dynamicMemberLookup
public struct JSONRequestSerializer: RequestSerializer {
    /// How the text is written, beyond what its values ask for.
    public typealias WritingOptions = JSONBodyEncoder.WritingOptions

    /// How bodies are written.
    public var encoder: JSONBodyEncoder

    /// Writes the query of methods that put parameters there, and holds what both share.
    private(set) var querySerializer: HTTPRequestSerializer

    /// Makes a serializer; without options and headers by default.
    public init(writingOptions: WritingOptions = [], headers: HTTPHeaders = [:]) {
        self.init(encoder: JSONBodyEncoder(writingOptions: writingOptions), headers: headers)
    }

    /// Makes a serializer that writes bodies by an encoder; without headers by default.
    public init(encoder: JSONBodyEncoder, headers: HTTPHeaders = [:]) {
        self.encoder = encoder
        querySerializer = HTTPRequestSerializer(headers: headers)
    }

    /// Makes a serializer that writes bodies by an encoder, and does the rest as another.
    init(encoder: JSONBodyEncoder, besides other: any RequestSerializer) {
        self.encoder = encoder
        querySerializer = other.querySerializer
    }

    /// Header fields for every request that it makes, unless it has them already; none by default.
    public var headers: HTTPHeaders {
        get { querySerializer.headers }
        set { querySerializer.headers = newValue }
    }

    /// True: the body may be an array.
    public var acceptsArrays: Bool { true }

    /// What it shares with ``HTTPRequestSerializer``.
    public subscript<Value>(
        dynamicMember member: WritableKeyPath<HTTPRequestSerializer, Value>
    ) -> Value {
        get { querySerializer[keyPath: member] }
        set { querySerializer[keyPath: member] = newValue }
    }

    /// What its ``encoder`` has.
    public subscript<Value>(
        dynamicMember member: WritableKeyPath<JSONBodyEncoder, Value>
    ) -> Value {
        get { encoder[keyPath: member] }
        set { encoder[keyPath: member] = newValue }
    }

    /// Returns the request with `headers` and the parameters in it.
    ///
    /// The Content-Type is `application/json` unless there is one. Without parameters the body and
    /// the Content-Type stay as they are; empty parameters are the body `{}`.
    ///
    /// - Throws: A ``RequestSerializationError`` that names the parameter which is of no supported
    ///   type, is not finite, or lies more than 128 arrays and dictionaries deep; or the header
    ///   field that cannot be sent.
    public func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest {
        guard putsParametersIntoBody(of: request) else {
            return try querySerializer.serialize(request, parameters: parameters)
        }
        return try serialize(request, body: parameters.map { try encoder.data(of: $0) })
    }

    /// Returns the request with `headers` and a body.
    func serialize(
        _ request: URLRequest, body: @autoclosure () throws -> Data?
    ) throws -> URLRequest {
        var request = request
        try querySerializer.applySettings(to: &request)
        if let body = try body() { request.setBody(body, contentType: "application/json") }
        return request
    }

    /// Whether parameters are in the body of a request, or in its query.
    func putsParametersIntoBody(of request: URLRequest) -> Bool {
        !querySerializer.encodesParametersInURI(of: request)
    }
}

extension RequestSerializer {
    /// What it shares with a serializer of queries; of another's own, what every serializer has.
    var querySerializer: HTTPRequestSerializer {
        switch self {
        case let serializer as HTTPRequestSerializer: serializer
        case let serializer as JSONRequestSerializer: serializer.querySerializer
        case let serializer as PropertyListRequestSerializer: serializer.querySerializer
        default: HTTPRequestSerializer(headers: headers)
        }
    }
}
