extension Exchange {
    /// The way that a pool's connections take to a host.
    ///
    /// It begins as the direct way, from whatever address the system chooses, and whatever the
    /// environment says. A value that cannot be used fails every exchange of the pool with
    /// `.badURL` and a message that says which it is.
    public struct Route: Sendable, Hashable {
        /// The proxy for `http` URLs; nil for none.
        public var httpProxy: Proxy?
        /// The proxy for `https` URLs, through which a tunnel is opened; nil for none.
        public var httpsProxy: Proxy?
        /// Hosts that are reached without a proxy.
        ///
        /// Each is a host name, which stands for the names under it too, `*.` and a name, which stands
        /// for those under it alone, an address, or a network such as `10.0.0.0/8`; a single `*` stands
        /// for all. `:` and a port behind it, as in `a.example:8080` or `[::1]:80`, is for that port
        /// alone.
        public var noProxy: [String] = []
        /// A socket in the file system to connect to in place of the URL's host; nil for none.
        ///
        /// The URL still decides over the scheme and the `Host` field. There can be no proxy.
        public var unixSocketPath: String?
        /// Addresses to use for a host and port in place of those that the system would look up.
        public var addressOverrides: [AddressOverride] = []
        /// Where connections come from; nil for the system's choice.
        public var source: Source?

        /// Makes the direct route.
        public init() {}

        /// Makes a route through one proxy for both schemes.
        public init(proxy: Proxy, noProxy: [String] = []) {
            httpProxy = proxy
            httpsProxy = proxy
            self.noProxy = noProxy
        }
    }
}

extension Exchange.Route {
    /// Where connections come from.
    public enum Source: Sendable, Hashable {
        /// From an address of this machine.
        case address(String)
        /// From a network interface, such as `eth0`; the system may ask for a privilege.
        case interface(String)
    }

    /// The addresses that a host and port have for a pool, without a look-up.
    public struct AddressOverride: Sendable, Hashable {
        /// The host as it is in URLs: a name, or an address without brackets.
        public var host: String
        /// The port, 1 to 65,535; 443 for `https` and 80 for `http` where a URL has none.
        public var port: Int
        /// IPv4 and IPv6 addresses, which are tried as though they had been looked up: one every
        /// quarter of a second, until one of them is connected.
        public var addresses: [String]

        /// Makes an override.
        public init(host: String, port: Int, addresses: [String]) {
            self.host = host
            self.port = port
            self.addresses = addresses
        }
    }
}
