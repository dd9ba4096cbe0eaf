import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The connections of a manager: pools of their own for each of its security policies, so that no
/// exchange rides on a connection, or resumes a TLS session, that was made under another.
///
/// It never changes: tasks keep the one that was the manager's when they were made.
final class PolicyPools: Sendable {
    /// A policy at work.
    private struct Rule: Sendable {
        let policy: SecurityPolicy
        let pools: ConnectionPools
        /// Whether there is nothing to refuse before the exchange.
        let isOpen: Bool

        init(_ policy: SecurityPolicy, _ pools: ConnectionPools) {
            self.policy = policy
            self.pools = pools
            isOpen = policy.fault == nil && !policy.refusesPlainHTTP
        }
    }

    private let standard: Rule
    private let rules: [HostPattern: Rule]

    /// Makes pools, or takes those of another set for policies that have not changed.
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

    /// The pool for an exchange, by the host that libcurl will connect to; nil for the manager's route,
    /// and for the route's own login to a proxy that opens tunnels.
    func pool(
        for request: URLRequest, hasLeftOrigin: Bool, route: Exchange.Route?,
        tunnelLogin: TunnelLogin? = nil
    ) throws(BluebonnetError) -> Exchange.Pool {
        try pools(for: request).pool(
            for: request.url, hasLeftOrigin: hasLeftOrigin, route: route, tunnelLogin: tunnelLogin)
    }

    /// The pool for an exchange that takes the manager's route.
    func pool(
        for request: URLRequest, hasLeftOrigin: Bool
    ) throws(BluebonnetError) -> Exchange.Pool {
        try pools(for: request).pool(for: request.url, hasLeftOrigin: hasLeftOrigin)
    }

    /// Has servers that are not trusted asked about once more.
    func forgetRefusals() {
        for rule in [standard] + rules.values { rule.pools.forgetRefusals() }
    }

    /// Closes the connections that no exchange uses.
    func close() async {
        for rule in [standard] + rules.values { await rule.pools.close() }
    }

    /// Begins to close the unused connections.
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
            throw .securityPolicy("\(name) cannot be followed: \(fault)", .init(request: request))
        }
        guard !url.lowercased().hasPrefix("http:") else {
            let mode = rule.policy.pinningMode.rawValue
            throw .securityPolicy(
                "\(name) pins (.\(mode)) and so refuses http, where no server can prove who it is; "
                    + "use https",
                .init(request: request)
            )
        }
        return rule.pools
    }

    private func rule(for url: String) throws(BluebonnetError) -> (HostPattern?, Rule) {
        if let invalid = rules.keys.first(where: { !$0.isValid }) {
            throw .securityPolicy(
                """
                \(invalid.description.debugDescription) in securityPolicies is no host pattern; \
                write example.com, *.example.com or an address, without scheme and port
                """,
                .init()
            )
        }
        guard !rules.isEmpty, let host = URLHost(of: url) else { return (nil, standard) }
        if case .name(let name) = host, !name.utf8.allSatisfy({ $0 < 0x80 }) {
            // libcurl would connect to what it makes of the name, which no pattern is for.
            throw .securityPolicy(
                "which policy is the host's cannot be told: it is not ASCII; use its xn-- form",
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
    /// The pools for these policies and identities.
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
