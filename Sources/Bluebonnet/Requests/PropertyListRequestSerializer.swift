import Foundation
public import FoundationNetworking

/// A serializer that puts parameters into the body as a property list.
///
/// For methods without a body, parameters go into the query, as by ``HTTPRequestSerializer``.
///
/// The same parameters always give the same bytes, because keys are sorted.
///
/// Strings, numbers, `Bool`, `Date`, `Data`, arrays and dictionaries keep their types. A `URL`
/// becomes its absolute string, and a `Decimal` the nearest `Double`. A property list cannot
/// contain null, sets, or integers outside the range from `Int64.min` to `UInt64.max`.
///
/// The serializer also has the members of ``HTTPRequestSerializer``, such as
/// ``HTTPRequestSerializer/timeoutInterval`` and ``HTTPRequestSerializer/queryEncoding``.
@dynamicMemberLookup
public struct PropertyListRequestSerializer: RequestSerializer {
    /// The format of a property list.
    public enum Format: Sendable, Hashable {
        /// XML, which cannot contain control characters and rounds dates down to the second.
        case xml
        /// Apple's binary format.
        case binary
    }

    /// The format of bodies; XML by default.
    public var format: Format

    /// The serializer that writes queries, and holds the settings that both share.
    private(set) var querySerializer: HTTPRequestSerializer

    /// Creates a serializer, of XML and without header fields by default.
    public init(format: Format = .xml, headers: HTTPHeaders = [:]) {
        self.format = format
        querySerializer = HTTPRequestSerializer(headers: headers)
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

    /// Returns the request with `headers` and the parameters added.
    ///
    /// The Content-Type is `application/x-plist` unless the request has one. Without parameters,
    /// the body and the Content-Type stay as they are. Empty parameters become an empty dictionary.
    ///
    /// - Parameters:
    ///   - request: The request. Its header fields are kept, and without parameters its body too.
    ///   - parameters: The values of the query or the property list; nil for none.
    /// - Returns: The request to send.
    /// - Throws: A ``RequestSerializationError`` that names the header field or the parameter that
    ///   cannot be sent. A parameter cannot be sent if it is of an unsupported type, is null, is
    ///   not finite or out of range, or is nested in more than 128 arrays and dictionaries.
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
