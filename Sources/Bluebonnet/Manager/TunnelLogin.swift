import Foundation
import FoundationNetworking

/// A login to a tunneling proxy, in place of the login of its route.
///
/// A proxy knows each tunnel by the login that opened it, so no other login can use the tunnel.
struct TunnelLogin: Hashable {
    private let user: String?
    private let password: String?

    init(_ credential: URLCredential) {
        (user, password) = (credential.user, credential.password)
    }
}

extension TunnelLogin: CustomStringConvertible, CustomReflectable {
    /// A text without secrets.
    var description: String { "a login for a tunnel" }

    /// An empty mirror, because the properties are secret.
    var customMirror: Mirror { Mirror(self, children: []) }
}
