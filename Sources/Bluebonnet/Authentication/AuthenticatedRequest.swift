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

    let url: URL
    let origin: AuthenticationOrigin
    /// The URL's path, by which a credential's reach is judged.
    let path: String
    private let line: Line
    private let body: Body
    /// The proxy that the request goes through; nil where there is none that takes credentials.
    let proxy: AuthenticationOrigin?
    /// What that proxy is asked to open a tunnel to; nil where it forwards the request.
    let tunnelTarget: String?
    /// Whether the caller set an `Authorization` field, which nothing replaces unasked.
    let hasOwnAuthorization: Bool

    /// Makes the description of a request; nil when its URL has no host.
    init?(
        url: URL,
        method: String,
        body: Body = .none,
        proxy: AuthenticationOrigin? = nil,
        tunnelTarget: String? = nil,
        hasOwnAuthorization: Bool = false
    ) {
        guard let origin = AuthenticationOrigin(url) else { return nil }
        self.url = url
        self.origin = origin
        self.body = body
        self.proxy = proxy
        self.tunnelTarget = tunnelTarget
        self.hasOwnAuthorization = hasOwnAuthorization
        let absolute = url.absoluteString
        let originForm = RequestTarget.originForm(of: absolute)
        path = RequestTarget.path(of: originForm)
        // A proxy that forwards is sent the whole URL (RFC 9112 section 3.2.2).
        line = Line(
            method: method,
            target: proxy == nil || tunnelTarget != nil
                ? originForm : RequestTarget.absoluteForm(of: absolute)
        )
    }

    /// The request line that a party sees.
    func line(for party: AuthenticationParty) -> Line {
        guard party == .proxy, let tunnelTarget else { return line }
        return Line(method: "CONNECT", target: tunnelTarget)
    }

    /// The body that a party sees; a request for a tunnel has none.
    func body(for party: AuthenticationParty) -> Body {
        party == .proxy && tunnelTarget != nil ? .none : body
    }

    /// Whether a party's words are in the head of the response: a proxy that opens tunnels is heard no
    /// more behind one.
    func isHeard(_ party: AuthenticationParty) -> Bool {
        party == .server || (proxy != nil && tunnelTarget == nil)
    }

    /// The origin that a party answers for; nil for a proxy where there is none.
    func origin(of party: AuthenticationParty) -> AuthenticationOrigin? {
        party == .server ? origin : proxy
    }

    /// What a party's challenge is about; nil for a proxy where there is none.
    func space(of party: AuthenticationParty, realm: String) -> ProtectionSpaceKey? {
        origin(of: party).map { ProtectionSpaceKey(party: party, origin: $0, realm: realm) }
    }
}
