public import Foundation

/// What is sent with a target's request, and what becomes of the response.
///
/// It is called `Task` in Moya, where it hides Swift's.
public enum TargetTask: Sendable {
    /// A request without anything else.
    case requestPlain
    /// Bytes as the body; no `Content-Type` is added.
    case requestData(Data)
    /// JSON as the body, with a `Content-Type` unless there is one.
    case requestJSONEncodable(any Encodable & Sendable)
    /// JSON as the body, made by an encoder that must not be changed later.
    case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)
    /// Parameters, which the encoding puts where it wants.
    case requestParameters(parameters: Parameters, encoding: any ParameterEncoding)
    /// The query of a value: what its `encode(to:)` writes, as ``URLEncodedFormParameterEncoder`` does.
    case requestQueryEncodable(any Encodable & Sendable)
    /// Bytes as the body, and a query.
    case requestCompositeData(bodyData: Data, urlParameters: Parameters)
    /// Parameters as the body, and a query; of ``URLEncoding`` only ``URLEncoding/httpBody`` will do.
    case requestCompositeParameters(
        bodyParameters: Parameters, bodyEncoding: any ParameterEncoding, urlParameters: Parameters)
    /// JSON as the body, and the query of a value.
    case requestCompositeEncodable(
        body: any Encodable & Sendable, query: any Encodable & Sendable)
    /// The bytes of a file as the body, read while they are sent.
    case uploadFile(URL)
    /// A form, for the methods POST, PUT, PATCH and CONNECT; one without parts fails the call.
    case uploadMultipartFormData(MultipartFormData)
    /// A form, and a query.
    case uploadCompositeMultipartFormData(MultipartFormData, urlParameters: Parameters)
    /// A download.
    case downloadDestination(DownloadRequest.Destination)
    /// A download with parameters.
    case downloadParameters(
        parameters: Parameters, encoding: any ParameterEncoding,
        destination: DownloadRequest.Destination)
}

// Moya's former names.
extension TargetTask {
    /// A form of parts.
    @available(*, deprecated, message: "use uploadMultipartFormData(_:)")
    public static func uploadMultipart(_ parts: [MultipartFormBodyPart]) -> TargetTask {
        .uploadMultipartFormData(MultipartFormData(parts: parts))
    }

    /// A form of parts, and a query.
    @available(*, deprecated, message: "use uploadCompositeMultipartFormData(_:urlParameters:)")
    public static func uploadCompositeMultipart(
        _ parts: [MultipartFormBodyPart], urlParameters: Parameters
    ) -> TargetTask {
        .uploadCompositeMultipartFormData(
            MultipartFormData(parts: parts), urlParameters: urlParameters)
    }
}
