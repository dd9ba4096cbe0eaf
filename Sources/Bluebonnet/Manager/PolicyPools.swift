import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The connection pools of a manager, separate for each of its security policies.
///
/// No exchange uses a connection, or resumes a TLS session, that was created under another policy.
/// An instance never changes. A task keeps the pools that its manager had when the task was
/// created.
final class PolicyPools: Sendable {
    /// A policy with its connection pools.
    private struct Rule: Sendable {
        let policy: SecurityPolicy
        let pools: ConnectionPools
        /// Whether the policy refuses no request before the exchange.
        let isOpen: Bool

        init(_ policy: SecurityPolicy, _ pools: ConnectionPools) {
            self.policy = policy
            self.pools = pools
            isOpen = policy.fault == nil && !policy.refusesPlainHTTP
        }
    }

    private let standard: Rule
    private let rules: [HostPattern: Rule]

    /// Creates pools, and reuses those of another value for policies that have not changed.
    init(
        policy: SecurityPolicy,
        hostPolicies: [HostPattern: SecurityPolicy],
        former: PolicyPools? = nil,
        makePools: (SecurityPolicy) -> ConnectionPools
    ) {
        var pools: [SecurityPolicy: ConnectionPools] = [:]
        for rule in former.map({ Array($0.rules.values) + [$0.standard] }) ?? [] {
            pools[rule.policy] = rule.pools
        }
        func rule(for policy: SecurityPolicy) -> Rule {
            let known = pools[policy] ?? makePools(policy)
            pools[policy] = known
            return Rule(policy, known)
        }
        standard = rule(for: policy)
        rules = hostPolicies.mapValues(rule)
    }

    /// Returns the pool for an exchange, by the host that libcurl connects to.
    ///
    /// A nil route selects the manager's route. A nil login selects the route's own login to a
    /// proxy that opens tunnels.
    func pool(
        for request: URLRequest, hasLeftOrigin: Bool, route: Exchange.Route?,
        tunnelLogin: TunnelLogin? = nil
    ) throws(BluebonnetError) -> Exchange.Pool {
        try pools(for: request).pool(
            for: request.url, hasLeftOrigin: hasLeftOrigin, route: route, tunnelLogin: tunnelLogin)
    }

    /// Returns the pool for an exchange that uses the manager's route.
    func pool(
        for request: URLRequest, hasLeftOrigin: Bool
    ) throws(BluebonnetError) -> Exchange.Pool {
        try pools(for: request).pool(for: request.url, hasLeftOrigin: hasLeftOrigin)
    }

    /// Discards decisions not to trust a server, so that the hook is asked again.
    func forgetRefusals() {
        for rule in [standard] + rules.values { rule.pools.forgetRefusals() }
    }

    /// Closes the connections that no exchange uses.
    func close() async {
        for rule in [standard] + rules.values { await rule.pools.close() }
    }

    /// Starts closing the connections that no exchange uses.
    func closeSoon() {
        for rule in [standard] + rules.values { rule.pools.closeSoon() }
    }

    private func pools(for request: URLRequest) throws(BluebonnetError) -> ConnectionPools {
        if rules.isEmpty, standard.isOpen { return standard.pools }
        let url = request.url?.absoluteString ?? ""
        let (pattern, rule) = try rule(for: url)
        guard !rule.isOpen else { return rule.pools }
        let name =
            pattern.map { "the security policy for \($0)" } ?? "the manager's security policy"
        if let fault = rule.policy.fault {
            throw .securityPolicy("\(name) is invalid: \(fault)", .init(request: request))
        }
        guard !url.lowercased().hasPrefix("http:") else {
            let mode = rule.policy.pinningMode.rawValue
            throw .securityPolicy(
                "\(name) pins (.\(mode)) and so refuses http, in which servers cannot prove their "
                    + "identity; use https",
                .init(request: request)
            )
        }
        return rule.pools
    }

    private func rule(for url: String) throws(BluebonnetError) -> (HostPattern?, Rule) {
        if let invalid = rules.keys.first(where: { !$0.isValid }) {
            throw .securityPolicy(
                """
                \(invalid.description.debugDescription) in securityPolicies is not a host pattern; \
                use example.com, *.example.com or an address, without scheme and port
                """,
                .init()
            )
        }
        guard !rules.isEmpty, let host = URLHost(of: url) else { return (nil, standard) }
        if case .name(let name) = host, !name.utf8.allSatisfy({ $0 < 0x80 }) {
            // libcurl connects to its own ASCII form of the name, which patterns are not compared
            // with.
            throw .securityPolicy(
                "no security policy can be chosen for a host that is not ASCII; use its xn-- form",
                .init()
            )
        }
        let matches = rules.compactMap { pattern, rule in
            pattern.specificity(for: host).map { (pattern, rule, $0) }
        }
        guard let (pattern, rule, _) = matches.max(by: { $0.2 < $1.2 }) else {
            return (nil, standard)
        }
        return (pattern, rule)
    }
}

extension SessionCore {
    /// Returns the pools for policies and identities.
    func makePools(
        _ policy: SecurityPolicy,
        _ hostPolicies: [HostPattern: SecurityPolicy],
        _ identities: ClientIdentities,
        former: PolicyPools? = nil
    ) -> PolicyPools {
        PolicyPools(policy: policy, hostPolicies: hostPolicies, former: former) {
            makePools($0, identities)
        }
    }
}
