public import Foundation
public import FoundationNetworking

/// A server's or proxy's request for user name and password (RFC 9110 section 11.3), or the question
/// whether a server is to be trusted.
///
/// The first stands for the strongest supported scheme of those that were offered: Digest with
/// SHA-256, with SHA-512-256, with MD5, then Basic. The second has ``serverTrust``, and is asked
/// before anything of the request is sent.
public struct AuthenticationChallenge: Sendable {
    /// The scheme that a credential will be used with.
    public let scheme: AuthenticationScheme
    /// Every scheme that the response offers, supported or not, in its order.
    public let offeredSchemes: [AuthenticationScheme]
    /// The name of what is protected; empty when Basic came without one, and for server trust.
    public let realm: String
    /// Whether a proxy asks, with status 407, and not the server.
    public let isProxy: Bool
    /// The host that asks: the server's, or the proxy's.
    public let host: String
    /// The port of that host.
    public let port: Int
    /// The URL of the request that was answered.
    public let url: URL
    /// How many credentials this task has had refused for this host and realm.
    public let previousFailureCount: Int
    /// Status and header fields of the response with the challenge, or of a proxy's refusal to open a
    /// tunnel; nil for server trust.
    public let head: ResponseHead?
    /// The credential that was refused last; nil when none has been sent.
    public let proposedCredential: URLCredential?
    /// What the server has presented, where the question is whether to trust it; else nil.
    public let serverTrust: ServerTrust?
    let originScheme: String

    /// Foundation's form of host, realm and scheme, made anew by each call.
    public var protectionSpace: URLProtectionSpace {
        guard serverTrust == nil else {
            // The constant's value; Foundation declares it unavailable on Linux.
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
    /// The question whether the server of a request is to be trusted.
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
    /// Who asks for what, in one line; the credential is not in it.
    public var description: String {
        if let serverTrust { return "server trust of \(host):\(port), \(serverTrust)" }
        return """
            \(scheme.name) challenge of \(isProxy ? "the proxy " : "")\(host):\(port), realm \
            \(realm.quoted), after \(previousFailureCount) failures
            """
    }

    /// Leaves out the credential, whose password `dump` would print.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
