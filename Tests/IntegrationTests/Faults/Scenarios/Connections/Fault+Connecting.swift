import Bluebonnet
import BluebonnetFixtureServer

// Hosts that cannot be found, and servers that cannot be reached.
extension Fault {
    private static func elsewhere(
        _ id: String, _ name: String, _ url: String, _ outcome: FaultOutcome,
        _ reaction: String = "fails", _ change: (inout Fault) -> Void = { _ in }
    ) -> Fault {
        Fault(id, name, outcome, reaction, FaultScript()) {
            $0.path = url
            $0.ways = [.plain]
            $0.requestCount = 1
            change(&$0)
        }
    }

    private static func unknown(
        _ id: String, _ name: String, _ host: String, _ outcome: FaultOutcome,
        _ reaction: String = "fails", _ change: (inout Fault) -> Void = { _ in }
    ) -> Fault {
        elsewhere(id, name, "http://\(host).fault.test:{port}/", outcome, reaction, change)
    }

    /// What the names of these faults are answered with; see `CBluebonnetTestResolver`.
    static let answersToNames = [
        "none": "", "failing": "!-4", "trying": "!-3", "empty": "!-5", "memory": "!-10",
        "slow": "+4000,127.0.0.1", "late": "+300,127.0.0.1", "six": "2001:db8::1",
        "both": "2001:db8::1,127.0.0.1",
        "xn--bcher-kva": "127.0.0.1",
    ]

    private static var notFound: FaultOutcome { .failure(.cannotFindHost) }

    static var connecting: [Fault] {
        [
            elsewhere(
                "47d", "a refused connection", "http://127.0.0.1:1/", .failure(.cannotConnect)),
            elsewhere(
                "47e", "an unreachable network", "http://224.0.0.1/",
                .failure(.cannotConnect)),
            unknown("55a", "a name that does not exist", "none", notFound),
            unknown("55b", "a name server that fails", "failing", notFound),
            unknown("55c", "a name server that fails temporarily", "trying", notFound),
            unknown("55d", "a name without addresses", "empty", notFound),
            unknown("55e", "a lookup that runs out of memory", "memory", notFound),
            unknown(
                "55f", "a lookup that never ends", "slow", .failure(.timeout(.connect)),
                "fails at the connect timeout, and other tasks continue"
            ) { $0.configure = { configuration, _ in configuration.timeouts.connect = 0.5 } },
            unknown(
                "55g", "a slow lookup", "late", .good,
                "waits for it, and other tasks continue"
            ) { $0.requestCount = 2 },
            unknown(
                "55h", "a name with only an unreachable IPv6 address", "six",
                .either(.failure(.cannotConnect), .failure(.timeout(.connect)))
            ) { $0.configure = { configuration, _ in configuration.timeouts.connect = 1 } },
            unknown(
                "55i", "a name with an unreachable IPv6 address and an IPv4 address", "both",
                .good,
                "connects to the IPv4 address"
            ) { $0.requestCount = 2 },
        ]
    }
}
