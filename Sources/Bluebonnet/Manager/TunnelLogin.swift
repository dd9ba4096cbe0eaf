import Foundation
import FoundationNetworking

/// A login to a proxy that opens tunnels, in place of its route's own.
///
/// A proxy knows each of its tunnels by the login that opened it, so no other may use it.
struct TunnelLogin: Hashable {
    private let user: String?
    private let password: String?

    init(_ credential: URLCredential) {
        (user, password) = (credential.user, credential.password)
    }
}

extension TunnelLogin: CustomStringConvertible, CustomReflectable {
    /// Nothing that is secret.
    var description: String { "a login for a tunnel" }

    /// Nothing that is secret.
    var customMirror: Mirror { Mirror(self, children: []) }
}
