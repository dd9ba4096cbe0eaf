import Bluebonnet

/// An error of a ``ParameterEncoder``.
public enum ParameterEncoderError: Error, Sendable {
    /// A part of a request that an encoder needs.
    public enum RequiredComponent: Sendable, Hashable {
        /// The URL.
        case url
        /// The method; the associated value is the request's current one.
        case httpMethod(rawValue: String?)
    }

    /// The request has no URL or no method.
    case missingRequiredComponent(RequiredComponent)
    /// The parameters could not be encoded; the associated value is the cause.
    case encoderFailed(error: any Error)
}

extension ParameterEncoderError: CustomStringConvertible {
    /// The reason in one line, without the values of the parameters.
    public var description: String {
        switch self {
        case .missingRequiredComponent(.url):
            "the request has no URL; set one before encoding the parameters"
        case .missingRequiredComponent(.httpMethod(let rawValue)):
            "\((rawValue ?? "").quoted) is not a method; set one before encoding the parameters"
        case .encoderFailed(let error):
            "the parameters cannot be encoded: \(EncodingFailure.reason(of: error))"
        }
    }
}
