public import Foundation
public import FoundationNetworking

/// A request for a user name and password, or for a decision about whether to trust a server.
///
/// A request for a user name and password (RFC 9110 section 11.3) comes from a server or a proxy.
/// It represents the strongest supported scheme among those offered. From strongest to weakest
/// these are Digest with SHA-256, Digest with SHA-512-256, Digest with MD5, and Basic.
///
/// A request for a trust decision has a ``serverTrust``. It is made before any part of the request
/// is sent.
public struct AuthenticationChallenge: Sendable {
    /// The scheme that a credential is used with.
    public let scheme: AuthenticationScheme
    /// All schemes that the response offers, supported or not, in the order of the response.
    public let offeredSchemes: [AuthenticationScheme]
    /// The name of the protected area, empty for server trust and for Basic without a realm.
    public let realm: String
    /// Whether the challenge comes from a proxy, with status 407, instead of the server.
    public let isProxy: Bool
    /// The host that sent the challenge, either the server or the proxy.
    public let host: String
    /// The port of that host.
    public let port: Int
    /// The URL of the request that was challenged.
    public let url: URL
    /// The number of this task's credentials that were refused for this host and realm.
    public let previousFailureCount: Int
    /// The status and header fields of the challenge, or nil for server trust.
    ///
    /// They are those of the response, or of a proxy's refusal to open a tunnel.
    public let head: ResponseHead?
    /// The credential that was refused last, or nil if none was sent.
    public let proposedCredential: URLCredential?
    /// The certificates to decide about, or nil if the challenge is not about server trust.
    public let serverTrust: ServerTrust?
    let originScheme: String

    /// The host, realm and scheme as a Foundation object, created on each access.
    public var protectionSpace: URLProtectionSpace {
        guard serverTrust == nil else {
            // The value of the constant, which Foundation declares unavailable on Linux.
            return URLProtectionSpace(
                host: host, port: port, protocol: originScheme, realm: nil,
                authenticationMethod: "NSURLAuthenticationMethodServerTrust"
            )
        }
        let method =
            scheme == .digest
            ? NSURLAuthenticationMethodHTTPDigest : NSURLAuthenticationMethodHTTPBasic
        guard isProxy else {
            return URLProtectionSpace(
                host: host, port: port, protocol: originScheme, realm: realm,
                authenticationMethod: method
            )
        }
        return URLProtectionSpace(
            proxyHost: host, port: port,
            type: originScheme == "https"
                ? NSURLProtectionSpaceHTTPSProxy : NSURLProtectionSpaceHTTPProxy,
            realm: realm, authenticationMethod: method
        )
    }
}

extension AuthenticationChallenge {
    /// Creates a challenge about trusting the server of a request.
    init?(_ serverTrust: ServerTrust, of request: URLRequest) {
        guard let url = request.url?.absoluteURL, let host = url.host else { return nil }
        self.init(
            scheme: .serverTrust, offeredSchemes: [], realm: "", isProxy: false, host: host,
            port: url.port ?? 443, url: url, previousFailureCount: 0, head: nil,
            proposedCredential: nil, serverTrust: serverTrust,
            originScheme: url.scheme?.lowercased() ?? "https"
        )
    }
}

extension AuthenticationChallenge: CustomStringConvertible, CustomReflectable {
    /// A one-line description of the challenge, without the credential.
    public var description: String {
        if let serverTrust { return "server trust of \(host):\(port), \(serverTrust)" }
        return """
            \(scheme.name) challenge from \(isProxy ? "the proxy " : "")\(host):\(port), realm \
            \(realm.quoted), after \(previousFailureCount) failures
            """
    }

    /// A mirror without the credential, whose password `dump` would print.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
