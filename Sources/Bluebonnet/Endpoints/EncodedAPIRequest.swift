import Foundation
import FoundationNetworking

/// A typed request as the client sends it: a URL request, and the body that is uploaded with it.
struct EncodedAPIRequest {
    private(set) var request: URLRequest
    private(set) var upload: UploadBody?

    /// Reads the members of a request; a given URL replaces its URL and its query.
    ///
    /// - Throws: The reason why it cannot be sent.
    init(
        of endpoint: some APIRequest, below base: URL, at url: URL?, _ session: HTTPSessionManager,
        _ encoder: JSONBodyEncoder?
    ) throws {
        let path = try PathTemplate(text: endpoint.path).filled(with: endpoint.pathParameters)
        if let problem = APIRequestMembers.problem(in: endpoint) { throw problem }
        request = URLRequest(endpoint.method, try url ?? URL(endpointPath: path, below: base))
        try request.replaceFields(with: endpoint.headers)
        if let upload = endpoint as? any APIUpload {
            try attach(try upload.content, session)
        } else {
            let encoder = encoder ?? session.json.encoder
            if let body = try encoder.presentData(encoding: endpoint.body) {
                request.setBody(body, contentType: "application/json")
            }
        }
        if url == nil, let query = try Parameters.encoded(endpoint.query) {
            request = try session.requestSerializer.querySerializer
                .adding(query: query, to: request)
        }
    }

    private mutating func attach(_ body: RequestBody, _ session: HTTPSessionManager) throws {
        switch body.content {
        case .upload(.data(let data)): request.httpBody = data
        case .upload(let upload): self.upload = upload
        case .urlEncodedForm(let parameters):
            request = try session.requestSerializer.querySerializer
                .adding(form: parameters, to: request)
        case .form(let form, let parameters):
            var whole = MultipartFormData()
            try whole.appendParts(
                parameters: parameters ?? [:], encoding: session.queryEncoding)
            whole.append(form)
            // Throws for a part that could not be appended.
            let body = try MultipartBody(whole)
            guard !whole.parts.isEmpty else {
                throw RequestSerializationError(reason: "the form has no parts; append one")
            }
            request.httpBodyStream = MultipartBodyStream(body)
            request.setMultipartFields()
            upload = request.multipartBody.map(UploadBody.multipart)
        }
    }

    /// Returns the request with its bytes, for a response that is a stream.
    ///
    /// - Throws: An error if the request uploads anything else.
    func streamed(as framing: StreamFraming) throws -> URLRequest {
        guard upload == nil else {
            throw RequestSerializationError(
                reason: "a stream cannot upload a file or a form; upload its bytes instead")
        }
        var request = request
        if framing.isOfEvents, request.value(forHTTPHeaderField: "Accept") == nil {
            request.setValue(ServerSentEvent.contentType, forHTTPHeaderField: "Accept")
        }
        return request
    }
}
