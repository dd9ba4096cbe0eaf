import Foundation
import FoundationNetworking

extension AddressGuard {
    /// Returns the rule that denies an address, or nil if connections to it are allowed.
    func rule(against address: IPAddress) -> Rule? {
        if let rule = ownRule(against: address) { return rule }
        let (first, second) = address.embedded
        return first.flatMap(ownRule) ?? second.flatMap(ownRule)
    }

    /// Returns the rule that denies an address, without regard to the addresses that it contains.
    private func ownRule(against address: IPAddress) -> Rule? {
        if deniedRanges.contains(where: { $0.contains(address) }) { return .deniedRange }
        guard let rule = SpecialAddresses.rule(against: address) else { return nil }
        let isAllowed = allowedRanges.contains { range in
            range.contains(address) && (rule != .metadata || range.isSingleAddress)
        }
        return isAllowed ? nil : rule
    }

    /// Throws if a URL is denied, as far as that can be determined without a connection.
    ///
    /// The session calls this for every transport. libcurl's transport calls it too, because it can
    /// be used without a session.
    package func check(_ url: String, on route: Exchange.Route) throws(Exchange.Failure) {
        guard let authority = URLAuthority(of: url) else {
            throw Exchange.Failure(.badURL, message: "libcurl does not accept the URL")
        }
        let host = authority.host
        var denial = Denial(
            rule: .reserved, host: authority.hostText, port: authority.port, address: nil)
        if let rule = rule(against: authority, host) ?? rule(against: route, for: url) {
            denial.rule = rule
            throw denial.failure
        }
        guard let address = host.ipAddress, let rule = rule(against: address) else { return }
        denial.rule = rule
        denial.address = address.description
        throw denial.failure
    }

    private func rule(against authority: URLAuthority, _ host: URLHost) -> Rule? {
        guard let scheme = Scheme(rawValue: authority.scheme), allowedSchemes.contains(scheme)
        else { return .schemeNotAllowed }
        guard deniedHosts.allSatisfy(\.isValid), allowedHosts?.allSatisfy(\.isValid) != false else {
            return .invalidPattern
        }
        if deniedPorts.contains(authority.port) { return .deniedPort }
        if let allowedPorts, !allowedPorts.contains(authority.port) { return .portNotAllowed }
        if deniedHosts.contains(where: { $0.matches(host) }) { return .deniedHost }
        guard let allowedHosts else { return nil }
        return allowedHosts.contains { $0.matches(host) } ? nil : .hostNotAllowed
    }

    private func rule(against route: Exchange.Route, for url: String) -> Rule? {
        if !allowsUnixSockets, route.unixSocketPath != nil { return .unixSocket }
        return !allowsProxies && route.hasProxy(for: url) ? .proxy : nil
    }
}
