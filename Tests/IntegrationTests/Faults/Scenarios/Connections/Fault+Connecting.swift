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
                "47d", "a connection is refused", "http://127.0.0.1:1/", .failure(.cannotConnect)),
            elsewhere(
                "47e", "the network cannot be reached", "http://224.0.0.1/",
                .failure(.cannotConnect)),
            unknown("55a", "a name that does not exist", "none", notFound),
            unknown("55b", "a name server that fails", "failing", notFound),
            unknown("55c", "a name server that fails for now", "trying", notFound),
            unknown("55d", "a name without addresses", "empty", notFound),
            unknown("55e", "a look-up without memory", "memory", notFound),
            unknown(
                "55f", "a look-up without an end", "slow", .failure(.timeout(.connect)),
                "ends it by the timeout for connecting; others go on meanwhile"
            ) { $0.configure = { configuration, _ in configuration.timeouts.connect = 0.5 } },
            unknown(
                "55g", "a look-up that takes its time", "late", .good,
                "waits for it; others go on meanwhile"
            ) { $0.requestCount = 2 },
            unknown(
                "55h", "a name with an address of IPv6 alone, and no way to it", "six",
                .either(.failure(.cannotConnect), .failure(.timeout(.connect)))
            ) { $0.configure = { configuration, _ in configuration.timeouts.connect = 1 } },
            unknown(
                "55i", "a name with addresses of both kinds, and no way to that of IPv6", "both",
                .good,
                "takes the address of IPv4"
            ) { $0.requestCount = 2 },
        ]
    }
}
