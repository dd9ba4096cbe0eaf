extension Exchange.Route {
    /// A proxy through which connections are opened.
    ///
    /// Its user name and password never appear in a message or a description.
    public struct Proxy: Sendable, Hashable {
        /// The protocol of a proxy.
        public enum Scheme: String, Sendable, Hashable {
            /// HTTP. The proxy forwards requests for `http` URLs, and opens tunnels for others.
            case http
            /// HTTP over TLS. The certificate of the proxy is always verified.
            case https
            /// SOCKS 5, where the proxy looks up the host's name (RFC 1928).
            case socks5h
        }

        /// The protocol of the proxy.
        public var scheme: Scheme
        /// The name or address of the proxy, with an IPv6 address without brackets.
        public var host: String
        /// The port of the proxy, 1 to 65,535.
        public var port: Int
        /// The user name to log in with, or nil for no login.
        ///
        /// An HTTP proxy gets it with Basic authentication (RFC 7617), in every request that it
        /// forwards and in every request for a tunnel. The host behind a tunnel never gets it.
        ///
        /// A `Proxy-Authorization` field replaces it if the proxy forwards the exchange.
        /// ``Exchange/tunnelAuthorization`` replaces it if the exchange goes through a tunnel.
        public var username: String?
        /// The password to log in with, or nil for none.
        public var password: String?
        /// Header fields for the proxy alone.
        ///
        /// Only HTTP proxies get them.
        public var fields: [Exchange.Field] = []
        /// Whether a tunnel is opened for `http` URLs as well.
        ///
        /// The default is false.
        public var tunnelsPlainHTTP = false
        /// A file of PEM certificates to trust for an `https` proxy instead of the system's.
        public var certificateAuthorityFile: String?

        /// Creates a proxy.
        ///
        /// - Parameters:
        ///   - scheme: The protocol of the proxy.
        ///   - host: The name or address of the proxy, with an IPv6 address without brackets.
        ///   - port: The port of the proxy, 1 to 65,535.
        ///   - username: The user name to log in with; nil, the default, for no login.
        ///   - password: The password to log in with; nil, the default, for none.
        public init(
            _ scheme: Scheme,
            host: String,
            port: Int,
            username: String? = nil,
            password: String? = nil
        ) {
            self.scheme = scheme
            self.host = host
            self.port = port
            self.username = username
            self.password = password
        }
    }
}

extension Exchange.Route.Proxy: CustomStringConvertible, CustomReflectable {
    /// The scheme, host and port, without secrets.
    public var description: String {
        "\(scheme.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The scheme, host and port, without secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["scheme": scheme, "host": host, "port": port])
    }
}
