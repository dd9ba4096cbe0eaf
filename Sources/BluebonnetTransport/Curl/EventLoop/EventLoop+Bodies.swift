// Bodies that are decoded or sent in several steps.
extension EventLoop {
    func continueDecoding(_ transfer: CurlTransfer) {
        guard !transfer.isQueuedForDecoding else { return }
        transfer.isQueuedForDecoding = true
        decodingTransfers.append(transfer)
    }

    func decode() {
        guard !decodingTransfers.isEmpty else { return }
        var slice = slice
        let current = decodingTransfers
        decodingTransfers = []
        var count = 0
        while count < current.count, slice.hasTime() {
            let transfer = current[count]
            transfer.isQueuedForDecoding = false
            if transfer.decodeFurther() { continueDecoding(transfer) }
            count += 1
        }
        // The rest goes first in the next turn.
        if count < current.count { decodingTransfers = current[count...] + decodingTransfers }
    }

    /// Schedules an exchange that has used up its share of this turn for the next one.
    func continueInNextTurn(_ transfer: CurlTransfer) {
        guard !transfer.isWaitingForTurn else { return }
        transfer.isWaitingForTurn = true
        waitingForTurn.append(transfer)
    }

    func continueWaitingTransfers() {
        guard !waitingForTurn.isEmpty else { return }
        let current = waitingForTurn
        waitingForTurn = []
        for transfer in current {
            transfer.isWaitingForTurn = false
            transfer.unpauseIfPossible()
        }
    }

    /// Records that libcurl sends the body of an exchange piece by piece.
    func isSending(_ transfer: CurlTransfer) {
        sendingTransfers[transfer.number] = transfer
    }
}
