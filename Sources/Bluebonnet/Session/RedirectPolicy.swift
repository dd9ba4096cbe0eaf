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

    let maximumRedirects: Int

    private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// Whether the response asks to be followed.
    static func isRedirect(_ head: ResponseHead) -> Bool {
        statuses.contains(head.statusCode) && head.value(of: "Location") != nil
    }

    func decision(after head: ResponseHead, to request: URLRequest, followed: Int) -> Decision {
        guard Self.isRedirect(head), let location = head.value(of: "Location") else {
            return .deliver
        }
        guard followed < maximumRedirects else {
            return .refuse("more than \(maximumRedirects) redirects came one after the other")
        }
        guard let url = URL(string: location, relativeTo: head.url)?.absoluteURL,
            let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty
        else {
            return .refuse("its Location is not a URL")
        }
        guard scheme == "https" || scheme == "http" else {
            return .refuse("it leads to the scheme \"\(scheme)\"")
        }
        guard scheme == "https" || head.url.scheme?.lowercased() != "https" else {
            return .refuse("it leads from https to http")
        }
        return .follow(Self.request(request, to: url, status: head.statusCode, from: head.url))
    }

    private static func request(
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
            remove(fields: contentFields, from: &next)
        }
        if Origin(url) != Origin(origin) {
            remove(fields: secretFields, from: &next)
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
private struct Origin: Equatable {
    let scheme: String?
    let host: String?
    let port: Int?

    init(_ url: URL) {
        scheme = url.scheme?.lowercased()
        host = url.host?.lowercased()
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
