import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The parts of a request that its authentication depends on.
struct AuthenticatedRequest: Sendable {
    /// The parts of the request line of an exchange.
    struct Line: Sendable, Hashable {
        let method: String
        /// The request target as it is sent (RFC 9110 section 7.1).
        let target: String
    }

    /// The body, which `auth-int` hashes.
    enum Body: Sendable {
        case none
        case data(Data)
        /// A stream or file, which is not read only to be hashed.
        case notInMemory
    }

    let url: URL
    let origin: AuthenticationOrigin
    /// The URL's path, which decides whether a cached credential applies.
    let path: String
    private let line: Line
    private let body: Body
    /// The proxy that the request goes through, or nil if no proxy accepts credentials.
    let proxy: AuthenticationOrigin?
    /// The target of the tunnel that the proxy opens, or nil if the proxy forwards the request.
    let tunnelTarget: String?
    /// Whether the caller set an `Authorization` field, which no cached credential replaces.
    let hasOwnAuthorization: Bool

    /// Creates the description of a request, or returns nil if its URL has no host.
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
        // A forwarding proxy receives the whole URL (RFC 9112 section 3.2.2).
        line = Line(
            method: method,
            target: proxy == nil || tunnelTarget != nil
                ? originForm : RequestTarget.absoluteForm(of: absolute)
        )
    }

    /// Returns the request line that a party receives.
    func line(for party: AuthenticationParty) -> Line {
        guard party == .proxy, let tunnelTarget else { return line }
        return Line(method: "CONNECT", target: tunnelTarget)
    }

    /// Returns the body that a party receives, which is empty in a request for a tunnel.
    func body(for party: AuthenticationParty) -> Body {
        party == .proxy && tunnelTarget != nil ? .none : body
    }

    /// Returns whether the head of the response can contain the fields of a party.
    ///
    /// A proxy that has opened a tunnel adds no fields to the responses that come through it.
    func isHeard(_ party: AuthenticationParty) -> Bool {
        party == .server || (proxy != nil && tunnelTarget == nil)
    }

    /// Returns the origin of a party, or nil for a proxy if there is none.
    func origin(of party: AuthenticationParty) -> AuthenticationOrigin? {
        party == .server ? origin : proxy
    }

    /// Returns the protection space of a party's challenge, or nil for a proxy if there is none.
    func space(of party: AuthenticationParty, realm: String) -> ProtectionSpaceKey? {
        origin(of: party).map { ProtectionSpaceKey(party: party, origin: $0, realm: realm) }
    }
}
