import Bluebonnet

/// The parts from which the chain creates a request for each attempt.
struct ChainRequest: Sendable {
    let url: any URLConvertible
    let method: HTTPMethod
    let headers: HTTPHeaders?
    let modifier: RequestModifier?

    /// Returns the source of a task's request, to which `encode` adds the parameters.
    func source(
        relativeTo baseURL: URL?,
        encode: (@Sendable (URLRequest) throws -> URLRequest)? = nil
    ) -> RequestSource {
        .maker {
            var request = URLRequest(method, try url.resolved(against: baseURL))
            if let headers { try request.replaceFields(with: headers) }
            try modifier?(&request)
            return try encode?(request) ?? request
        }
    }
}

extension RequestSource {
    /// Creates the source of a task's request from a convertible value.
    init(_ convertible: any URLRequestConvertible, relativeTo baseURL: URL?) {
        self = .maker {
            var request = try convertible.asURLRequest()
            // Not set again if it is absolute already, since Foundation would copy the request.
            if let url = request.url, !url.isWhole {
                request.url = try url.resolved(against: baseURL)
            }
            return request
        }
    }
}

extension URLConvertible {
    /// Returns the URL, resolved against the base URL if it has no scheme or no host.
    fileprivate func resolved(against baseURL: URL?) throws -> URL {
        let url = try asURL()
        guard !url.isWhole else { return url }
        guard let resolved = URL(path: url.relativeString, relativeTo: baseURL),
            resolved.isWhole
        else { throw URLConversionError(text: url.relativeString).requestError }
        return resolved
    }
}

extension URL {
    /// Whether the URL has a scheme and a host.
    fileprivate var isWhole: Bool { scheme != nil && host?.isEmpty == false }
}
