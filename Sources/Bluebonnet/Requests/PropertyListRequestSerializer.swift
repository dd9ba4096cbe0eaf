import Foundation
public import FoundationNetworking

/// Puts parameters into the body as a property list, or into the query for methods without a body.
///
/// The same parameters always give the same bytes: keys are sorted.
///
/// Strings, numbers, `Bool`, `Date`, `Data`, arrays and dictionaries stand for themselves, a `URL`
/// is its absolute string. A `Decimal` becomes the nearest `Double`. A property list has no null
/// and no sets, and its integers end at `Int64.min` and `UInt64.max`.
///
/// Whatever else ``HTTPRequestSerializer`` has, it has by the same name, such as
/// ``HTTPRequestSerializer/timeoutInterval`` or ``HTTPRequestSerializer/queryEncoding``.
@dynamicMemberLookup
public struct PropertyListRequestSerializer: RequestSerializer {
    /// How a property list is written.
    public enum Format: Sendable, Hashable {
        /// As XML, which cannot hold control characters and rounds dates down to the second.
        case xml
        /// As Apple's binary format.
        case binary
    }

    /// How bodies are written; as XML by default.
    public var format: Format

    /// Writes the query of methods that put parameters there, and holds what both share.
    private(set) var querySerializer: HTTPRequestSerializer

    /// Makes a serializer; of XML and without headers by default.
    public init(format: Format = .xml, headers: HTTPHeaders = [:]) {
        self.format = format
        querySerializer = HTTPRequestSerializer(headers: headers)
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

    /// Returns the request with `headers` and the parameters in it.
    ///
    /// The Content-Type is `application/x-plist` unless there is one. Without parameters the body
    /// and the Content-Type stay as they are; empty parameters are an empty dictionary.
    ///
    /// - Throws: A ``RequestSerializationError`` that names the parameter which is of no supported
    ///   type, is null, is not finite or out of range, or lies more than 128 arrays and
    ///   dictionaries deep; or the header field that cannot be sent.
    public func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest {
        if querySerializer.encodesParametersInURI(of: request) {
            return try querySerializer.serialize(request, parameters: parameters)
        }
        var request = request
        try querySerializer.applySettings(to: &request)
        guard let parameters else { return request }
        let value = try ParameterWalk.value(of: parameters, for: .propertyList(format))
        let body =
            switch format {
            case .xml: XMLPropertyListWriter.data(of: value)
            case .binary: BinaryPropertyListWriter.data(of: value)
            }
        request.setBody(body, contentType: "application/x-plist")
        return request
    }
}
