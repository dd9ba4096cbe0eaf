import Bluebonnet

/// Descriptions of errors that occur while parameters are encoded.
enum EncodingFailure {
    /// Returns the reason in one line, with the key path if it is known.
    static func reason(of error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
        // The error's own description contains the value, which may be secret.
        let place = context.codingPath.map(\.stringValue).joined(separator: ".")
        return RequestSerializationError(keyPath: place, reason: context.debugDescription)
            .description
    }
}
