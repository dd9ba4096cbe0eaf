import Bluebonnet
import BluebonnetFixtureServer

// Servers that are slow, silent, or never done.
extension Fault {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n"

    static var silences: [Fault] {
        [
            Fault(
                "46a", "a head that comes byte by byte", .failure(.timeout(.head)),
                "ends it by the timeout for the head, which bytes do not prolong",
                FaultScript([
                    .request, .send("HTTP/1.1 200 OK\r\n"),
                    .drip(Array(repeating: 0x61, count: 2000), milliseconds: 20), .drain,
                ])
            ) {
                $0.configure = { configuration, _ in configuration.timeouts.head = 0.5 }
            },
            Fault(
                "46b", "header lines that come one by one", .failure(.timeout(.head)),
                "ends it by the timeout for the head, which lines do not prolong",
                FaultScript([
                    .request, .send("HTTP/1.1 200 OK\r\n"),
                    .drip(Array(String(repeating: "A:b\r\n", count: 400).utf8), milliseconds: 5),
                    .drain,
                ])
            ) {
                $0.configure = { configuration, _ in configuration.timeouts.head = 0.5 }
            },
            Fault(
                "46c", "a body that comes byte by byte",
                .response(200, body: String(repeating: "a", count: 30)),
                "takes it: it is slow and not idle",
                FaultScript([
                    .request, .send(head),
                    .drip(Array(repeating: 0x61, count: 30), milliseconds: 40),
                ])
            ) {
                $0.configure = { configuration, _ in configuration.timeouts.head = 10 }
            },
            Fault(
                "46d", "a body that comes byte by byte and takes too long",
                .failure(.timeout(.whole)), "ends it by the timeout for the whole",
                FaultScript([
                    .request, .send(head),
                    .drip(Array(repeating: 0x61, count: 29), milliseconds: 100), .drain,
                ])
            ) {
                $0.configure = { configuration, _ in configuration.timeouts.whole = 1 }
            },
            Fault(
                "46e", "a body that stops", .failure(.timeout(.idle), partial: "abc"),
                "ends it by the idle timeout; what came is kept",
                FaultScript([.request, .send(head + "abc"), .drain])
            ) { $0.configure = { configuration, _ in configuration.timeouts.idle = 1 } },
            Fault(
                "47a", "no response at all", .failure(.timeout(.idle)),
                "ends it by the idle timeout",
                FaultScript([.request, .drain])
            ) { $0.configure = { configuration, _ in configuration.timeouts.idle = 1 } },
            Fault(
                "47b", "no response at all, with a timeout for the head", .failure(.timeout(.head)),
                "ends it by that timeout", FaultScript([.request, .drain])
            ) { $0.configure = { configuration, _ in configuration.timeouts.head = 0.5 } },
            Fault(
                "48a", "a body without an end", .failure(.limit(.bodySize)), "fails at the limit",
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
                "48b", "chunks without an end", .failure(.limit(.bodySize)), "fails at the limit",
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
                "fails at once, with the head",
                .answering("HTTP/1.1 200 OK\r\nContent-Length: 3000001\r\n\r\n", .drain)
            ) {
                $0.configure = { configuration, _ in
                    configuration.maximumResponseBodySize = 3_000_000
                }
            },
        ]
    }
}
