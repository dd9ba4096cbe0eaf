import Foundation
public import FoundationNetworking

/// Puts parameters into the query of the URL or, as a form, into the body.
///
/// ```swift
/// let serializer = HTTPRequestSerializer(headers: ["Accept-Language": "de"])
/// var request = URLRequest(url: url)
/// request = try serializer.serialize(request, parameters: ["page": 2, "tags": ["a", "b"]])
/// // …?page=2&tags%5B%5D=a&tags%5B%5D=b
/// ```
///
/// Keys are sorted. A key inside of a dictionary is `outer[inner]`, an element of an array
/// `name[]`; the members of a `Set` repeat the name, sorted by their text. `NSNull` and nil are a
/// name without `=`. Empty arrays, sets and dictionaries leave nothing behind.
///
/// A `Bool` is `1` or `0`. Numbers are exact and have as few digits as that takes: `1.0` is `1`,
/// `0.1` is `0.1`. A `Date` is ISO 8601 in UTC, rounded down to the second; `Data` is base64; a
/// `URL` is its absolute string. Everything but letters, digits and `-._~/?` is percent-escaped in
/// UTF-8, also a `%`.
public struct HTTPRequestSerializer: RequestSerializer {
    /// Header fields for every request that does not have them already; none by default.
    public var headers: HTTPHeaders

    /// The methods that put parameters into the query; GET, HEAD and DELETE by default.
    ///
    /// They are compared without regard to case.
    public var httpMethodsEncodingParametersInURI: Set<String> = ["GET", "HEAD", "DELETE"]

    /// Makes a serializer; without headers by default.
    public init(headers: HTTPHeaders = [:]) {
        self.headers = headers
    }

    /// Returns the request with `headers` and the parameters in it.
    ///
    /// A query is appended to the one of the URL, before the fragment. A form replaces the body
    /// and sets the Content-Type `application/x-www-form-urlencoded` unless there is one. Without
    /// parameters a request with neither body nor body stream gets an empty form, as in
    /// AFNetworking; any other keeps what it has.
    ///
    /// - Throws: A ``RequestSerializationError`` that names the parameter which is of no supported
    ///   type, is not finite, or lies more than 128 arrays, sets and dictionaries deep; or the
    ///   header field that cannot be sent.
    public func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest {
        var request = request
        try request.addMissing(headers)
        let form = try QueryEncoding.string(of: parameters ?? [:])
        if encodesParametersInURI(of: request) {
            try request.appendQuery(form)
        } else if parameters != nil || request.httpBody == nil && request.httpBodyStream == nil {
            request.setBody(Data(form.utf8), contentType: "application/x-www-form-urlencoded")
        }
        return request
    }

    /// Whether the parameters of a request go into its URL.
    func encodesParametersInURI(of request: URLRequest) -> Bool {
        let method = (request.httpMethod ?? "GET").uppercased()
        return httpMethodsEncodingParametersInURI.contains { $0.uppercased() == method }
    }
}
