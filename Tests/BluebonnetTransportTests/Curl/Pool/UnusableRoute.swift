import BluebonnetTransport

/// A route with an invalid part, and two words that the message must contain.
struct UnusableRoute: Sendable {
    let part: String
    let fault: String
    let change: @Sendable (inout Exchange.Route) -> Void

    init(
        _ part: String, _ fault: String,
        _ change: @escaping @Sendable (inout Exchange.Route) -> Void
    ) {
        self.part = part
        self.fault = fault
        self.change = change
    }

    static let all: [UnusableRoute] = [
        Self("httpProxy", "host") { $0.httpProxy = .init(.http, host: "a b", port: 1) },
        Self("httpsProxy", "host") { $0.httpsProxy = .init(.http, host: "x/y@z", port: 1) },
        Self("httpProxy", "host") { $0.httpProxy = .init(.http, host: "", port: 1) },
        Self("httpProxy", "port") { $0.httpProxy = .init(.http, host: "a", port: 65_536) },
        Self("httpProxy", "port") { $0.httpProxy = .init(.socks5h, host: "a", port: 0) },
        Self("httpProxy", "control") {
            $0.httpProxy = .init(.http, host: "a", port: 1, username: "hush\r\nX")
        },
        Self("httpProxy", "colon") {
            $0.httpProxy = .init(.http, host: "a", port: 1, username: "hush:", password: "")
        },
        Self("httpProxy", "without a user") {
            $0.httpProxy = .init(.http, host: "a", port: 1, password: "hush")
        },
        Self("httpProxy", "255") {
            let long = "hush" + String(repeating: "x", count: 255)
            $0.httpProxy = .init(.socks5h, host: "a", port: 1, username: long)
        },
        Self("httpProxy", "field") {
            var proxy = Exchange.Route.Proxy(.http, host: "a", port: 1)
            proxy.fields = [.init(name: "X", value: "hush\r\nY: z")]
            $0.httpProxy = proxy
        },
        Self("noProxy", "entry") { $0.noProxy = ["a", "b,c"] },
        Self("unixSocketPath", "bytes") { $0.unixSocketPath = "" },
        Self("unixSocketPath", "107") { $0.unixSocketPath = String(repeating: "x", count: 108) },
        Self("Unix socket", "proxy") {
            $0.unixSocketPath = "/s"
            $0.httpsProxy = .init(.http, host: "a", port: 1)
        },
        Self("address override", "host") {
            $0.addressOverrides = [.init(host: "a:b", port: 1, addresses: ["127.0.0.1"])]
        },
        Self("address override", "host") {
            $0.addressOverrides = [.init(host: "[::1]", port: 1, addresses: ["127.0.0.1"])]
        },
        Self("address override", "port") {
            $0.addressOverrides = [.init(host: "a", port: -1, addresses: ["127.0.0.1"])]
        },
        Self("address override", "address") {
            $0.addressOverrides = [.init(host: "a", port: 1, addresses: ["127.0.0.1,x"])]
        },
        Self("address override", "address") {
            $0.addressOverrides = [.init(host: "a", port: 1, addresses: [])]
        },
        Self("source", "address") { $0.source = .address("127.0.0.1 ") },
        Self("source", "interface") { $0.source = .interface("host!127.0.0.1") },
        Self("source", "interface") { $0.source = .interface("") },
    ]
}
