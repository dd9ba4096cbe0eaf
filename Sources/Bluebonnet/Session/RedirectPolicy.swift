import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Decides which request, if any, follows a response (RFC 9110 section 15.4).
struct RedirectPolicy {
    enum Decision {
        /// It is not a redirect, or one that names no place: the response is the task's.
        case deliver
        case follow(URLRequest)
        case refuse(String)
    }

    let configuration: SessionConfiguration

    private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// Whether the response asks to be followed.
    static func isRedirect(_ head: ResponseHead) -> Bool {
        statuses.contains(head.statusCode) && head.value(of: "Location")?.isEmpty == false
    }

    func decision(after head: ResponseHead, to request: URLRequest, followed: Int) -> Decision {
        guard Self.isRedirect(head), let location = head.value(of: "Location") else {
            return .deliver
        }
        let maximum = configuration.maximumRedirects
        guard followed < maximum else {
            return .refuse("more than \(maximum) redirects came one after the other")
        }
        guard let url = URL(string: location, relativeTo: head.url)?.absoluteURL,
            let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty
        else {
            return .refuse("its Location is not a URL")
        }
        guard scheme == "https" || scheme == "http" else {
            return .refuse("it leads to the scheme \"\(scheme)\"")
        }
        guard
            scheme == "https" || head.url.scheme?.lowercased() != "https"
                || configuration.followsRedirectsToPlainHTTP
        else {
            return .refuse("it leads from https to http")
        }
        var text = url.absoluteString
        if let fault = text.withUTF8({ URLFault(in: $0) }) {
            return .refuse(fault.reason(for: text))
        }
        let place = Self.withFragment(of: head.url, url)
        return .follow(
            self.request(request, to: place, status: head.statusCode, from: head.url)
        )
    }

    /// A place without a fragment inherits that of the request (RFC 9110 section 10.2.2).
    private static func withFragment(of origin: URL, _ url: URL) -> URL {
        guard url.fragment == nil, let fragment = origin.fragment,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        parts.percentEncodedFragment = fragment
        return parts.url ?? url
    }

    private func request(
        _ request: URLRequest,
        to url: URL,
        status: Int,
        from origin: URL
    ) -> URLRequest {
        var next = request
        next.url = url
        let method = request.httpMethod ?? "GET"
        let becomesGet =
            (status == 303 && method != "HEAD" && method != "GET")
            || ((status == 301 || status == 302) && method == "POST")
        if becomesGet {
            next.httpMethod = "GET"
            next.httpBody = nil
            Self.remove(fields: Self.contentFields, from: &next)
        }
        if Origin(url) != Origin(origin), !configuration.keepsCredentialsAcrossOrigins {
            Self.remove(fields: Self.secretFields, from: &next)
        }
        return next
    }

    private static let contentFields = [
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language",
        "Content-Location", "Transfer-Encoding",
    ]
    /// What was meant for one origin does not follow to another.
    private static let secretFields = [
        "Authorization", "Cookie", "Proxy-Authorization", "Host", "WWW-Authenticate",
    ]

    private static func remove(fields: [String], from request: inout URLRequest) {
        for name in request.allHTTPHeaderFields?.keys ?? [:].keys
        where fields.contains(where: { $0.caseInsensitiveEquals(name) }) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
    }
}

/// Scheme, host and port, the unit within which secrets are shared (RFC 6454).
struct Origin: Hashable {
    let scheme: String?
    let host: String?
    let port: Int?

    init(_ url: URL) {
        scheme = url.scheme?.lowercased()
        host = url.host?.lowercased()
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
