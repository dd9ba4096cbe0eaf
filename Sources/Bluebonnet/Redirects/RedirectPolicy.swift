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

    /// Whether the response asks to be followed.
    static func isRedirect(_ head: ResponseHead) -> Bool {
        switch head.statusCode {
        case 301, 302, 303, 307, 308: head.value(of: "Location")?.isEmpty == false
        default: false
        }
    }

    func decision(after head: ResponseHead, to request: URLRequest, followed: Int) -> Decision {
        guard Self.isRedirect(head), let location = head.value(of: "Location") else {
            return .deliver
        }
        let maximum = configuration.maximumRedirects
        guard followed < maximum else {
            return .refuse(
                "more than \(maximum) redirects came one after the other; raise maximumRedirects "
                    + "if the server means it"
            )
        }
        // Its bytes as they came: made into text and back, those that are no UTF-8 would be others.
        let bytes = head.exchangeHead.block.firstBytes(of: "Location") ?? Array(location.utf8)
        guard let url = URL(reference: bytes, relativeTo: head.url),
            let scheme = url.scheme?.lowercased()
        else {
            return .refuse("its Location is not a URL: \(location.withoutURLSecrets.quoted)")
        }
        guard scheme == "https" || scheme == "http" else {
            return .refuse("it leads to the scheme \"\(scheme)\"")
        }
        guard
            scheme == "https" || head.url.scheme?.lowercased() != "https"
                || configuration.followsRedirectsToPlainHTTP
        else {
            return .refuse("it leads from https to http; followsRedirectsToPlainHTTP allows that")
        }
        if let fault = URLFault(of: url, url.absoluteString) {
            return .refuse(fault.reason(for: url.absoluteString))
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
            next.removeFields { name, _ in Self.describesBody(name) }
        }
        if AuthenticationOrigin(url) != AuthenticationOrigin(origin) {
            next.removeFields { name, _ in originFields.contains(name) }
        }
        return next
    }

    /// What is sent when a hook has answered a proposed request.
    ///
    /// What the proposal has for its own origin does not follow to one that the hook has put in its
    /// place; what the hook itself has set does.
    func request(_ answer: URLRequest, insteadOf proposed: URLRequest) -> URLRequest {
        guard !answer.hasSameOrigin(as: proposed) else { return answer }
        var next = answer
        next.removeFields { name, value in
            originFields.contains(name) && proposed.value(forHTTPHeaderField: name) == value
        }
        return next
    }

    private var originFields: OriginBoundFields {
        OriginBoundFields(configuration)
    }

    /// Whether a field is about a body, and goes with it (RFC 9110 section 15.4).
    private static func describesBody(_ name: String) -> Bool {
        name.utf8.prefix(8).lazy.map(\.asciiLowercased).elementsEqual("content-".utf8)
            || ["Digest", "Last-Modified", "Trailer", "Transfer-Encoding"].contains {
                $0.caseInsensitiveEquals(name)
            }
    }
}
