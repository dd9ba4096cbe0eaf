@testable import BluebonnetTransport

/// What decides, for the pool, whether two URLs are of one host.
enum HostKey {
    static func of(_ url: String) -> String? { try? HostQueue.key(of: url) }
}
