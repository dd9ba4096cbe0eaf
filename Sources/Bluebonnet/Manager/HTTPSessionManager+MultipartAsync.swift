import Foundation
import FoundationNetworking

// Each sends a request with a `multipart/form-data` body and waits. Cancelling the Swift task cancels
// the request, and throws `.cancelled`; the completion queue plays no part.
extension HTTPSessionManager {
    /// Sends POST with a form and decodes the JSON of the response.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: Fields that come first, in the order and with the names of a query.
    ///   - headers: Header fields, which beat those of the serializer, save for `Content-Type`.
    ///   - type: What the response is decoded to.
    ///   - uploadProgress: Called while the body is sent, on the callback queue.
    ///   - constructingBody: Appends the other parts; called before anything is sent, once, or not
    ///     at all where path, headers or parameters fail the task already.
    /// - Returns: The decoded value.
    /// - Throws: whatever made the task fail, an unacceptable status or content type included.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        uploadProgress: ProgressHandler? = nil,
        constructingBody: (inout MultipartFormData) throws -> Void
    ) async throws(BluebonnetError) -> Value {
        try await decoded(
            multipartRequest(.post, path, parameters, headers, constructingBody), uploadProgress
        )
    }

    /// Sends PUT with a form and decodes the JSON of the response.
    ///
    /// - Throws: whatever made the task fail, an unacceptable status or content type included.
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        uploadProgress: ProgressHandler? = nil,
        constructingBody: (inout MultipartFormData) throws -> Void
    ) async throws(BluebonnetError) -> Value {
        try await decoded(
            multipartRequest(.put, path, parameters, headers, constructingBody), uploadProgress
        )
    }

    /// Sends PATCH with a form and decodes the JSON of the response.
    ///
    /// - Throws: whatever made the task fail, an unacceptable status or content type included.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        uploadProgress: ProgressHandler? = nil,
        constructingBody: (inout MultipartFormData) throws -> Void
    ) async throws(BluebonnetError) -> Value {
        try await decoded(
            multipartRequest(.patch, path, parameters, headers, constructingBody), uploadProgress
        )
    }

    private func decoded<Value: Decodable & Sendable>(
        _ request: Result<URLRequest, BluebonnetError>,
        _ uploadProgress: ProgressHandler?
    ) async throws(BluebonnetError) -> Value {
        try await response(
            request,
            serializer: decoder() as DecodableResponseSerializer<Value>,
            upload: request.multipartUpload,
            uploadProgress: uploadProgress
        ).result.get()
    }
}

extension HTTPSessionManager {
    /// The request that a verb sends with a form, or the error that its task fails with.
    func multipartRequest(
        _ method: HTTPMethod,
        _ path: String,
        _ parameters: Parameters?,
        _ headers: HTTPHeaders?,
        _ constructingBody: (inout MultipartFormData) throws -> Void
    ) -> Result<URLRequest, BluebonnetError> {
        request(method, path, headers) { serializer, request in
            try serializer.multipartFormRequest(
                request, parameters: parameters, constructingBody: constructingBody
            )
        }.map { request in
            var request = request
            // The caller's headers are set last, and a body cannot be read without its boundary.
            request.setMultipartFields()
            return request
        }
    }
}

extension Result<URLRequest, BluebonnetError> {
    /// The form that is sent with the request; nil where there is none.
    var multipartUpload: UploadBody? {
        (try? get())?.multipartBody.map(UploadBody.multipart)
    }
}
