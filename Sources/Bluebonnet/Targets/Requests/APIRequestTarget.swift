public import Foundation
import FoundationNetworking

/// A request of a ``TargetClient`` as the target that plugins see.
///
/// ```swift
/// func willSend(_ request: any RequestType, target: any TargetType) {
///     if (target as? APIRequestTarget)?.request is GetUser { … }
/// }
/// ```
public struct APIRequestTarget: TargetType {
    /// The request.
    public let request: any APIRequest
    /// The client's.
    public let baseURL: URL
    /// That of the request, with the values of its parameters.
    public let path: String
    /// That of the request.
    public let method: HTTPMethod
    /// That of the request.
    public let task: TargetTask
    /// Those of the request.
    public let headers: [String: String]?
    /// That of the request.
    public let validationType: ValidationType
    private let query: (any Encodable & Sendable)?
    /// Why there is no request to send.
    private let failure: RequestSerializationError?

    /// Makes the target of a request.
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

    /// The request to send; with a URL, to there rather than to path and query.
    func urlRequest(at url: URL?, _ encoder: JSONEncoder?) throws(TargetError) -> URLRequest {
        if let failure { throw .parameterEncoding(failure) }
        var request = try urlRequest(encodedBy: encoder)
        guard let url else {
            guard let query else { return request }
            return try TargetTask.requestQueryEncodable(query).adding(to: request)
        }
        request.url = url
        return request
    }

    /// The request of the task, with bodies of JSON as the client encodes them.
    private func urlRequest(encodedBy encoder: JSONEncoder?) throws(TargetError) -> URLRequest {
        let endpoint = Endpoint(self)
        guard let encoder else { return try endpoint.urlRequest() }
        switch task {
        case .requestJSONEncodable(let body):
            return try endpoint.replacing(
                task: .requestCustomJSONEncodable(body, encoder: encoder)
            ).urlRequest()
        case .requestCompositeEncodable(let body, let query):
            let request = try endpoint.replacing(
                task: .requestCustomJSONEncodable(body, encoder: encoder)
            ).urlRequest()
            return try TargetTask.requestQueryEncodable(query).adding(to: request)
        default: return try endpoint.urlRequest()
        }
    }
}

extension APIRequestTarget: AccessTokenAuthorizable {
    /// That of the request; nil if it wants no token.
    public var authorizationType: AuthorizationType? {
        (request as? any AccessTokenAuthorizable)?.authorizationType
    }
}
