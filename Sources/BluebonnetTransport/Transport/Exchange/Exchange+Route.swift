extension Exchange {
    /// The route of a pool's connections to a host.
    ///
    /// By default, connections go directly to the host, from an address that the system chooses.
    /// The environment is ignored. An invalid value fails every exchange of the pool with `.badURL`
    /// and a message that names the value.
    public struct Route: Sendable, Hashable {
        /// The proxy for `http` URLs, or nil for none.
        public var httpProxy: Proxy?
        /// The proxy for `https` URLs, through which tunnels are opened, or nil for none.
        public var httpsProxy: Proxy?
        /// The hosts that are reached without a proxy.
        ///
        /// Each entry is one of these:
        ///
        /// - A host name, which also matches its subdomains.
        /// - `*.` and a host name, which matches only the subdomains.
        /// - An address.
        /// - A network, such as `10.0.0.0/8`.
        /// - `*`, which matches all hosts.
        ///
        /// An entry that ends with `:` and a port, as in `a.example:8080` or `[::1]:80`, matches
        /// only that port.
        public var noProxy: [String] = []
        /// The path of a Unix socket to connect to instead of the URL's host, or nil for none.
        ///
        /// The URL still determines the scheme and the `Host` field. It cannot be combined with a
        /// proxy.
        public var unixSocketPath: String?
        /// The addresses to use for a host and port instead of looking them up.
        public var addressOverrides: [AddressOverride] = []
        /// The local end of connections, or nil to let the system choose.
        public var source: Source?

        /// Creates the direct route.
        public init() {}

        /// Creates a route through one proxy for both schemes.
        ///
        /// - Parameters:
        ///   - proxy: The proxy for `http` and `https` URLs.
        ///   - noProxy: The hosts that are reached without the proxy; see ``noProxy``. The default
        ///     is none.
        public init(proxy: Proxy, noProxy: [String] = []) {
            httpProxy = proxy
            httpsProxy = proxy
            self.noProxy = noProxy
        }
    }
}

extension Exchange.Route {
    /// The local end of connections.
    public enum Source: Sendable, Hashable {
        /// An address of this machine.
        case address(String)
        /// A network interface, such as `eth0`. The system can require a privilege for it.
        case interface(String)
    }

    /// The addresses of a host and port, used instead of a lookup.
    public struct AddressOverride: Sendable, Hashable {
        /// The host as in URLs: a name, or an address without brackets.
        public var host: String
        /// The port, 1 to 65,535.
        ///
        /// For URLs without one, it is 443 for `https` and 80 for `http`.
        public var port: Int
        /// The IPv4 and IPv6 addresses, which are tried like addresses from a lookup.
        ///
        /// One more is tried every quarter of a second, until one is connected.
        public var addresses: [String]

        /// Creates an override.
        public init(host: String, port: Int, addresses: [String]) {
            self.host = host
            self.port = port
            self.addresses = addresses
        }
    }
}
