import Foundation

/// The trials of hosts that have never answered, on a few of a pool's reserved connections.
///
/// Of the hosts that arrived lately, the last one is tried first, and one at a time. Hundreds of slow
/// hosts that arrive together take few of the connections, and leave the others to hosts that arrive
/// later.
struct HostTrials {
    /// The minimum number of seconds between two trials.
    private static let interval: TimeInterval = 0.1
    /// The seconds for which a host that arrives can be tried.
    private static let longestWait: TimeInterval = 0.5
    /// The number of arrivals from which on those that cannot be tried any more are forgotten.
    private static let manyArrivals = 256

    /// The number of connections.
    private let limit: Int
    private var count = 0
    private var last: MonotonicInstant?
    /// The hosts that arrived lately, in order, and others that can no longer be tried.
    private var arrivals: [HostQueue] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Records that a host without exchanges in progress gets one.
    mutating func noteArrival(of host: HostQueue, at now: MonotonicInstant) {
        guard limit > 0, !host.hasAnswered else { return }
        if arrivals.count >= Self.manyArrivals {
            arrivals.removeAll { !Self.mayBeTried($0, at: now) }
        }
        host.arrival = now
        arrivals.append(host)
    }

    /// Returns the host to try next, and when, or nil if there is none.
    ///
    /// `isWaiting` tells whether a host waits for a connection.
    mutating func next(
        at now: MonotonicInstant, isWaiting: (HostQueue) -> Bool
    ) -> (host: HostQueue, time: MonotonicInstant)? {
        guard count < limit else { return nil }
        while let newest = arrivals.last, !Self.mayBeTried(newest, at: now) {
            arrivals.removeLast()
        }
        let host = arrivals.last { Self.mayBeTried($0, at: now) && isWaiting($0) }
        return host.map { ($0, last?.advanced(by: Self.interval) ?? now) }
    }

    private static func mayBeTried(_ host: HostQueue, at now: MonotonicInstant) -> Bool {
        guard !host.hasAnswered, host.activeCount == 0, let arrival = host.arrival else {
            return false
        }
        return now.seconds(since: arrival) <= longestWait
    }

    mutating func begin(with host: HostQueue, at now: MonotonicInstant) {
        host.isOnTrial = true
        count += 1
        last = now
    }

    /// Ends the trial of a host, if it has one, because it has answered or has no exchange any more.
    mutating func end(of host: HostQueue) {
        guard host.isOnTrial else { return }
        host.isOnTrial = false
        count -= 1
    }
}
