public import Foundation
public import FoundationNetworking

/// A server's or proxy's request for user name and password (RFC 9110 section 11.3).
///
/// It stands for the strongest supported scheme of those that were offered: Digest with SHA-256,
/// with SHA-512-256, with MD5, then Basic.
public struct AuthenticationChallenge: Sendable {
    /// The scheme that a credential will be used with.
    public let scheme: AuthenticationScheme
    /// Every scheme that the response offers, supported or not, in its order.
    public let offeredSchemes: [AuthenticationScheme]
    /// The name of what is protected; empty when Basic came without one.
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
    /// Status and header fields of the response with the challenge.
    public let head: ResponseHead
    /// The credential that was refused last; nil when none has been sent.
    public let proposedCredential: URLCredential?
    let originScheme: String

    /// Foundation's form of host, realm and scheme, made anew by each call.
    public var protectionSpace: URLProtectionSpace {
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

extension AuthenticationChallenge: CustomStringConvertible, CustomReflectable {
    /// Who asks for what, in one line; the credential is not in it.
    public var description: String {
        """
        \(scheme.name) challenge of \(isProxy ? "the proxy " : "")\(host):\(port), realm \
        \(realm.quoted), after \(previousFailureCount) failures
        """
    }

    /// Leaves out the credential, whose password `dump` would print.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
