import Bluebonnet
import BluebonnetFixtureServer

// Proxies that refuse, break, or answer nonsense.
extension Fault {
    private static let opens = FaultAction.send("HTTP/1.1 200 Connection established\r\n\r\n")
    private static let wellTunneled: [FaultAction] = [.request, opens, .startTLS, .serve]

    private static func proxied(
        _ origin: String, _ change: @escaping (inout Fault) -> Void = { _ in }
    )
        -> (inout Fault) -> Void
    {
        { fault in
            fault.origin = origin
            fault.ways = [.plain]
            fault.configure = { configuration, port in
                configuration.route = Exchange.Route(
                    proxy: Exchange.Route.Proxy(.http, host: "127.0.0.1", port: Int(port)))
            }
            change(&fault)
        }
    }

    /// A first answer to CONNECT, and tunnels that work afterwards.
    private static func connecting(
        _ id: String, _ name: String, _ outcome: FaultOutcome, _ reaction: String,
        _ actions: FaultAction...
    ) -> Fault {
        Fault(
            id, "a proxy answers CONNECT with \(name)", outcome, reaction,
            FaultScript([.request] + actions, wellTunneled), proxied("https://localhost"))
    }

    private static func refusing(
        _ id: String, _ name: String, _ status: Int, _ fields: String, _ body: String = ""
    ) -> Fault {
        connecting(
            id, name, .failure(.proxyRefused(status)), "fails with the proxy's status code",
            .send("HTTP/1.1 \(status) No\r\n\(fields)\r\n\r\n\(body)"), .drain)
    }

    private static var noTunnel: FaultOutcome { .failure(.cannotConnect) }

    static var proxies: [Fault] {
        [
            refusing(
                "73a", "407 for Basic", 407,
                "Proxy-Authenticate: Basic realm=\"r\"\r\nContent-Length: 0"),
            refusing(
                "73b", "407 for Digest", 407,
                "Proxy-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\nContent-Length: 0"),
            refusing(
                "73c", "407 and a chunked body", 407,
                "Proxy-Authenticate: Basic realm=\"r\"\r\nTransfer-Encoding: chunked",
                "3\r\nabc\r\n0\r\n\r\n"),
            connecting(
                "73o", "407 and an endless body", .failure(.proxyRefused(407)),
                "fails with the head and does not read the body",
                .send("HTTP/1.1 407 No\r\nContent-Length: 999999999999\r\n\r\n"),
                .repeatForever(Array("x".utf8))),
            refusing("73d", "502", 502, "Content-Length: 3", "abc"),
            connecting("73e", "the end of the connection", noTunnel, "fails", .close),
            connecting("73f", "a reset", noTunnel, "fails", .reset),
            connecting(
                "73g", "bytes other than a response", noTunnel, "fails", .send("garbage\r\n\r\n"),
                .drain),
            connecting(
                "73h", "an endless head", noTunnel, "fails",
                .send("HTTP/1.1 200 OK\r\n"), .repeatForever(Array("A: b\r\n".utf8))),
            connecting(
                "73i", "200 with a transfer coding", .good,
                "opens the tunnel, because this response has no body",
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .startTLS, .serve),
            connecting(
                "73j", "200 with a Content-Length", .good,
                "opens the tunnel, because this response has no body",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n"), .startTLS, .serve),
            connecting(
                "73k", "200 and ends inside the response body",
                .failure(.connectionLost, partial: "abc"), "fails and keeps the received bytes",
                opens, .startTLS, .request,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .halfClose, .drain),
            Fault(
                "73l", "a proxy that never answers CONNECT", .failure(.timeout(.connect)),
                "fails at the connect timeout",
                FaultScript([.request, .drain], wellTunneled),
                proxied("https://localhost") { fault in
                    let route = fault.configure
                    fault.configure = { configuration, port in
                        route(&configuration, port)
                        configuration.timeouts.connect = 1
                    }
                }),
            Fault(
                "73m", "a forwarding proxy ends inside the body",
                .failure(.connectionLost, partial: "abc"), "fails and keeps the received bytes",
                .answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .close),
                proxied("http://origin.test")),
            Fault(
                "73n", "a forwarding proxy answers with 502", .response(502, body: "abc"),
                "delivers the response, because it may come from the server",
                .answering("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\nabc"),
                proxied("http://origin.test")),
            Fault(
                "74", "a tunnel through a proxy with a password", .good,
                "sends the password only to the proxy, and Authorization only through the tunnel",
                FaultScript(wellTunneled),
                proxied("https://localhost") { fault in
                    fault.fields = ["Authorization": "Bearer server's"]
                    fault.configure = { configuration, port in
                        configuration.route = Exchange.Route(
                            proxy: Exchange.Route.Proxy(
                                .http, host: "127.0.0.1", port: Int(port), username: "proxy's",
                                password: "secret"))
                    }
                    fault.check = { _, server in
                        let connects = server.requests.filter { $0.method == "CONNECT" }
                        let others = server.requests.filter { $0.method != "CONNECT" }
                        let isKept =
                            !connects.isEmpty && !others.isEmpty
                            && connects.allSatisfy {
                                $0.headers["Proxy-Authorization"] != nil
                                    && $0.headers["Authorization"] == nil
                            }
                            && others.allSatisfy { $0.headers["Proxy-Authorization"] == nil }
                        return isKept ? nil : "a login went where it does not belong"
                    }
                }),
        ]
    }
}
