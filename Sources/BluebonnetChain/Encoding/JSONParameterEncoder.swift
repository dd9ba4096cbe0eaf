public import Bluebonnet

/// Puts `Encodable` parameters into the body of a request as JSON.
///
/// ```swift
/// request = try JSONParameterEncoder.default.encode(login, into: request)
/// ```
///
/// It writes the same JSON as a `JSONEncoder`, but sorts the keys, so the same parameters always
/// produce the same bytes, and never escapes `/`. As with `JSONEncoder`, values that are nested too
/// deeply for the thread's stack crash the process. For ``/Bluebonnet/Parameters``, use
/// ``JSONEncoding``.
///
/// A subclass must be safe to use on several threads.
open class JSONParameterEncoder: @unchecked Sendable, ParameterEncoder {
    // Unchecked because the class is open: its only property is constant and Sendable.
    private let encoder: JSONEncoder

    /// An encoder with default settings.
    public static let `default` = JSONParameterEncoder()

    /// An encoder that writes one member per line, indented.
    public static let prettyPrinted = JSONParameterEncoder(outputFormatting: .prettyPrinted)

    /// The same as ``default``, under Alamofire's name.
    public static let sortedKeys = JSONParameterEncoder(outputFormatting: .sortedKeys)

    /// Creates an encoder with the settings of a `JSONEncoder`.
    ///
    /// The settings are copied, so later changes to `encoder` have no effect. An instance of a
    /// subclass is not copied. It must be safe to use on several threads, and its own settings
    /// determine the order of keys and whether `/` is escaped.
    public init(encoder: JSONEncoder = JSONEncoder()) {
        // The caller can change the settings of its encoder while another thread uses this one.
        self.encoder = type(of: encoder) == JSONEncoder.self ? encoder.bodyEncoder : encoder
    }

    private convenience init(outputFormatting: JSONEncoder.OutputFormatting) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = outputFormatting
        self.init(encoder: encoder)
    }

    /// Returns the request with the parameters as its body, or unchanged if they are nil.
    ///
    /// The Content-Type is `application/json` unless the request has one. May be called on any
    /// thread.
    ///
    /// - Throws: ``ParameterEncodingError/jsonEncodingFailed(error:)``, which wraps the error of
    ///   the `JSONEncoder`. ``ParameterEncodingError/missingURL`` if the request has no URL.
    open func encode<Parameters: Encodable & Sendable>(
        _ parameters: Parameters?, into request: URLRequest
    ) throws -> URLRequest {
        guard let parameters else { return request }
        // Foundation traps on a mutable copy of a request without a URL.
        guard request.url != nil else { throw ParameterEncodingError.missingURL }
        var request = request
        do {
            let body = try encoder.encode(parameters)
            request.setBody(body, contentType: "application/json")
        } catch {
            throw ParameterEncodingError.jsonEncodingFailed(error: error)
        }
        return request
    }
}

extension ParameterEncoder where Self == JSONParameterEncoder {
    /// An encoder that puts parameters into the body as JSON, with default settings.
    public static var json: JSONParameterEncoder { .default }

    /// Returns an encoder that puts parameters into the body as JSON.
    ///
    /// - Parameter encoder: The `JSONEncoder` whose settings are copied.
    /// - Returns: The parameter encoder.
    public static func json(encoder: JSONEncoder) -> JSONParameterEncoder {
        JSONParameterEncoder(encoder: encoder)
    }
}

extension JSONEncoder {
    /// A copy that also sorts keys and does not escape slashes.
    fileprivate var bodyEncoder: JSONEncoder {
        let copy = JSONEncoder()
        copy.outputFormatting = outputFormatting.union([.sortedKeys, .withoutEscapingSlashes])
        copy.dateEncodingStrategy = dateEncodingStrategy
        copy.dataEncodingStrategy = dataEncodingStrategy
        copy.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        copy.keyEncodingStrategy = keyEncodingStrategy
        copy.userInfo = userInfo
        return copy
    }
}
