import BluebonnetTransport

/// The state of connections and retry budgets, by server, at one moment.
struct MetricsGauges {
    /// The host and the port of a URL.
    struct Server: Hashable {
        var host: String
        var port: Int
    }

    struct Connections {
        var active = 0
        var idle = 0
        var waiting = 0
    }

    struct Retries {
        var available = 0.0
        var refusalCount = 0
    }

    private(set) var connections: [Server: Connections] = [:]
    private(set) var retries: [Server: Retries] = [:]
    private var servers: Set<Server> = []
    private var hosts: Set<String>
    private let limits: MetricsMonitor.Limits

    /// Adds up the counts for each server.
    ///
    /// The hosts that a table counts by themselves come first. The others are sorted, so that the
    /// same hosts are counted together each time.
    init(_ counts: [ConnectionCounts], _ budgets: [RetryBudget], table: MetricsTable) {
        (hosts, limits) = (table.bounds.hosts, table.bounds.limits)
        for counts in counts.sorted(by: { ($0.host, $0.port) < ($1.host, $1.port) }) {
            let server = server(counts.host, counts.port)
            connections[server, default: Connections()].active += counts.active
            connections[server, default: Connections()].idle += counts.idle
            connections[server, default: Connections()].waiting += counts.waiting
        }
        let states = budgets.flatMap(\.states)
            .sorted { ($0.origin.host, $0.origin.port) < ($1.origin.host, $1.origin.port) }
        for (origin, state) in states {
            let server = server(origin.host, origin.port)
            retries[server, default: Retries()].available += state.availableRetries
            retries[server, default: Retries()].refusalCount += state.refusalCount
        }
    }

    /// Returns the server to count for a host and a port, within the limits.
    private mutating func server(_ host: String, _ port: Int) -> Server {
        let server = Server(host: host, port: port)
        guard !servers.contains(server) else { return server }
        guard servers.count < limits.series, hosts.contains(host) || hosts.count < limits.hosts
        else { return Server(host: BoundedSeries.other, port: 0) }
        hosts.insert(host)
        servers.insert(server)
        return server
    }
}
