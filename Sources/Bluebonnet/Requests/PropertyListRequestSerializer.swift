import Foundation
public import FoundationNetworking

/// Puts parameters into the body as a property list, or into the query for methods without a body.
///
/// Strings, numbers, `Bool`, `Date`, `Data`, arrays and dictionaries stand for themselves, a `URL`
/// is its absolute string. A `Decimal` becomes the nearest `Double`. A property list has no null
/// and no sets, and its integers end at `Int64.min` and `UInt64.max`.
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
    private var querySerializer: HTTPRequestSerializer

    /// Makes a serializer; of XML and without headers by default.
    public init(format: Format = .xml, headers: HTTPHeaders = [:]) {
        self.format = format
        querySerializer = HTTPRequestSerializer(headers: headers)
    }

    /// Header fields for every request that does not have them already; none by default.
    public var headers: HTTPHeaders {
        get { querySerializer.headers }
        set { querySerializer.headers = newValue }
    }

    /// The methods that put parameters into the query; GET, HEAD and DELETE by default.
    ///
    /// They are compared without regard to case; ``HTTPRequestSerializer`` says how they encode.
    public var httpMethodsEncodingParametersInURI: Set<String> {
        get { querySerializer.httpMethodsEncodingParametersInURI }
        set { querySerializer.httpMethodsEncodingParametersInURI = newValue }
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
        try request.addMissing(headers)
        if let parameters {
            let body = try PropertyListWriter.data(of: parameters, format: format)
            request.setBody(body, contentType: "application/x-plist")
        }
        return request
    }
}
