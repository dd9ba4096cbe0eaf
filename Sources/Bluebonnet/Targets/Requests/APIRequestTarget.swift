public import Foundation
import FoundationNetworking

/// The target that plugins receive for a request of a ``TargetClient``.
///
/// ```swift
/// func willSend(_ request: any RequestType, target: any TargetType) {
///     if (target as? APIRequestTarget)?.request is GetUser { … }
/// }
/// ```
public struct APIRequestTarget: TargetType {
    /// The request.
    public let request: any APIRequest
    /// The base URL of the client.
    public let baseURL: URL
    /// The path of the request, with the values of its parameters.
    public let path: String
    /// The method of the request.
    public let method: HTTPMethod
    /// The task of the request.
    public let task: TargetTask
    /// The header fields of the request.
    public let headers: [String: String]?
    /// The validation of the request.
    public let validationType: ValidationType
    private let query: (any Encodable & Sendable)?
    /// The reason why the request cannot be sent.
    private let failure: RequestSerializationError?

    /// Creates the target of a request.
    init(_ request: some APIRequest, baseURL: URL) {
        self.request = request
        self.baseURL = baseURL
        let template = PathTemplate(text: request.path)
        do throws(RequestSerializationError) {
            path = try template.filled(with: request.pathParameters)
            failure = APIRequestMembers.problem(in: request)
        } catch {
            path = template.text
            failure = error
        }
        method = request.method
        task = request.task
        let fields = request.headers
        headers = fields.isEmpty ? nil : fields.dictionary
        validationType = request.validationType
        query = encodable(in: request.query)
    }

    /// Returns the request to send; a given URL replaces its URL and its query.
    func urlRequest(
        at url: URL?, encodedBy encoding: ClientEncoding
    ) throws(TargetError) -> URLRequest {
        if let failure { throw .parameterEncoding(failure) }
        var request = try urlRequest(encodedBy: encoding)
        guard let url else {
            guard let query else { return request }
            return try encoding.adding(query: query, to: request)
        }
        request.url = url
        return request
    }

    private func urlRequest(encodedBy encoding: ClientEncoding) throws(TargetError) -> URLRequest {
        let endpoint = Endpoint(self)
        switch task {
        case .requestJSONEncodable(let body):
            let request = try endpoint.replacing(task: .requestPlain).urlRequest()
            return try encoding.adding(body: body, to: request)
        case .requestQueryEncodable(let query):
            let request = try endpoint.replacing(task: .requestPlain).urlRequest()
            return try encoding.adding(query: query, to: request)
        case .requestCompositeEncodable(let body, let query):
            let request = try endpoint.replacing(task: .requestPlain).urlRequest()
            return try encoding.adding(query: query, to: encoding.adding(body: body, to: request))
        default: return try endpoint.urlRequest()
        }
    }
}

extension APIRequestTarget: AccessTokenAuthorizable {
    /// The authorization type of the request; nil if it requires no token.
    public var authorizationType: AuthorizationType? {
        (request as? any AccessTokenAuthorizable)?.authorizationType
    }
}
