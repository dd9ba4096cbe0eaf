import BluebonnetTransport
import Foundation

/// The connections of a manager's tasks, which are as many pools as there are identities in use.
///
/// Another identity, or a policy that changes, never meets a connection, or a TLS session, that was
/// made under the one before.
final class ConnectionPools: Sendable {
    private let identities: ClientIdentities
    private let make: @Sendable (ClientIdentity?) -> Exchange.Pool
    private let anonymous: Exchange.Pool
    private let identified = Locked<[ClientIdentity: Exchange.Pool]>([:])

    init(
        _ identities: ClientIdentities,
        make: @escaping @Sendable (ClientIdentity?) -> Exchange.Pool
    ) {
        self.identities = identities
        self.make = make
        anonymous = make(nil)
    }

    /// The connections for a request; `hasLeftOrigin` when a redirect led to another origin, or back.
    func pool(for url: @autoclosure () -> URL?, hasLeftOrigin: Bool) -> Exchange.Pool {
        guard !identities.isEmpty, let url = url(), url.scheme?.lowercased() == "https",
            let host = URLHost(of: url.absoluteString),
            let identity = identities.identity(for: host, hasLeftOrigin: hasLeftOrigin)
        else { return anonymous }
        return identified.withLock { pools in
            if let pool = pools[identity] { return pool }
            let pool = make(identity)
            pools[identity] = pool
            return pool
        }
    }

    /// Has servers that are not trusted asked about once more.
    func forgetRefusals() {
        // All pools have it in common.
        anonymous.decisions?.forgetRefusals()
    }

    func close() async {
        for pool in [anonymous] + identified.withLock({ Array($0.values) }) { await pool.close() }
    }
}
