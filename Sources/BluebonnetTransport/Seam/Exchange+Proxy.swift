extension Exchange.Route {
    /// A server that connections are made through.
    ///
    /// Its name and password never appear in a message or a description.
    public struct Proxy: Sendable, Hashable {
        /// What the proxy speaks.
        public enum Scheme: String, Sendable, Hashable {
            /// HTTP: it forwards requests for `http` URLs, and opens tunnels for others.
            case http
            /// HTTP over TLS; its certificate is always verified.
            case https
            /// SOCKS 5, with the host's name looked up by the proxy (RFC 1928).
            case socks5h
        }

        /// What the proxy speaks.
        public var scheme: Scheme
        /// Its name or address, an IPv6 address without brackets.
        public var host: String
        /// Its port, 1 to 65,535.
        public var port: Int
        /// The name to log in with; nil for none.
        ///
        /// It goes to an HTTP proxy with Basic authentication (RFC 7617), in every request that the
        /// proxy is to forward and in those for tunnels; the host behind a tunnel never sees it. A
        /// `Proxy-Authorization` field of an exchange that is forwarded replaces it, and so does
        /// ``Exchange/tunnelAuthorization`` of one that goes through a tunnel.
        public var username: String?
        /// The password to log in with; nil for none.
        public var password: String?
        /// Header fields for the proxy alone; only HTTP proxies get them.
        public var fields: [Exchange.Field] = []
        /// Whether a tunnel is opened for `http` URLs as well; default false.
        public var tunnelsPlainHTTP = false
        /// A file of PEM certificates to trust for an `https` proxy instead of the system's.
        public var certificateAuthorityFile: String?

        /// Makes a proxy.
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
    /// Scheme, host and port, nothing that is secret.
    public var description: String {
        "\(scheme.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// Scheme, host and port, nothing that is secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["scheme": scheme, "host": host, "port": port])
    }
}
