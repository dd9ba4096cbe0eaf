// Decides which hosts are reached without a proxy. libcurl gets the result rather than the list: if
// two parsers disagreed about it, a credential for the proxy could be sent to a host.
extension Exchange.Route {
    /// Returns the proxy that forwards the requests for a URL, and can answer them itself.
    ///
    /// Returns nil if the URL is reached directly or through a tunnel.
    package func forwardingProxy(for url: String) -> Proxy? {
        guard let httpProxy, unixSocketPath == nil, httpProxy.scheme != .socks5h,
            !httpProxy.tunnelsPlainHTTP, url.prefix(7).lowercased() == "http://",
            !isException(url)
        else { return nil }
        return httpProxy
    }

    /// Returns the proxy that opens a tunnel to the URL's host (RFC 9110 section 9.3.6).
    ///
    /// Returns nil if the host is reached in another way.
    package func tunnelingProxy(for url: String) -> Proxy? {
        let isSecure = url.prefix(6).lowercased() == "https:"
        guard let proxy = isSecure ? httpsProxy : httpProxy, unixSocketPath == nil,
            proxy.scheme != .socks5h, isSecure || proxy.tunnelsPlainHTTP, !isException(url)
        else { return nil }
        return proxy
    }

    /// Returns whether requests for a URL go through a proxy of any kind.
    func hasProxy(for url: String) -> Bool {
        let isSecure = url.prefix(6).lowercased() == "https:"
        return (isSecure ? httpsProxy : httpProxy) != nil && !isException(url)
    }

    /// Returns whether ``noProxy`` matches the host and port of a URL.
    func isException(_ url: String) -> Bool {
        guard !noProxy.isEmpty, let authority = URLAuthority(of: url) else { return false }
        let host = authority.host
        return noProxy.contains { entry in
            ProxyException(entry)?.contains(host, port: authority.port) ?? false
        }
    }
}

/// The hosts and the port that an entry of ``Exchange/Route/noProxy`` matches.
struct ProxyException {
    private enum Hosts {
        case all
        /// A domain and its subdomains.
        case domain(String)
        /// Only the subdomains of a domain.
        case below(String)
        /// The addresses that share a number of first bits with this one.
        case network([UInt8], bits: Int)
    }

    private let hosts: Hosts
    /// The port, or nil for every port.
    private let port: Int?

    /// Creates an exception, or returns nil if the entry is invalid.
    init?(_ entry: String) {
        guard let (text, port) = Self.parts(of: entry), let hosts = Self.hosts(text) else {
            return nil
        }
        (self.hosts, self.port) = (hosts, port)
    }

    func contains(_ host: URLHost, port: Int) -> Bool {
        guard self.port == nil || self.port == port else { return false }
        switch (hosts, host) {
        case (.all, _): return true
        case (.domain(let domain), .name(let name)):
            return name == domain || name.hasSuffix(".\(domain)")
        case (.below(let domain), .name(let name)): return name.hasSuffix(".\(domain)")
        case (.network(let network, let bits), .address(let address)):
            return network.count == address.count && Self.areEqual(network, address, bits: bits)
        default: return false
        }
    }

    /// Returns the host, and the port if there is one, or nil if the port is invalid.
    ///
    /// An entry with more than one colon is an IPv6 address, with a port only after brackets.
    private static func parts(of entry: String) -> (host: Substring, port: Int?)? {
        let colons = entry.utf8.count { $0 == UInt8(ascii: ":") }
        guard let colon = entry.lastIndex(of: ":"), colons == 1 || entry[..<colon].hasSuffix("]")
        else { return (entry[...], nil) }
        let digits = entry[entry.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
            (1...65_535).contains(port)
        else { return nil }
        return (entry[..<colon], port)
    }

    private static func hosts(_ text: Substring) -> Hosts? {
        if text == "*" { return .all }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if let address = parts.first.flatMap({ URLHost.address($0.withoutBrackets) }) {
            guard parts.count == 2 else { return .network(address, bits: address.count * 8) }
            guard let bits = Int(parts[1]), (0...address.count * 8).contains(bits) else {
                return nil
            }
            return .network(address, bits: bits)
        }
        let isWildcard = text.hasPrefix("*.")
        // Dots at both ends do not change the domain.
        let domain = (isWildcard ? text.dropFirst(2) : text.drop { $0 == "." }).lowercased()[...]
            .trimmingLastDots
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        // A host that ends in a number is an address, but in a form that is not accepted here.
        guard labels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isNameByte) }),
            labels.last?.utf8.allSatisfy({ (0x30...0x39).contains($0) }) == false
        else { return nil }
        return isWildcard ? .below(String(domain)) : .domain(String(domain))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private static func areEqual(_ left: [UInt8], _ right: [UInt8], bits: Int) -> Bool {
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard left.prefix(whole) == right.prefix(whole) else { return false }
        return rest == 0 || (left[whole] ^ right[whole]) >> (8 - rest) == 0
    }
}
