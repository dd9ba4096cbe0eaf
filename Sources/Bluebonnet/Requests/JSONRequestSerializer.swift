import Foundation
public import FoundationNetworking

/// Puts parameters into the body as JSON, or into the query for methods without a body.
///
/// The same parameters always give the same bytes: keys are sorted, and there is no white space.
///
/// Integers of every type and `Decimal` are exact; floating-point numbers have the fewest digits
/// that read back as the same value, and `1.0` is `1`. `Bool` is `true` or `false`, also inside of
/// an `NSNumber`; `NSNull` and nil are `null`. A `Date` is an ISO 8601 string in UTC, rounded down
/// to the second; `Data` is a base64 string; a `URL` is its absolute string. A `Set` is an error,
/// because JSON has none.
public struct JSONRequestSerializer: RequestSerializer {
    /// Writes the query of methods that put parameters there, and holds what both share.
    private var querySerializer: HTTPRequestSerializer

    /// Makes a serializer; without headers by default.
    public init(headers: HTTPHeaders = [:]) {
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
    /// The Content-Type is `application/json` unless there is one. Without parameters the body and
    /// the Content-Type stay as they are; empty parameters are the body `{}`.
    ///
    /// - Throws: A ``RequestSerializationError`` that names the parameter which is of no supported
    ///   type, is not finite, or lies more than 128 arrays and dictionaries deep; or the header
    ///   field that cannot be sent.
    public func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest {
        if querySerializer.encodesParametersInURI(of: request) {
            return try querySerializer.serialize(request, parameters: parameters)
        }
        var request = request
        try request.addMissing(headers)
        if let parameters {
            let body = try JSONWriter.data(of: parameters)
            request.setBody(body, contentType: "application/json")
        }
        return request
    }
}
