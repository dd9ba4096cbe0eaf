public import BluebonnetChain

/// The content of a target's request and the destination of its response.
///
/// Moya calls this type `Task`, which hides Swift's `Task`.
public enum TargetTask: Sendable {
    /// A request without further content.
    case requestPlain
    /// Bytes as the body; no `Content-Type` is added.
    case requestData(Data)
    /// JSON as the body, with a `Content-Type` unless there is one.
    case requestJSONEncodable(any Encodable & Sendable)
    /// JSON as the body, encoded by an encoder that must not be changed afterward.
    case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)
    /// Parameters, which the encoding writes to the query or the body.
    case requestParameters(parameters: Parameters, encoding: any ParameterEncoding)
    /// A query from a value, encoded by a ``/BluebonnetChain/URLEncodedFormParameterEncoder``.
    case requestQueryEncodable(any Encodable & Sendable)
    /// Bytes as the body, and a query.
    case requestCompositeData(bodyData: Data, urlParameters: Parameters)
    /// Parameters as the body, and a query.
    ///
    /// ``/BluebonnetChain/URLEncoding/httpBody`` is the only ``/BluebonnetChain/URLEncoding`` that
    /// is accepted.
    case requestCompositeParameters(
        bodyParameters: Parameters, bodyEncoding: any ParameterEncoding, urlParameters: Parameters)
    /// JSON as the body, and a query from a value.
    case requestCompositeEncodable(
        body: any Encodable & Sendable, query: any Encodable & Sendable)
    /// A file as the body, read while it is sent.
    case uploadFile(URL)
    /// A form as the body, for the methods POST, PUT, PATCH and CONNECT; a form without parts fails
    /// the call.
    case uploadMultipartFormData(MultipartFormData)
    /// A form as the body, and a query.
    case uploadCompositeMultipartFormData(MultipartFormData, urlParameters: Parameters)
    /// A download to a destination.
    case downloadDestination(DownloadRequest.Destination)
    /// A download with parameters.
    case downloadParameters(
        parameters: Parameters, encoding: any ParameterEncoding,
        destination: DownloadRequest.Destination)
}

// Moya's former names.
extension TargetTask {
    /// Returns an upload of a form.
    @available(*, deprecated, message: "use uploadMultipartFormData(_:)")
    public static func uploadMultipart(_ parts: [MultipartFormBodyPart]) -> TargetTask {
        .uploadMultipartFormData(MultipartFormData(parts: parts))
    }

    /// Returns an upload of a form, with a query.
    @available(*, deprecated, message: "use uploadCompositeMultipartFormData(_:urlParameters:)")
    public static func uploadCompositeMultipart(
        _ parts: [MultipartFormBodyPart], urlParameters: Parameters
    ) -> TargetTask {
        .uploadCompositeMultipartFormData(
            MultipartFormData(parts: parts), urlParameters: urlParameters)
    }
}
