import Foundation
import FoundationNetworking

/// The scheme, host and port that a credential is limited to (RFC 9110 section 11.5).
struct AuthenticationOrigin: Sendable, Hashable {
    let scheme: String
    let host: String
    let port: Int

    init(scheme: String, host: String, port: Int?) {
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port ?? (self.scheme == "https" ? 443 : 80)
    }

    init?(_ url: URL) {
        guard let scheme = url.scheme, let host = url.host, !host.isEmpty else { return nil }
        self.init(scheme: scheme, host: host, port: url.port)
    }
}
