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
            id, "\(status) while the body is on its way, and then \(name)", outcome, reaction,
            FaultScript([.receive(10_000), .send(answer), last])
        ) {
            ($0.method, $0.body) = ("PUT", large)
            $0.ways = ways
        }
    }

    private static let saved = "gives the response"
    private static var lost: FaultOutcome { .failure(.connectionLost) }

    private static func expecting(_ id: String, _ name: String, _ actions: FaultAction...) -> Fault
    {
        Fault(
            id, "Expect: 100-continue, and \(name)", .good, "sends the body and takes the response",
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
                "gives the response if it came before the reset was seen; in TLS it may be lost",
                .abandon, [.plain, .tls]),
            early(
                "49c", "the end of the connection", 401, .response(401, body: "abc"), saved, .close,
                [.plain, .tls]),
            Fault(
                "50a", "the request's body is never read", .failure(.timeout(.idle)),
                "ends it by the idle timeout, without spinning",
                FaultScript([.receive(1000), .hold])
            ) {
                ($0.method, $0.body) = ("PUT", large)
                $0.configure = { configuration, _ in configuration.timeouts.idle = 1 }
            },
            Fault(
                "50b", "the sending direction ends and the request's body is never read",
                lost, "fails, without spinning",
                FaultScript([.receive(1000), .halfClose, .hold])
            ) {
                ($0.method, $0.body) = ("PUT", large)
                $0.configure = { configuration, _ in configuration.timeouts.idle = 1 }
                $0.difference = Difference(
                    isMet: { LibcurlQuirks.current.ignoresEndWhileSending },
                    outcome: .failure(.timeout(.idle)),
                    explanation: "before libcurl 8.14 the idle timeout ends it")
            },
            Fault(
                "50c", "the request's body is read in part, and then no more",
                .failure(.timeout(.idle)), "ends it by the idle timeout, without spinning",
                FaultScript([.receive(1_000_000), .hold])
            ) {
                ($0.method, $0.body) = ("PUT", large)
                $0.configure = { configuration, _ in configuration.timeouts.idle = 1 }
            },
            Fault(
                "50d", "the request's body is read slowly", .good,
                "sends it: it is slow and not idle",
                FaultScript(
                    (0..<10).flatMap { _ in [.receive(1_200_000), .pause(milliseconds: 50)] }
                        + [.receive(100), .answer])
            ) {
                ($0.method, $0.body) = ("PUT", large)
            },
            Fault(
                "51e", "100 never comes, and nobody has asked for it", .good,
                "sends the body at once: Expect is not sent unasked",
                FaultScript([.request, .answer])
            ) {
                ($0.method, $0.body) = ("PUT", large)
                $0.check = { _, server in
                    server.requests.first?.headers["Expect"] == nil ? nil : "Expect was sent"
                }
            },
            expecting("51a", "no 100 ever", .request, .answer),
            Fault(
                "51b", "Expect: 100-continue, and 417", .response(417, body: "abc"),
                "gives the response",
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
                "51d", "the response at once", .receive(50),
                .send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\ngood"),
                .close),
        ]
    }
}
