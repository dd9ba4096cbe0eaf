import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The policy that decides which request, if any, follows a response (RFC 9110 section 15.4).
struct RedirectPolicy {
    enum Decision {
        /// The response is not a redirect or has no `Location`, so the task receives it.
        case deliver
        case follow(URLRequest)
        case refuse(String)
    }

    let configuration: SessionConfiguration
    /// The span of the attempt, whose fields are bound to its origin.
    var span: OpenSpan?

    /// Returns whether the response is a redirect with a `Location`.
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
                "more than \(maximum) redirects in a row; raise maximumRedirects if the server "
                    + "is expected to send that many"
            )
        }
        // Uses the received bytes: those that are not UTF-8 would not survive a conversion to text.
        let bytes = head.exchangeHead.block.firstBytes(of: "Location") ?? Array(location.utf8)
        guard let url = URL(reference: bytes, relativeTo: head.url),
            let scheme = url.scheme?.lowercased()
        else {
            return .refuse("its Location is not a URL: \(location.withoutURLSecrets.quoted)")
        }
        guard scheme == "https" || scheme == "http" else {
            return .refuse("it leads to the scheme \"\(scheme)\", which is not supported")
        }
        guard
            scheme == "https" || head.url.scheme?.lowercased() != "https"
                || configuration.followsRedirectsToPlainHTTP
        else {
            return .refuse(
                "it leads from https to http; set followsRedirectsToPlainHTTP to allow that")
        }
        if let fault = URLFault(of: url, url.absoluteString) {
            return .refuse(fault.reason(for: url.absoluteString))
        }
        let place = Self.withFragment(of: head.url, url)
        return .follow(
            self.request(request, to: place, status: head.statusCode, from: head.url)
        )
    }

    /// Returns the URL with the fragment of the original URL, unless it has its own (RFC 9110
    /// section 10.2.2).
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

    /// Returns the request to send after a hook has answered a proposed request.
    ///
    /// If the hook chose another origin, the proposal's fields for its own origin are removed.
    /// Fields that the hook itself set are kept.
    func request(_ answer: URLRequest, insteadOf proposed: URLRequest) -> URLRequest {
        guard !answer.hasSameOrigin(as: proposed) else { return answer }
        var next = answer
        next.removeFields { name, value in
            originFields.contains(name) && proposed.value(forHTTPHeaderField: name) == value
        }
        return next
    }

    private var originFields: OriginBoundFields {
        OriginBoundFields(configuration, span: span)
    }

    /// Returns whether a field describes the body and is removed with it (RFC 9110 section 15.4).
    private static func describesBody(_ name: String) -> Bool {
        name.utf8.prefix(8).lazy.map(\.asciiLowercased).elementsEqual("content-".utf8)
            || ["Digest", "Last-Modified", "Trailer", "Transfer-Encoding"].contains {
                $0.caseInsensitiveEquals(name)
            }
    }
}
