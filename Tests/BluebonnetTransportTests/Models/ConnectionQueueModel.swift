import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

/// A ``ConnectionQueue`` with its exchanges, compared with a list that is searched linearly.
struct ConnectionQueueModel {
    /// The model's record of a host, which is forgotten with its last exchange unless it has
    /// answered.
    struct Host {
        var streams = 1
        /// Whether one of its exchanges was denied a look-up.
        var waitsForLookUp = false
        var hasAnswered = false
        /// The hosts that were served during this host's current wait for a connection.
        var servedMeanwhile: Set<Int> = []
        var need: ConnectionQueue.Need?
    }

    static let keys = ["http://a", "http://b", "http://c", "https://d", "https://e"]
    static let numbers = keys.indices
    static let priorities: [Float] = [0, 0.5, 0.5, 0.5, 1]

    var random: SeededGenerator
    let limits: ConnectionLimits
    let line: ConnectionQueue
    /// By number, because strings would take most of the time.
    var hosts = [Host?](repeating: nil, count: keys.count)
    /// The exchanges that wait or are parked, in the order they joined.
    var waiting: [(transfer: CurlTransfer, host: Int)] = []
    /// The numbers of waiting exchanges that were denied a look-up, which are before the others.
    var denied: Set<UInt64> = []
    var active: [(transfer: CurlTransfer, host: Int, isLookingUp: Bool)] = []
    var idle: [CurlTransfer]
    /// Whether exchanges can be served, which they cannot while libcurl calls back.
    var mayAdmit = true
    var steps = 0
    let verdict: ModelVerdict

    init(seed: UInt64, logs: Bool, transfers: [CurlTransfer]) {
        var random = SeededGenerator(seed: seed)
        func number(upTo limit: UInt64) -> Int { Int(1 + random.next() % limit) }
        let connections = number(upTo: 8)
        limits = ConnectionLimits(
            connectionsPerHost: number(upTo: 4), connections: connections,
            streamsPerConnection: number(upTo: 4), lookUps: number(upTo: 3),
            reserve: number(upTo: UInt64(connections)) - 1, smallShare: number(upTo: 3),
            // Its effect is tested separately.
            turnsToOldest: .max)
        // No host becomes slow, because time stands still.
        let now = MonotonicInstant.now
        line = ConnectionQueue(limits: limits, now: { now })
        idle = transfers
        self.random = random
        verdict = ModelVerdict(logs: logs)
        verdict.note("\(limits)")
    }

    var fault: String? { verdict.fault }

    func expect(_ holds: Bool, _ text: @autoclosure () -> String) {
        verdict.expect(holds, text())
    }

    func note(_ text: @autoclosure () -> String) { verdict.note(text()) }

    func name(_ host: Int) -> String { Self.keys[host] }

    // MARK: Counting

    func activeCount(_ host: Int) -> Int {
        var count = 0
        for member in active where member.host == host { count += 1 }
        return count
    }

    func connectionCount(_ host: Int, active count: Int) -> Int {
        let streams = hosts[host]?.streams ?? 1
        return (count + streams - 1) / streams
    }

    func share(_ host: Int) -> Int { connectionCount(host, active: activeCount(host)) }

    var connectionCount: Int {
        Self.numbers.reduce(0) { $0 + connectionCount($1, active: activeCount($1)) }
    }

    var lookUpCount: Int {
        var count = 0
        for member in active where member.isLookingUp { count += 1 }
        return count
    }

    // MARK: Order

    /// Returns the first waiting exchange of a host: the highest priority, then the earliest.
    func first(_ host: Int, isSuspended: Bool? = nil) -> CurlTransfer? {
        var first: CurlTransfer?
        for member in waiting where member.host == host && member.transfer.stage == .waiting {
            guard isSuspended == nil || member.transfer.pauses.isSuspended == isSuspended else {
                continue
            }
            if first == nil || member.transfer.priority > first?.priority ?? 0 {
                first = member.transfer
            }
        }
        return first
    }

    /// Returns what a host's next exchange needs, or nil if there is none or no room for it.
    func need(_ host: Int) -> ConnectionQueue.Need? {
        guard first(host, isSuspended: false) != nil else { return nil }
        let count = activeCount(host)
        let after = connectionCount(host, active: count + 1)
        guard after <= limits.connectionsPerHost else { return nil }
        guard after > connectionCount(host, active: count) else { return .stream }
        return hosts[host]?.waitsForLookUp == true ? .lookUp : .connection
    }

    /// Returns whether what a host needs is available.
    func isServable(_ need: ConnectionQueue.Need?, _ host: Int) -> Bool {
        let mayUseReserve = share(host) < limits.smallShare && hosts[host]?.hasAnswered == true
        let reserve = mayUseReserve ? 0 : limits.reserve
        let hasConnection = connectionCount + reserve < limits.connections
        return switch need {
        case nil: false
        case .stream: true
        case .connection: hasConnection
        case .lookUp: hasConnection && lookUpCount < limits.lookUps
        }
    }
}
