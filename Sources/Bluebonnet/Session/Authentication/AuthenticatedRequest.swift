import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What of a request its authentication depends on.
struct AuthenticatedRequest: Sendable {
    /// What the request line of an exchange says.
    struct Line: Sendable, Hashable {
        let method: String
        /// The request target as it is sent (RFC 9110 section 7.1).
        let target: String
    }

    /// The body, of which `auth-int` takes a hash.
    enum Body: Sendable {
        case none
        case data(Data)
        /// A stream or file, which is not read only to be hashed.
        case notInMemory
    }

    /// The proxy that the exchange goes through.
    struct Proxy: Sendable {
        let origin: AuthenticationOrigin
        /// Whether the request goes through a tunnel, so that only CONNECT is the proxy's.
        let isTunnel: Bool
    }

    let url: URL
    let origin: AuthenticationOrigin
    /// The URL's path, by which a credential's reach is judged.
    let path: String
    let line: Line
    let body: Body
    let proxy: Proxy?
    /// Whether the caller set an `Authorization` field, which nothing replaces unasked.
    let hasOwnAuthorization: Bool

    /// Makes the description of a request; nil when its URL has no host.
    init?(
        url: URL,
        method: String,
        body: Body = .none,
        proxy: Proxy? = nil,
        hasOwnAuthorization: Bool = false
    ) {
        guard let origin = AuthenticationOrigin(url) else { return nil }
        self.url = url
        self.origin = origin
        self.body = body
        self.proxy = proxy
        self.hasOwnAuthorization = hasOwnAuthorization
        let absolute = url.absoluteString
        let originForm = RequestTarget.originForm(of: absolute)
        path = RequestTarget.path(of: originForm)
        // A proxy that forwards is sent the whole URL (RFC 9112 section 3.2.2).
        let isForwarded = proxy.map { !$0.isTunnel } ?? false
        line = Line(
            method: method,
            target: isForwarded ? RequestTarget.absoluteForm(of: absolute) : originForm
        )
    }

    /// The origin that a party answers for; nil for a proxy where there is none.
    func origin(of party: AuthenticationParty) -> AuthenticationOrigin? {
        party == .server ? origin : proxy?.origin
    }

    /// What a party's challenge is about; nil for a proxy where there is none.
    func space(of party: AuthenticationParty, realm: String) -> ProtectionSpaceKey? {
        origin(of: party).map { ProtectionSpaceKey(party: party, origin: $0, realm: realm) }
    }

    /// The request line that a party sees.
    func line(for party: AuthenticationParty) -> Line {
        guard party == .proxy, proxy?.isTunnel == true else { return line }
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return Line(method: "CONNECT", target: "\(host):\(origin.port)")
    }

    /// The body that a party sees.
    func body(for party: AuthenticationParty) -> Body {
        party == .proxy && proxy?.isTunnel == true ? .none : body
    }
}
