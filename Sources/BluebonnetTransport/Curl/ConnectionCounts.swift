/// The number of a transport's connections to one host, and of the exchanges that wait for one.
public struct ConnectionCounts: Sendable, Hashable {
    /// The scheme, `http` or `https`.
    public let scheme: String
    /// The host in lowercase, without brackets.
    ///
    /// With a proxy, it is the host for which the connection to the proxy was opened.
    public let host: String
    /// The port, also where it is the scheme's own.
    public let port: Int
    /// The number of connections that an exchange uses, or is about to use.
    public package(set) var active = 0
    /// The number of connections that are kept for later exchanges.
    public package(set) var idle = 0
    /// The number of exchanges that wait until the limits of their pool allow them a connection.
    public package(set) var waiting = 0

    /// The number of open connections.
    public var open: Int { active + idle }

    package init(scheme: String, host: String, port: Int) {
        (self.scheme, self.host, self.port) = (scheme, host, port)
    }
}

extension ConnectionCounts {
    /// A part of the counts for a host, which is given by the key of its queue.
    typealias Tally = (host: String, active: Int, idle: Int, waiting: Int)

    /// Adds up the parts for each host.
    static func sums(of tallies: [Tally]) -> [ConnectionCounts] {
        // Several keys can have the same host, for example with and without a user name.
        var sums: [ConnectionCounts: ConnectionCounts] = [:]
        for (key, tallies) in Dictionary(grouping: tallies, by: \.host) {
            guard let url = URLAuthority(of: key) else { continue }
            let none = ConnectionCounts(scheme: url.scheme, host: url.hostText, port: url.port)
            for tally in tallies {
                sums[none, default: none].active += tally.active
                sums[none, default: none].idle += tally.idle
                sums[none, default: none].waiting += tally.waiting
            }
        }
        return Array(sums.values)
    }
}
