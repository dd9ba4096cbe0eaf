/// An unordered list of a loop's exchanges.
///
/// Each exchange stores its index, so it can be removed in constant time. Used only on the loop
/// thread.
final class TransferList {
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) private(set) var all: [CurlTransfer] = []

    func append(_ transfer: CurlTransfer) {
        transfer.slot = all.count
        all.append(transfer)
    }

    /// Removes an exchange, and returns whether it was in the list.
    func remove(_ transfer: CurlTransfer) -> Bool {
        let slot = transfer.slot
        guard all.indices.contains(slot) else { return false }
        let last = all.removeLast()
        if last !== transfer {
            all[slot] = last
            last.slot = slot
        }
        transfer.slot = -1
        return true
    }
}
