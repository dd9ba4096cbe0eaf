public import Bluebonnet

/// Puts ``/Bluebonnet/Parameters`` into the query of the URL or, as a form, into the body.
///
/// ```swift
/// let encoding = URLEncoding(arrayEncoding: .noBrackets, boolEncoding: .literal)
/// request = try encoding.encode(request, with: ["ids": [3, 1, 2], "draft": false])
/// // …?draft=false&ids=3&ids=1&ids=2
/// ```
///
/// Values are written as by ``/Bluebonnet/QueryEncoding``: keys are sorted at every level, dates
/// are ISO 8601, and whole numbers have no fraction. Nil and `NSNull` are omitted. For `Encodable`
/// types, use ``URLEncodedFormParameterEncoder``.
public struct URLEncoding: ParameterEncoding {
    /// Where the parameters go.
    public typealias Destination = URLEncodedFormParameterEncoder.Destination

    /// How the elements of an array are named.
    public typealias ArrayEncoding = URLEncodedFormEncoder.ArrayEncoding

    /// How a `Bool` is written: as `1` or `0` (`.numeric`), or as `true` or `false` (`.literal`).
    public typealias BoolEncoding = QueryEncoding.BooleanStyle

    /// An encoding with default settings, whose destination depends on the method.
    public static var `default`: URLEncoding { URLEncoding() }
    /// An encoding with default settings that writes into the query.
    public static var queryString: URLEncoding { URLEncoding(destination: .queryString) }
    /// An encoding with default settings that writes into the body.
    public static var httpBody: URLEncoding { URLEncoding(destination: .httpBody) }

    /// Where the parameters go; by default, the method decides.
    public let destination: Destination
    /// How the elements of an array are named; by default `key[]`.
    public let arrayEncoding: ArrayEncoding
    /// How a `Bool` is written; by default `1` or `0`.
    public let boolEncoding: BoolEncoding

    /// Creates an encoding; the properties describe the parameters and their defaults.
    public init(
        destination: Destination = .methodDependent,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    /// Returns the request with the parameters in it, or unchanged if they are nil.
    ///
    /// A query is appended to the existing query of the URL, before the fragment. Empty parameters
    /// leave the URL unchanged. A form replaces the body, and the Content-Type is
    /// `application/x-www-form-urlencoded; charset=utf-8` unless the request has one. May be called
    /// on any thread.
    ///
    /// - Throws: ``ParameterEncodingError/missingURL`` if the request has no URL. A
    ///   ``/Bluebonnet/RequestSerializationError`` that names a parameter that cannot be sent. Any
    ///   error of `urlRequest`.
    public func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        guard request.url != nil else { throw ParameterEncodingError.missingURL }
        let form = try query.string(of: parameters)
        guard destination.isQuery(for: request.method ?? .get) else {
            request.setBody(Data(form.utf8), contentType: URLRequest.formContentType)
            return request
        }
        try request.appendQuery(form, repairing: true)
        return request
    }

    /// Returns the escaped name and value pairs of a parameter, one for each scalar in it.
    ///
    /// Returns no pairs for a value for which ``encode(_:with:)`` throws.
    ///
    /// - Parameters:
    ///   - key: The name of the parameter.
    ///   - value: The value, of any type that ``/Bluebonnet/Parameters`` accept.
    /// - Returns: Names and values in the order of the query.
    public func queryComponents(fromKey key: String, value: Any) -> [(String, String)] {
        let parameters = Parameters(
            tree: .dictionary(ParameterMembers([key: ParameterTree(member: value)])))
        guard let pairs = try? query.pairs(of: parameters) else { return [] }
        return pairs.map { (escape($0.name), escape(query.text(of: $0.value) ?? "")) }
    }

    /// Returns a string with all UTF-8 bytes percent-escaped, except letters, digits and `-._~/?`.
    ///
    /// - Parameter string: The string.
    /// - Returns: The escaped string (RFC 3986 section 2.1).
    public func escape(_ string: String) -> String {
        QueryEncoding.escaped(string)
    }

    private var query: QueryEncoding {
        var query = QueryEncoding()
        query.arrays = arrayEncoding.style
        query.booleans = boolEncoding
        query.nulls = .omitted
        return query
    }
}

extension URLRequest {
    static let formContentType = "application/x-www-form-urlencoded; charset=utf-8"
}

extension ParameterEncoding where Self == URLEncoding {
    /// An encoding that puts parameters into the query or a form, depending on the method.
    public static var url: URLEncoding { .default }
}
