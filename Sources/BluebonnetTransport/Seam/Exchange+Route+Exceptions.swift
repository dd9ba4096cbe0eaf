import Glibc

// Which hosts are reached without a proxy. libcurl is told the outcome, and not the list: what goes
// to a proxy, a credential above all, must not go to a host because two readers disagree.
extension Exchange.Route {
    /// The proxy that requests are sent to whole, and that answers for itself; nil where the URL is
    /// reached directly or through a tunnel.
    package func forwardingProxy(for url: String) -> Proxy? {
        guard let httpProxy, unixSocketPath == nil, httpProxy.scheme != .socks5h,
            !httpProxy.tunnelsPlainHTTP, url.prefix(7).lowercased() == "http://",
            !isException(url)
        else { return nil }
        return httpProxy
    }

    /// Whether requests for a URL go through a proxy, in whatever way.
    func hasProxy(for url: String) -> Bool {
        let isSecure = url.prefix(6).lowercased() == "https:"
        return (isSecure ? httpsProxy : httpProxy) != nil && !isException(url)
    }

    /// Whether ``noProxy`` names the host of a URL.
    func isException(_ url: String) -> Bool {
        guard !noProxy.isEmpty, let host = URLHost(of: url) else { return false }
        return noProxy.contains { $0 == "*" || host.isMeant(by: $0) }
    }
}

extension URLHost {
    /// Whether an entry of a list of hosts is this host, a domain above it, or its network.
    fileprivate func isMeant(by entry: String) -> Bool {
        switch self {
        case .name(let name):
            // With and without dots at its ends it is the same domain.
            let domain = entry.drop { $0 == "." }.lowercased()[...].trimmingLastDots
            return !domain.isEmpty && (name == domain || name.hasSuffix(".\(domain)"))
        case .address(let address):
            let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let network = parts.first.flatMap({ Self.address($0.withoutBrackets) }),
                network.count == address.count
            else { return false }
            guard parts.count == 2 else { return network == address }
            guard let length = Int(parts[1]), (0...address.count * 8).contains(length) else {
                return false
            }
            return Self.areEqual(network, address, bits: length)
        }
    }

    private static func areEqual(_ left: [UInt8], _ right: [UInt8], bits: Int) -> Bool {
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard left.prefix(whole) == right.prefix(whole) else { return false }
        return rest == 0 || (left[whole] ^ right[whole]) >> (8 - rest) == 0
    }
}
