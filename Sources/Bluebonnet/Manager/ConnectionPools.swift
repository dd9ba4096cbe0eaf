import BluebonnetTransport
import Foundation

/// The connections of a manager's tasks, which are as many pools as there are identities, routes and
/// logins for tunnels in use.
///
/// Another identity, route or login, or a policy that changes, never meets a connection, or a TLS session,
/// that was made under the one before.
final class ConnectionPools: Sendable {
    /// What a pool is for; nil for the manager's route.
    private struct Purpose: Hashable {
        var identity: ClientIdentity?
        var route: Exchange.Route?
        var tunnelLogin: TunnelLogin?
    }

    private struct State {
        var identified: [ClientIdentity: Exchange.Pool] = [:]
        /// Those of the routes of single calls and of logins for tunnels, the one that was used last at
        /// the end.
        var routed: [(purpose: Purpose, pool: Exchange.Pool)] = []
    }

    /// How many of the routes of single calls and of logins for tunnels keep their connections.
    private static let maximumRouteCount = 32

    private let identities: ClientIdentities
    private let make: @Sendable (ClientIdentity?, Exchange.Route?) -> Exchange.Pool
    private let anonymous: Exchange.Pool
    private let state = Locked(State())

    init(
        _ identities: ClientIdentities,
        make: @escaping @Sendable (ClientIdentity?, Exchange.Route?) -> Exchange.Pool
    ) {
        self.identities = identities
        self.make = make
        anonymous = make(nil, nil)
    }

    /// The connections for a request; `hasLeftOrigin` when a redirect led to another origin, or back.
    func pool(
        for url: @autoclosure () -> URL?, hasLeftOrigin: Bool, route: Exchange.Route?,
        tunnelLogin: TunnelLogin? = nil
    ) -> Exchange.Pool {
        guard route != nil || tunnelLogin != nil else {
            return pool(for: url(), hasLeftOrigin: hasLeftOrigin)
        }
        return pool(
            for: Purpose(
                identity: identity(for: url(), hasLeftOrigin), route: route,
                tunnelLogin: tunnelLogin))
    }

    /// The connections for a request that takes the manager's route.
    // Of its own since a route is large, and most requests bring none.
    func pool(for url: @autoclosure () -> URL?, hasLeftOrigin: Bool) -> Exchange.Pool {
        guard let identity = identity(for: url(), hasLeftOrigin) else { return anonymous }
        return state.withLock { state in
            if let pool = state.identified[identity] { return pool }
            let pool = make(identity, nil)
            state.identified[identity] = pool
            return pool
        }
    }

    private func identity(
        for url: @autoclosure () -> URL?, _ hasLeftOrigin: Bool
    ) -> ClientIdentity? {
        guard !identities.isEmpty, let url = url(), url.scheme?.lowercased() == "https",
            let host = URLHost(of: url.absoluteString)
        else { return nil }
        return identities.identity(for: host, hasLeftOrigin: hasLeftOrigin)
    }

    private func pool(for purpose: Purpose) -> Exchange.Pool {
        // Let go outside of the lock, since that closes its connections.
        let (pool, _) = state.withLock { state -> (Exchange.Pool, Exchange.Pool?) in
            if let index = state.routed.lastIndex(where: { $0.purpose == purpose }) {
                let known = state.routed.remove(at: index)
                state.routed.append(known)
                return (known.pool, nil)
            }
            let pool = make(purpose.identity, purpose.route)
            let isFull = state.routed.count == Self.maximumRouteCount
            let former = isFull ? state.routed.removeFirst().pool : nil
            state.routed.append((purpose, pool))
            return (pool, former)
        }
        return pool
    }

    /// Has servers that are not trusted asked about once more.
    func forgetRefusals() {
        // All pools have it in common.
        anonymous.decisions?.forgetRefusals()
    }

    func close() async {
        for pool in all { await pool.close() }
    }

    func closeSoon() {
        for pool in all { pool.closeSoon() }
    }

    private var all: [Exchange.Pool] {
        [anonymous] + state.withLock { Array($0.identified.values) + $0.routed.map(\.pool) }
    }
}
