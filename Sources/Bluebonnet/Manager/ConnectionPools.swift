import BluebonnetTransport
import Foundation

/// The connection pools of a manager's tasks: one for each identity, route and tunnel login in use.
///
/// After a change of identity, route, login or policy, no task uses a connection or a TLS session
/// that was established before the change.
final class ConnectionPools: Sendable {
    /// The identity, route and login of a pool; a nil route is the manager's route.
    private struct Purpose: Hashable {
        var identity: ClientIdentity?
        var route: Exchange.Route?
        var tunnelLogin: TunnelLogin?
    }

    private struct State {
        var identified: [ClientIdentity: Exchange.Pool] = [:]
        /// The pools for the routes of single calls and for tunnel logins, the most recently used
        /// last.
        var routed: [(purpose: Purpose, pool: Exchange.Pool)] = []
    }

    /// The maximum number of pools for the routes of single calls and for tunnel logins.
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

    /// Returns the pool for a request; `hasLeftOrigin` is true once a redirect has led to another
    /// origin, even if a later one led back.
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

    /// Returns the pool for a request that takes the manager's route.
    // A separate method, because a route is large and most requests have none.
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
        // The former pool is released outside the lock, because that closes its connections.
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

    /// Forgets which servers were refused, so that the hook is asked about them again.
    func forgetRefusals() {
        // All pools share the same decisions.
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
