import Foundation

/// The order and timing of attempts to connect to a host's addresses (RFC 8305 sections 4 and 5).
///
/// An attempt starts 250 ms after the previous one, or as soon as any attempt fails.
struct AddressRace {
    /// The seconds between the starts of two attempts, as long as none fails.
    static let delay: TimeInterval = 0.25

    /// The reason why an attempt failed.
    struct Failure: Equatable {
        /// The system's error number (`errno`).
        var errorNumber: Int32
        /// Whether the attempt failed because the route's source cannot be used.
        var isOfSource = false
    }

    /// The addresses in the order in which they are tried.
    let addresses: [PeerAddress]
    private(set) var startedCount = 0
    /// The failed attempts, by index in ``addresses``.
    private(set) var failures: [Int: Failure] = [:]
    /// When the next attempt starts, or nil if none is left.
    private(set) var nextStart: MonotonicInstant?

    init(_ addresses: [PeerAddress], at now: MonotonicInstant) {
        self.addresses = addresses
        nextStart = addresses.isEmpty ? nil : now
    }

    /// Whether every attempt has failed.
    var isLost: Bool { failures.count == addresses.count }

    /// Starts the next attempt if its start time has been reached, and returns the index of its
    /// address.
    mutating func start(at now: MonotonicInstant) -> Int? {
        guard let nextStart, nextStart <= now else { return nil }
        defer { startedCount += 1 }
        let isLast = startedCount + 1 == addresses.count
        self.nextStart = isLast ? nil : now.advanced(by: Self.delay)
        return startedCount
    }

    /// Records that an attempt failed, and lets the next one start at once.
    mutating func fail(_ place: Int, _ failure: Failure, at now: MonotonicInstant) {
        failures[place] = failure
        if nextStart != nil { nextStart = now }
    }

    /// Returns the addresses that were tried besides the winner.
    func slow(besides winner: Int) -> Set<PeerAddress> {
        Set((0..<startedCount).filter { $0 != winner }.map { addresses[$0] })
    }

    /// Returns addresses in the order in which to try them.
    ///
    /// The two address families alternate, each in the order of the look-up. Slow addresses come
    /// last.
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
