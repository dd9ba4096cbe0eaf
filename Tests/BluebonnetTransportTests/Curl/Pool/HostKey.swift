@testable import BluebonnetTransport

/// Determines, for the pool, whether two URLs have the same host.
enum HostKey {
    static func of(_ url: String) -> String? { try? HostQueue.key(of: url) }
}
