public import BluebonnetChain

// Forms for dictionaries with values of any type, such as Moya's. A value that cannot be sent fails
// the call with an error that names its place.
extension TargetTask {
    /// Returns a request with parameters from a dictionary.
    @_disfavoredOverload
    public static func requestParameters(
        parameters: [String: Any], encoding: any ParameterEncoding
    ) -> TargetTask {
        .requestParameters(parameters: Parameters(unchecked: parameters), encoding: encoding)
    }

    /// Returns a request with bytes as the body, and a query from a dictionary.
    @_disfavoredOverload
    public static func requestCompositeData(
        bodyData: Data, urlParameters: [String: Any]
    ) -> TargetTask {
        .requestCompositeData(
            bodyData: bodyData, urlParameters: Parameters(unchecked: urlParameters))
    }

    /// Returns a request with a body and a query from dictionaries.
    @_disfavoredOverload
    public static func requestCompositeParameters(
        bodyParameters: [String: Any], bodyEncoding: any ParameterEncoding,
        urlParameters: [String: Any]
    ) -> TargetTask {
        .requestCompositeParameters(
            bodyParameters: Parameters(unchecked: bodyParameters), bodyEncoding: bodyEncoding,
            urlParameters: Parameters(unchecked: urlParameters))
    }

    /// Returns an upload of a form, with a query from a dictionary.
    @_disfavoredOverload
    public static func uploadCompositeMultipartFormData(
        _ form: MultipartFormData, urlParameters: [String: Any]
    ) -> TargetTask {
        .uploadCompositeMultipartFormData(
            form, urlParameters: Parameters(unchecked: urlParameters))
    }

    /// Returns an upload of a form, with a query from a dictionary.
    @_disfavoredOverload
    @available(*, deprecated, message: "use uploadCompositeMultipartFormData(_:urlParameters:)")
    public static func uploadCompositeMultipart(
        _ parts: [MultipartFormBodyPart], urlParameters: [String: Any]
    ) -> TargetTask {
        .uploadCompositeMultipartFormData(
            MultipartFormData(parts: parts), urlParameters: Parameters(unchecked: urlParameters))
    }

    /// Returns a download with parameters from a dictionary.
    @_disfavoredOverload
    public static func downloadParameters(
        parameters: [String: Any], encoding: any ParameterEncoding,
        destination: @escaping DownloadRequest.Destination
    ) -> TargetTask {
        .downloadParameters(
            parameters: Parameters(unchecked: parameters), encoding: encoding,
            destination: destination)
    }
}
