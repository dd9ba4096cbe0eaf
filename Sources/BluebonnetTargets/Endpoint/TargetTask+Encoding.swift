import BluebonnetChain

extension TargetTask {
    /// Returns a request with the content of the task, except for the body of an upload.
    func adding(to request: URLRequest) throws(TargetError) -> URLRequest {
        switch self {
        case .requestPlain, .uploadFile, .downloadDestination: return request
        case .uploadMultipartFormData(let form):
            try form.checkAsBody(of: request)
            return request
        case .requestData(let data):
            var request = request
            request.httpBody = data
            return request
        case .requestJSONEncodable(let value):
            return try Self.encoding(value, into: request)
        case .requestCustomJSONEncodable(let value, let encoder):
            return try Self.encoding(value, into: request, encoder)
        case .requestParameters(let parameters, let encoding),
            .downloadParameters(let parameters, let encoding, _):
            return try Self.encoding(parameters, into: request, encoding)
        case .requestQueryEncodable(let query):
            return try Self.adding(query: query, to: request)
        case .requestCompositeData(let body, let parameters):
            var request = request
            request.httpBody = body
            return try Self.encoding(parameters, into: request, URLEncoding.queryString)
        case .requestCompositeParameters(let body, let encoding, let parameters):
            // Only `URLEncoding` can be checked: other encodings do not reveal where they write.
            if let encoding = encoding as? URLEncoding, encoding.destination != .httpBody {
                throw .parameterEncoding(CompositeEncodingError())
            }
            let request = try Self.encoding(body, into: request, encoding)
            return try Self.encoding(parameters, into: request, URLEncoding.queryString)
        case .requestCompositeEncodable(let body, let query):
            return try Self.adding(query: query, to: Self.encoding(body, into: request))
        case .uploadCompositeMultipartFormData(let form, let parameters):
            try form.checkAsBody(of: request)
            return try Self.encoding(parameters, into: request, URLEncoding.queryString)
        }
    }

    private static func encoding(
        _ parameters: Parameters, into request: URLRequest, _ encoding: any ParameterEncoding
    ) throws(TargetError) -> URLRequest {
        do {
            return try encoding.encode(request, with: parameters)
        } catch {
            throw .parameterEncoding(error)
        }
    }

    private static func encoding(
        _ value: some Encodable & Sendable, into request: URLRequest,
        _ encoder: JSONEncoder = JSONEncoder()
    ) throws(TargetError) -> URLRequest {
        do {
            return try JSONParameterEncoder(encoder: encoder).encode(value, into: request)
        } catch {
            throw .encodableMapping(error)
        }
    }

    private static func adding(
        query: some Encodable & Sendable, to request: URLRequest
    ) throws(TargetError) -> URLRequest {
        do {
            return try URLEncodedFormParameterEncoder(destination: .queryString)
                .encode(query, into: request)
        } catch {
            throw .encodableMapping(error)
        }
    }
}

/// The error for a body encoding that would write to the query.
struct CompositeEncodingError: Error, CustomStringConvertible {
    var description: String {
        "the bodyEncoding of requestCompositeParameters must write to the body; use URLEncoding.httpBody or "
            + "JSONEncoding.default"
    }
}

extension MultipartFormData {
    /// Throws unless a request can have the form as its body.
    fileprivate func checkAsBody(of request: URLRequest) throws(TargetError) {
        let method = request.httpMethod ?? "GET"
        let reason: String
        if parts.isEmpty, failure == nil {
            reason = "the form has no parts; append a part, or use requestPlain"
        } else if !["POST", "PUT", "PATCH", "CONNECT"].contains(method) {
            reason = "a \(method) request cannot have a form as its body; use POST, PUT or PATCH"
        } else {
            return
        }
        throw .parameterEncoding(RequestSerializationError(reason: reason))
    }
}
