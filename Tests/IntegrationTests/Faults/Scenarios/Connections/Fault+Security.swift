import Bluebonnet
import BluebonnetFixtureServer

// TLS that fails in the handshake, or ends without saying so.
extension Fault {
    private static func handshake(
        _ id: String, _ name: String, _ actions: FaultAction..., outcome: FaultOutcome
    ) -> Fault {
        Fault(id, name, outcome, "fails", FaultScript(actions)) {
            $0.ways = [.tlsToPlain]
            $0.isServerWellAfterwards = false
        }
    }

    private static func alert(_ number: UInt8) -> FaultAction {
        .send([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, number])
    }

    private static func presenting(
        _ id: String, _ name: String, _ outcome: FaultOutcome, _ reaction: String = "fails",
        _ present: @escaping @Sendable (inout ServerIdentity) -> Void
    ) -> Fault {
        Fault(id, name, outcome, reaction, FaultScript()) {
            $0.ways = [.tls]
            $0.present = present
            if case .failure = outcome { $0.isServerWellAfterwards = false }
        }
    }

    private static var handshakeFailure: FaultOutcome { .failure(.handshake) }
    private static var abc: FaultOutcome { .response(200, body: "abc") }

    static var security: [Fault] {
        [
            presenting(
                "57h", "a certificate with an RSA key of 1,024 bits",
                .failure(.certificate(.other))
            ) {
                $0.chainFile = $0.chainFile.replacing("server.pem", with: "weak.pem")
                $0.keyFile = $0.keyFile.replacing("server.key", with: "weak.key")
            },
            handshake(
                "58a", "the connection ends during the handshake", .receive(100), .close,
                outcome: handshakeFailure),
            handshake(
                "58b", "the connection is reset during the handshake", .receive(100), .reset,
                outcome: handshakeFailure),
            handshake(
                "58c", "bytes other than TLS", .receive(100),
                .send("garbage, not TLS at all\r\n\r\n"),
                .drain, outcome: handshakeFailure),
            handshake(
                "58d", "an alert during the handshake", .receive(100), alert(40), .drain,
                outcome: handshakeFailure),
            handshake(
                "58e", "a server without TLS on an HTTPS port", .receive(100),
                .send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), .close,
                outcome: handshakeFailure),
            Fault(
                "58f", "silence during the handshake", .failure(.timeout(.connect)),
                "fails at the connect timeout", FaultScript([.receive(100), .drain])
            ) {
                $0.ways = [.tlsToPlain]
                $0.isServerWellAfterwards = false
                $0.configure = { configuration, _ in configuration.timeouts.connect = 0.5 }
            },
            presenting("58g", "a server with TLS 1.1 at most", handshakeFailure) {
                $0.oldestVersion = .tls11
                $0.newestVersion = .tls11
            },
            presenting(
                "58h", "an application protocol that was not offered", handshakeFailure
            ) { $0.applicationProtocol = "made-up" },
            presenting(
                "58i", "a missing client certificate (TLS 1.3)",
                .failure(.clientCertificateRequired)
            ) { $0.clientAuthorityFile = $0.chainFile },
            presenting(
                "58j", "a missing client certificate (TLS 1.2)",
                handshakeFailure
            ) {
                $0.clientAuthorityFile = $0.chainFile
                $0.newestVersion = .tls12
            },
            Fault(
                "60a", "the server does not resume a session", .good, "starts a new session",
                .answering(
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\ngood", .close)
            ) {
                $0.ways = [.tls]
                $0.present = { $0.resumesSessions = false }
                $0.connectionCount = 2
            },
            Fault(
                "59a", "no close_notify after the declared length", abc,
                "accepts the response, because the length shows that it is complete",
                .answering("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", .halfClose, .drain)
            ) { $0.ways = [.tls] },
            Fault(
                "59b", "no close_notify after the last chunk", abc,
                "accepts the response, because the last chunk shows that it is complete",
                .answering(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                    .halfClose, .drain)
            ) { $0.ways = [.tls] },
            Fault(
                "59c", "no close_notify after a body without a length",
                .failure(.connectionLost, partial: "abc"),
                "fails and keeps the received bytes, because the body may be truncated",
                .answering("HTTP/1.1 200 OK\r\n\r\nabc", .halfClose, .drain)
            ) { $0.ways = [.tls] },
            Fault(
                "59e",
                "no close_notify after a body with the transfer coding \"identity\"",
                .failure(.connectionLost, partial: "abc"),
                "fails and keeps the received bytes, because the body may be truncated",
                .answering(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nabc", .halfClose, .drain)
            ) { $0.ways = [.tls] },
            Fault(
                "59f",
                "no close_notify from a host that may omit it", abc,
                "accepts the response", .answering("HTTP/1.1 200 OK\r\n\r\nabc", .halfClose, .drain)
            ) {
                $0.ways = [.tls]
                $0.configure = { configuration, _ in
                    configuration.hostsWithoutCloseNotify = ["127.0.0.1"]
                }
            },
            Fault(
                "59d", "close_notify after a body without a length", abc,
                "accepts the response", .answering("HTTP/1.1 200 OK\r\n\r\nabc", .close)
            ) { $0.ways = [.plain, .tls] },
        ]
    }
}
