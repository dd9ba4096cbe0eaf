import Foundation

/// The addresses that were silent or refused when another one was connected to.
///
/// They are tried last for as long as a look-up's addresses are kept, so that one wait is enough.
struct SlowAddresses {
    /// More are not kept: the oldest go first.
    private static let capacity = 256

    private var ends: [PeerAddress: MonotonicInstant] = [:]

    /// Returns whether an address is to be tried after the others.
    func contains(_ address: PeerAddress, at now: MonotonicInstant) -> Bool {
        ends[address].map { now < $0 } ?? false
    }

    /// Notes what a race has shown.
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
