import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation

// Servers that answer before the request is whole, or that do not read it.
extension Fault {
    private static var large: Data { Data(repeating: 0x61, count: 12_000_000) }

    private static func early(
        _ id: String, _ name: String, _ status: Int, _ outcome: FaultOutcome, _ reaction: String,
        _ last: FaultAction, _ ways: [Way]
    ) -> Fault {
        let answer = "HTTP/1.1 \(status) No\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
        return Fault(
            id, "\(status) during the upload, then \(name)", outcome, reaction,
            FaultScript([.receive(10_000), .send(answer), last])
        ) {
            ($0.method, $0.body) = ("PUT", large)
            $0.ways = ways
        }
    }

    private static let saved = "delivers the response"
    private static var lost: FaultOutcome { .failure(.connectionLost) }

    private static func expecting(_ id: String, _ name: String, _ actions: FaultAction...) -> Fault
    {
        Fault(
            id, "Expect: 100-continue, then \(name)", .good,
            "sends the body and delivers the response",
            FaultScript(actions)
        ) {
            ($0.method, $0.body) = ("PUT", Data("body".utf8))
            $0.fields = ["Expect": "100-continue"]
        }
    }

    static var uploads: [Fault] {
        [
            early(
                "49a", "the end of the connection", 413, .response(413, body: "abc"), saved, .close,
                [.plain, .tls]),
            early(
                "49b", "a reset", 413, .either(.response(413, body: "abc"), lost),
                "delivers the response if it arrives before the reset, which TLS may prevent",
                .abandon, [.plain, .tls]),
            early(
                "49c", "the end of the connection", 401, .response(401, body: "abc"), saved, .close,
                [.plain, .tls]),
            Fault(
                "50a", "the request body is never read", .failure(.timeout(.idle)),
                "fails at the idle timeout without spinning",
                FaultScript([.receive(1000), .hold])
            ) {
                ($0.method, $0.body) = ("PUT", large)
                $0.configure = { configuration, _ in configuration.timeouts.idle = 1 }
            },
            Fault(
                "50b", "the server closes its sending direction and never reads the request body",
                lost, "fails without spinning",
                FaultScript([.receive(1000), .halfClose, .hold])
            ) {
                ($0.method, $0.body) = ("PUT", large)
                $0.configure = { configuration, _ in configuration.timeouts.idle = 1 }
                $0.difference = Difference(
                    isMet: { LibcurlQuirks.current.ignoresEndWhileSending },
                    outcome: .failure(.timeout(.idle)),
                    explanation:
                        "before libcurl 8.14, an upload fails only at the idle timeout if the server closes its sending direction"
                )
            },
            Fault(
                "50c", "the request body is read only in part",
                .failure(.timeout(.idle)), "fails at the idle timeout without spinning",
                FaultScript([.receive(1_000_000), .hold])
            ) {
                ($0.method, $0.body) = ("PUT", large)
                $0.configure = { configuration, _ in configuration.timeouts.idle = 1 }
            },
            Fault(
                "50d", "the request body is read slowly", .good,
                "sends the body, because a slow server is not idle",
                FaultScript(
                    (0..<10).flatMap { _ in [.receive(1_200_000), .pause(milliseconds: 50)] }
                        + [.receive(100), .answer])
            ) {
                ($0.method, $0.body) = ("PUT", large)
            },
            Fault(
                "51e", "no 100, and no Expect in the request", .good,
                "sends the body at once, without adding Expect",
                FaultScript([.request, .answer])
            ) {
                ($0.method, $0.body) = ("PUT", large)
                $0.check = { _, server in
                    server.requests.first?.headers["Expect"] == nil ? nil : "Expect was sent"
                }
            },
            expecting("51a", "no 100", .request, .answer),
            Fault(
                "51b", "Expect: 100-continue, then 417", .response(417, body: "abc"),
                "delivers the response",
                .answering("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 3\r\n\r\nabc")
            ) {
                ($0.method, $0.body) = ("PUT", Data("body".utf8))
                $0.fields = ["Expect": "100-continue"]
            },
            expecting(
                "51c", "100 twice", .receive(50),
                .send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"),
                .send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\ngood"),
                .close),
            expecting(
                "51d", "the final response at once", .receive(50),
                .send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\ngood"),
                .close),
        ]
    }
}
