import Bluebonnet
import BluebonnetFixtureServer
import Foundation

// Servers that are slow, silent, or never done.
extension Fault {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n"

    static var silences: [Fault] {
        [
            Fault(
                "46a", "a head that arrives byte by byte", .failure(.timeout(.head)),
                "fails at the head timeout, which received bytes do not extend",
                FaultScript([
                    .request, .send("HTTP/1.1 200 OK\r\n"),
                    .drip(Array(repeating: 0x61, count: 2000), milliseconds: 20), .drain,
                ])
            ) {
                $0.configure = { configuration, _ in configuration.timeouts.head = 0.5 }
            },
            Fault(
                "46b", "header lines that arrive one by one", .failure(.timeout(.head)),
                "fails at the head timeout, which received lines do not extend",
                FaultScript([
                    .request, .send("HTTP/1.1 200 OK\r\n"),
                    .drip(Array(String(repeating: "A:b\r\n", count: 400).utf8), milliseconds: 5),
                    .drain,
                ])
            ) {
                $0.configure = { configuration, _ in configuration.timeouts.head = 0.5 }
            },
            Fault(
                "46c", "a body that arrives byte by byte",
                .response(200, body: String(repeating: "a", count: 30)),
                "accepts the response, because a slow body is not idle",
                FaultScript([
                    .request, .send(head),
                    .drip(Array(repeating: 0x61, count: 30), milliseconds: 40),
                ])
            ) {
                $0.configure = { configuration, _ in configuration.timeouts.head = 10 }
            },
            Fault(
                "46d", "a body that arrives byte by byte and takes too long",
                .failure(.timeout(.whole)), "fails at the timeout for the whole task",
                FaultScript([
                    .request, .send(head),
                    .drip(Array(repeating: 0x61, count: 29), milliseconds: 100), .drain,
                ])
            ) {
                $0.configure = { configuration, _ in configuration.timeouts.whole = 1 }
            },
            Fault(
                "46e", "a body that stops", .failure(.timeout(.idle), partial: "abc"),
                "fails at the idle timeout and keeps the received bytes",
                FaultScript([.request, .send(head + "abc"), .drain])
            ) { $0.configure = { configuration, _ in configuration.timeouts.idle = 1 } },
            Fault(
                "47a", "no response", .failure(.timeout(.idle)),
                "fails at the idle timeout",
                FaultScript([.request, .drain])
            ) { $0.configure = { configuration, _ in configuration.timeouts.idle = 1 } },
            Fault(
                "47b", "no response before the head timeout", .failure(.timeout(.head)),
                "fails at the head timeout", FaultScript([.request, .drain])
            ) { $0.configure = { configuration, _ in configuration.timeouts.head = 0.5 } },
            Fault(
                "47f", "no response to a POST", .failure(.timeout(.idle)),
                "fails at the idle timeout, which bytes sent at the start do not extend",
                FaultScript([.request, .drain])
            ) {
                ($0.method, $0.body) = ("POST", Data("once".utf8))
                $0.configure = { configuration, _ in configuration.timeouts.idle = 1 }
                $0.check = { response, _ in
                    let duration = response.metrics?.exchanges.last?.totalDuration ?? 0
                    return duration < 1.9 ? nil : "it took \(duration) s"
                }
            },
            Fault(
                "48a", "an endless body", .failure(.limit(.bodySize)), "fails at the limit",
                FaultScript([
                    .request, .send("HTTP/1.1 200 OK\r\n\r\n"),
                    .repeatForever(Array(repeating: 0x61, count: 1000)),
                ])
            ) {
                $0.configure = { configuration, _ in
                    configuration.maximumResponseBodySize = 3_000_000
                }
            },
            Fault(
                "48b", "an endless series of chunks", .failure(.limit(.bodySize)),
                "fails at the limit",
                FaultScript([
                    .request, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                    .repeatForever(Array("4\r\nabcd\r\n".utf8)),
                ])
            ) {
                $0.configure = { configuration, _ in
                    configuration.maximumResponseBodySize = 1_000_000
                }
            },
            Fault(
                "48c", "a declared length beyond the limit", .failure(.limit(.bodySize)),
                "fails as soon as the head arrives",
                .answering("HTTP/1.1 200 OK\r\nContent-Length: 3000001\r\n\r\n", .drain)
            ) {
                $0.configure = { configuration, _ in
                    configuration.maximumResponseBodySize = 3_000_000
                }
            },
        ]
    }
}
