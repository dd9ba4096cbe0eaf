/// The exchanges of a loop, in no order; each knows its place, so that any can leave at once.
///
/// It lives on the loop thread.
final class TransferList {
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) private(set) var all: [CurlTransfer] = []

    func append(_ transfer: CurlTransfer) {
        transfer.slot = all.count
        all.append(transfer)
    }

    /// Returns whether the exchange was in the list.
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
