import Bluebonnet

/// An error of a ``ParameterEncoding`` or of a JSON encoder.
public enum ParameterEncodingError: Error, Sendable {
    /// The request has no URL.
    case missingURL
    /// The parameters could not be written as JSON; the associated value is the cause.
    case jsonEncodingFailed(error: any Error)
}

extension ParameterEncodingError: CustomStringConvertible {
    /// The reason in one line, without the values of the parameters.
    public var description: String {
        switch self {
        case .missingURL:
            "the request has no URL; set one before encoding the parameters"
        case .jsonEncodingFailed(let error):
            "the parameters cannot be written as JSON: \(EncodingFailure.reason(of: error))"
        }
    }
}
