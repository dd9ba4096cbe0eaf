import Foundation
public import FoundationNetworking

/// Puts parameters into the body as JSON, or into the query for methods without a body.
///
/// The same parameters always give the same bytes: keys are sorted, and there is no white space.
///
/// Integers of every type and `Decimal` are exact; floating-point numbers have the fewest digits
/// that read back as the same value, and `1.0` is `1`. `Bool` is `true` or `false`, also inside of
/// an `NSNumber`; `NSNull` and nil are `null`. A `URL` is its absolute string. A `Set` is an error,
/// because JSON has none.
///
/// Whatever else ``HTTPRequestSerializer`` has, it has by the same name, such as
/// ``HTTPRequestSerializer/timeoutInterval`` or ``HTTPRequestSerializer/queryEncoding``.
@dynamicMemberLookup
public struct JSONRequestSerializer: RequestSerializer {
    /// How the text is written, beyond what its values ask for.
    public struct WritingOptions: OptionSet, Sendable {
        /// One bit for each option.
        public let rawValue: Int

        /// Makes options of their bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// One member a line, indented by two spaces.
        public static let prettyPrinted = WritingOptions(rawValue: 1 << 0)
        /// Every `/` as `\/`, so that the text can stand in an HTML script.
        public static let escapedSlashes = WritingOptions(rawValue: 1 << 1)
        /// Everything but ASCII as `\u` and UTF-16, for readers that do not know UTF-8.
        public static let escapedNonASCII = WritingOptions(rawValue: 1 << 2)
    }

    /// How bodies are written; none by default.
    public var writingOptions: WritingOptions

    /// How dates are written in bodies; as ISO 8601 in UTC by default.
    public var dates = ParameterDateEncoding.iso8601

    /// How data is written in bodies; as base64 by default.
    public var data = ParameterDataEncoding.base64

    /// Writes the query of methods that put parameters there, and holds what both share.
    private var querySerializer: HTTPRequestSerializer

    /// Makes a serializer; without options and headers by default.
    public init(writingOptions: WritingOptions = [], headers: HTTPHeaders = [:]) {
        self.writingOptions = writingOptions
        querySerializer = HTTPRequestSerializer(headers: headers)
    }

    /// Header fields for every request that it makes, unless it has them already; none by default.
    public var headers: HTTPHeaders {
        get { querySerializer.headers }
        set { querySerializer.headers = newValue }
    }

    /// What it shares with ``HTTPRequestSerializer``.
    public subscript<Value>(
        dynamicMember member: WritableKeyPath<HTTPRequestSerializer, Value>
    ) -> Value {
        get { querySerializer[keyPath: member] }
        set { querySerializer[keyPath: member] = newValue }
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
        return try serialize(request, body: parameters)
    }

    /// Returns the request with `headers` and the encoded parameters in it.
    ///
    /// In a body they may be an array as well as a dictionary; nil is no parameters.
    ///
    /// - Throws: as with ``Parameters``, and whatever their encoding throws.
    public func serialize<Value: Encodable & Sendable>(
        _ request: URLRequest,
        parameters: Value
    ) throws -> URLRequest {
        if querySerializer.encodesParametersInURI(of: request) {
            return try querySerializer.serialize(request, parameters: parameters)
        }
        return try serialize(request, body: ParameterEncoder.value(of: parameters))
    }

    private func serialize(
        _ request: URLRequest,
        body parameters: (any Sendable)?
    ) throws -> URLRequest {
        var request = request
        try querySerializer.applySettings(to: &request)
        guard let parameters else { return request }
        let value = try ParameterWalk.value(of: parameters, for: .json, dates: dates, data: data)
        let body = JSONWriter.data(of: value, options: writingOptions)
        request.setBody(body, contentType: "application/json")
        return request
    }
}
