public import Bluebonnet

/// Puts ``/Bluebonnet/Parameters`` into the body of a request as JSON.
///
/// Values are written as by ``/Bluebonnet/JSONBodyEncoder``: keys are sorted, `/` is not escaped,
/// and dates are ISO 8601. For `Encodable` types, use ``JSONParameterEncoder``.
public struct JSONEncoding: ParameterEncoding {
    /// An error of the encoding.
    public enum Error: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        /// A value cannot be written as JSON; the associated value has its key path and the reason.
        case invalidJSONObject(RequestSerializationError)

        /// The key path of the value and the reason, in one line.
        public var description: String {
            switch self {
            case .invalidJSONObject(let error): error.description
            }
        }
    }

    /// An encoding without options.
    public static var `default`: JSONEncoding { JSONEncoding() }
    /// An encoding that writes one member per line, indented.
    public static var prettyPrinted: JSONEncoding { JSONEncoding(options: .prettyPrinted) }

    /// How the text is written; no options by default.
    ///
    /// Only `.prettyPrinted` and `.fragmentsAllowed` have an effect. Keys are always sorted, and
    /// `/` is never escaped.
    public let options: JSONSerialization.WritingOptions

    /// Creates an encoding; without options by default.
    public init(options: JSONSerialization.WritingOptions = []) {
        self.options = options
    }

    /// Returns the request with the parameters as its body, or unchanged if they are nil.
    ///
    /// The Content-Type is `application/json` unless the request has one. May be called on any
    /// thread.
    ///
    /// - Throws: ``ParameterEncodingError/jsonEncodingFailed(error:)``, which wraps an
    ///   ``Error/invalidJSONObject(_:)``. ``ParameterEncodingError/missingURL`` if the request has
    ///   no URL. Any error of `urlRequest`.
    public func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest {
        try encode(urlRequest, withTree: parameters?.tree)
    }

    /// Returns the request with a JSON object as its body, or unchanged if the object is nil.
    ///
    /// The object is a dictionary or an array of values that ``/Bluebonnet/Parameters`` accept.
    /// With `.fragmentsAllowed`, it can also be a single value. The Content-Type is
    /// `application/json` unless the request has one. May be called on any thread.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - jsonObject: The object; nil by default.
    /// - Returns: The request with the body.
    /// - Throws: ``ParameterEncodingError/jsonEncodingFailed(error:)``, which wraps an
    ///   ``Error/invalidJSONObject(_:)``. ``ParameterEncodingError/missingURL`` if the request has
    ///   no URL. Any error of `urlRequest`.
    public func encode(
        _ urlRequest: any URLRequestConvertible, withJSONObject jsonObject: Any? = nil
    ) throws -> URLRequest {
        try encode(urlRequest, withTree: jsonObject.map { ParameterReader().tree(of: $0) })
    }

    private func encode(
        _ urlRequest: any URLRequestConvertible, withTree tree: ParameterTree?
    ) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let tree else { return request }
        // Foundation traps on a mutable copy of a request without a URL.
        guard request.url != nil else { throw ParameterEncodingError.missingURL }
        do {
            request.setBody(try data(of: tree), contentType: "application/json")
        } catch {
            throw ParameterEncodingError.jsonEncodingFailed(error: Error.invalidJSONObject(error))
        }
        return request
    }

    private func data(of tree: ParameterTree) throws(RequestSerializationError) -> Data {
        let writingOptions: JSONBodyEncoder.WritingOptions =
            options.contains(.prettyPrinted) ? .prettyPrinted : []
        let encoder = JSONBodyEncoder(writingOptions: writingOptions)
        if case .value = tree, options.contains(.fragmentsAllowed) {
            return try encoder.data(ofFragment: tree)
        }
        return try encoder.data(of: Parameters(tree: tree))
    }
}

extension ParameterEncoding where Self == JSONEncoding {
    /// An encoding that puts parameters into the body as JSON, without options.
    public static var json: JSONEncoding { .default }
}
