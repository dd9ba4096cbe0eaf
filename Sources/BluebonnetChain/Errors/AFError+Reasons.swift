public import Bluebonnet

// The reasons in Alamofire's cases of an error. They exist so that the compiler names what to write
// instead of the case.
extension BluebonnetError {
    /// Alamofire's reasons for rejecting a response.
    public enum ResponseValidationFailureReason: Sendable {
        /// See ``/Bluebonnet/BluebonnetError/file(_:_:)``.
        case dataFileNil
        /// See ``/Bluebonnet/BluebonnetError/file(_:_:)``.
        case dataFileReadFailed(at: URL)
        /// See ``/Bluebonnet/BluebonnetError/unacceptableContentType(_:acceptable:_:)``.
        case missingContentType(acceptableContentTypes: [String])
        /// See ``/Bluebonnet/BluebonnetError/unacceptableContentType(_:acceptable:_:)``.
        case unacceptableContentType(
            acceptableContentTypes: [String], responseContentType: String)
        /// See ``/Bluebonnet/BluebonnetError/unacceptableStatus(_:_:)``.
        case unacceptableStatusCode(code: Int)
        /// See ``/Bluebonnet/BluebonnetError/validation(_:_:)``.
        case customValidationFailed(error: any Error)
    }

    /// Alamofire's reasons why a body cannot be serialized; see
    /// ``/Bluebonnet/BluebonnetError/unreadableBody(_:_:)``.
    public enum ResponseSerializationFailureReason: Sendable {
        /// There is no body.
        case inputDataNilOrZeroLength
        /// There is no file.
        case inputFileNil
        /// The file cannot be read.
        case inputFileReadFailed(at: URL)
        /// The body is not text in an encoding.
        case stringSerializationFailed(encoding: String.Encoding)
        /// The body is not JSON.
        case jsonSerializationFailed(error: any Error)
        /// The body cannot be decoded.
        case decodingFailed(error: any Error)
        /// A serializer of the program failed.
        case customSerializationFailed(error: any Error)
        /// The type has no value for an empty body.
        case invalidEmptyResponse(type: String)
    }

    /// Alamofire's reasons why parameters cannot be encoded; see
    /// ``/Bluebonnet/BluebonnetError/invalidRequest(_:_:)``.
    public enum ParameterEncodingFailureReason: Sendable {
        /// The request has no URL.
        case missingURL
        /// The parameters are not JSON.
        case jsonEncodingFailed(error: any Error)
        /// An encoding of the program failed.
        case customEncodingFailed(error: any Error)
    }
}
