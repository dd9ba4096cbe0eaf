import Foundation
import FoundationNetworking

/// What a request of the chain is made of, again for each attempt.
struct ChainRequest: Sendable {
    let url: any URLConvertible
    let method: HTTPMethod
    let headers: HTTPHeaders?
    let modifier: RequestModifier?

    /// The source of a task's request, to which `encode` adds the parameters.
    func source(
        relativeTo baseURL: URL?,
        encode: (@Sendable (URLRequest) throws -> URLRequest)? = nil
    ) -> RequestSource {
        .maker {
            var request = URLRequest(url: try url.resolved(against: baseURL))
            request.httpMethod = method.rawValue
            if let headers { try request.replaceFields(with: headers) }
            try modifier?(&request)
            return try encode?(request) ?? request
        }
    }
}

extension RequestSource {
    /// The source of a task whose request something else makes.
    init(_ convertible: any URLRequestConvertible, relativeTo baseURL: URL?) {
        self = .maker {
            var request = try convertible.asURLRequest()
            if let url = request.url { request.url = try url.resolved(against: baseURL) }
            return request
        }
    }
}

extension URLConvertible {
    /// The URL with a scheme and a host, below the base if it has none itself.
    fileprivate func resolved(against baseURL: URL?) throws -> URL {
        let url = try asURL()
        guard url.host?.isEmpty != false || url.scheme == nil else { return url }
        guard let resolved = URL(path: url.relativeString, relativeTo: baseURL),
            resolved.scheme != nil, resolved.host?.isEmpty == false
        else { throw URLConversionError(text: url.relativeString).requestError }
        return resolved
    }
}
