import Foundation

/// Which of a host's addresses are tried, and when (RFC 8305 sections 4 and 5).
///
/// One begins a quarter of a second after the other, or as soon as the one before has failed.
struct AddressRace {
    /// Seconds from one attempt to the next, while none has failed.
    static let delay: TimeInterval = 0.25

    /// How an attempt ended that brought no connection.
    struct Failure: Equatable {
        /// The system's number of the error.
        var errorNumber: Int32
        /// Whether it was the route's source that could not be used.
        var isOfSource = false
    }

    /// In the order in which they are tried.
    let addresses: [PeerAddress]
    private(set) var startedCount = 0
    /// By place in ``addresses``.
    private(set) var failures: [Int: Failure] = [:]
    /// When the next attempt begins; nil where none is left.
    private(set) var nextStart: MonotonicInstant?

    init(_ addresses: [PeerAddress], at now: MonotonicInstant) {
        self.addresses = addresses
        nextStart = addresses.isEmpty ? nil : now
    }

    /// Whether every attempt has failed.
    var isLost: Bool { failures.count == addresses.count }

    /// Begins the next attempt if it is due, and returns the place of its address.
    mutating func start(at now: MonotonicInstant) -> Int? {
        guard let nextStart, nextStart <= now else { return nil }
        defer { startedCount += 1 }
        let isLast = startedCount + 1 == addresses.count
        self.nextStart = isLast ? nil : now.advanced(by: Self.delay)
        return startedCount
    }

    /// Notes that an attempt has failed, so that the next one need not wait.
    mutating func fail(_ place: Int, _ failure: Failure, at now: MonotonicInstant) {
        failures[place] = failure
        if nextStart != nil { nextStart = now }
    }

    /// The addresses that did not answer, or not before another one that began later.
    func slow(besides winner: Int) -> Set<PeerAddress> {
        Set((0..<startedCount).filter { $0 != winner }.map { addresses[$0] })
    }

    /// The order in which addresses are tried: as the look-up has sorted them, with the families taking
    /// turns, and those last that were slow the last time.
    static func order(
        _ addresses: [PeerAddress], isSlow: (PeerAddress) -> Bool
    ) -> [PeerAddress] {
        alternate(addresses.filter { !isSlow($0) }) + alternate(addresses.filter(isSlow))
    }

    private static func alternate(_ addresses: [PeerAddress]) -> [PeerAddress] {
        guard let preferred = addresses.first?.family else { return [] }
        let first = addresses.filter { $0.family == preferred }
        let second = addresses.filter { $0.family != preferred }
        return (0..<max(first.count, second.count)).flatMap { index in
            [first, second].compactMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }
}
