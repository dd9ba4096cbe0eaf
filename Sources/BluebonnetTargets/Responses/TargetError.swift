public import BluebonnetChain

/// An error of a call to a target, or of mapping its response.
public indirect enum TargetError: Error, Sendable {
    /// The body is not JSON, or has no value at the key path.
    case jsonMapping(TargetResponse)
    /// The body is not UTF-8 text, or has no string at the key path.
    case stringMapping(TargetResponse)
    /// The body could not be decoded into the type.
    case objectMapping(any Error, TargetResponse)
    /// A value to be sent could not be encoded.
    case encodableMapping(any Error)
    /// The status code is not one that a filter accepts.
    case statusCode(TargetResponse)
    /// The request failed, or the target's validation rejected the response; the payload includes
    /// any response.
    case underlying(any Error, TargetResponse?)
    /// No request can be sent to the URL of the endpoint, which is the payload.
    case requestMapping(String)
    /// Parameters could not be encoded.
    case parameterEncoding(any Error)
}

/// Moya's name for ``TargetError``.
public typealias MoyaError = TargetError

extension TargetError {
    /// The response, if there was one.
    public var response: TargetResponse? {
        switch self {
        case .jsonMapping(let response), .stringMapping(let response),
            .objectMapping(_, let response),
            .statusCode(let response):
            response
        case .underlying(_, let response): response
        case .encodableMapping, .requestMapping, .parameterEncoding: nil
        }
    }

    /// The underlying error, if there is one.
    public var underlyingError: (any Error)? {
        switch self {
        case .objectMapping(let error, _), .encodableMapping(let error),
            .parameterEncoding(let error),
            .underlying(let error, _):
            error
        case .jsonMapping, .stringMapping, .statusCode, .requestMapping: nil
        }
    }

    /// The underlying error, if it is a ``/Bluebonnet/BluebonnetError``.
    public var bluebonnetError: BluebonnetError? { underlyingError as? BluebonnetError }
}

extension TargetError: LocalizedError {
    /// A description of the error and, if known, how to fix it.
    public var errorDescription: String? { description }
}

extension TargetError: CustomStringConvertible, CustomReflectable {
    /// Only the description, since the payload can contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    /// A description of the error and, if known, how to fix it, without queries and secrets.
    public var description: String {
        switch self {
        case .jsonMapping(let response):
            "the body is not JSON, or has no value at the key path (\(response))"
        case .stringMapping(let response):
            "the body is not UTF-8 text, or has no string at the key path (\(response))"
        case .objectMapping(let error, let response):
            "the body could not be decoded (\(response)): "
                + response.redactor.redacted(Self.text(of: error), by: .server)
        case .encodableMapping(let error): "a value could not be encoded: \(Self.text(of: error))"
        case .statusCode(let response):
            "the status code \(response.statusCode) is not accepted"
        case .underlying(let error, _): Self.text(of: error)
        case .requestMapping(let url):
            """
            \(url.withoutURLSecrets.quoted) is not a URL that a request can be sent to; it needs a scheme and \
            a host, and a path without # and without . or .. as a segment
            """
        case .parameterEncoding(let error):
            "the parameters cannot be sent: \(Self.text(of: error))"
        }
    }

    /// Returns the description of an error, without the values and URLs that Foundation's errors
    /// print.
    private static func text(of error: any Error) -> String {
        switch error {
        case let error as BluebonnetError: error.description
        case let error as DecodingError: ResponseSerializationError(error).reason
        case EncodingError.invalidValue(_, let context): context.debugDescription
        case let error as URLError: "URLError \(error.code.rawValue)"
        case let error as any LocalizedError where error.errorDescription != nil:
            error.errorDescription ?? ""
        case let error as any CustomStringConvertible where !(error is NSError): error.description
        default: "\((error as NSError).domain) \((error as NSError).code)"
        }
    }
}

extension TargetError: CustomNSError {
    /// The domain of the `NSError`.
    public static var errorDomain: String { "Bluebonnet.TargetError" }

    /// The position of the case in the order of declaration, from 1.
    public var errorCode: Int {
        switch self {
        case .jsonMapping: 1
        case .stringMapping: 2
        case .objectMapping: 3
        case .encodableMapping: 4
        case .statusCode: 5
        case .underlying: 6
        case .requestMapping: 7
        case .parameterEncoding: 8
        }
    }

    /// The description and the underlying error.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        info[NSUnderlyingErrorKey] = underlyingError
        return info
    }
}
