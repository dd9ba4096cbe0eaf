public import Foundation

/// Why a call of a target, or what was made of its response, failed.
public indirect enum TargetError: Error, Sendable {
    /// The body is no JSON, or nothing is at the key path.
    case jsonMapping(TargetResponse)
    /// The body is no text in UTF-8, or no text is at the key path.
    case stringMapping(TargetResponse)
    /// The body is JSON of something else than the type.
    case objectMapping(any Error, TargetResponse)
    /// A value that was to be sent could not be encoded.
    case encodableMapping(any Error)
    /// The status is not among those of a filter.
    case statusCode(TargetResponse)
    /// The request failed, or the target's validation refused the response, which is there then.
    case underlying(any Error, TargetResponse?)
    /// The URL of the endpoint, this one, is none that a request can be sent to.
    case requestMapping(String)
    /// Parameters could not be encoded.
    case parameterEncoding(any Error)
}

/// Moya's name of ``TargetError``.
public typealias MoyaError = TargetError

extension TargetError {
    /// The response, where there was one.
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

    /// The error below, where there is one.
    public var underlyingError: (any Error)? {
        switch self {
        case .objectMapping(let error, _), .encodableMapping(let error),
            .parameterEncoding(let error),
            .underlying(let error, _):
            error
        case .jsonMapping, .stringMapping, .statusCode, .requestMapping: nil
        }
    }

    /// The error of the request, where it was sent or was to be.
    public var bluebonnetError: BluebonnetError? { underlyingError as? BluebonnetError }
}

extension TargetError: LocalizedError {
    /// What happened, and where that is known what to do.
    public var errorDescription: String? { description }
}

extension TargetError: CustomStringConvertible {
    /// What happened, and where that is known what to do; without query and secrets.
    public var description: String {
        switch self {
        case .jsonMapping(let response):
            "the body is no JSON, or has nothing at the key path (\(response))"
        case .stringMapping(let response):
            "the body is no text in UTF-8, or has no text at the key path (\(response))"
        case .objectMapping(let error, let response):
            "the body is not of the type (\(response)): \(Self.text(of: error))"
        case .encodableMapping(let error): "a value could not be encoded: \(Self.text(of: error))"
        case .statusCode(let response):
            "the status \(response.statusCode) is not among those that are accepted"
        case .underlying(let error, _): Self.text(of: error)
        case .requestMapping(let url):
            """
            \(url.withoutURLSecrets.quoted) is no URL that a request can be sent to; it takes a scheme and a \
            host, and a path without # and segments of dots
            """
        case .parameterEncoding(let error):
            "the parameters cannot be sent: \(Self.text(of: error))"
        }
    }

    /// What an error says of itself, without the values and URLs that Foundation's errors print.
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

    /// The number of the case, in the order in which they are declared.
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

    /// The description, and the error below.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        info[NSUnderlyingErrorKey] = underlyingError
        return info
    }
}
