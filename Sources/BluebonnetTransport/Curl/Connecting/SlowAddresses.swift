import Foundation

/// The addresses that failed or did not answer before another one was connected.
///
/// They are tried last for as long as looked-up addresses are cached, so only the first exchange
/// waits for them.
struct SlowAddresses {
    /// The maximum number of addresses, beyond which the oldest are removed.
    private static let capacity = 256

    private var ends: [PeerAddress: MonotonicInstant] = [:]

    /// Returns whether to try an address after the others.
    func contains(_ address: PeerAddress, at now: MonotonicInstant) -> Bool {
        ends[address].map { now < $0 } ?? false
    }

    /// Records the outcome of a race.
    mutating func note(
        _ slow: Set<PeerAddress>, winner: PeerAddress, at now: MonotonicInstant
    ) {
        if !ends.isEmpty { ends[winner] = nil }
        guard !slow.isEmpty else { return }
        let end = now.advanced(by: TimeInterval(EasyHandleTemplate.addressLifetime))
        for address in slow { ends[address] = end }
        guard ends.count > Self.capacity else { return }
        for (address, _) in ends.sorted(by: { $0.value < $1.value }).prefix(
            ends.count - Self.capacity)
        {
            ends[address] = nil
        }
    }
}
