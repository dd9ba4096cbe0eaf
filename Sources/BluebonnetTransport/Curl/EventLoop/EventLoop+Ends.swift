import CBluebonnet
import Foundation
import FoundationNetworking

extension EventLoop {
    /// Ends an exchange with libcurl's result, or with nil if the decoding of its body ended it.
    func finish(_ transfer: CurlTransfer, result: CURLcode?) {
        end(transfer, result: result, failure: nil)
    }

    func finish(_ transfer: CurlTransfer, failure: Exchange.Failure) {
        end(transfer, result: nil, failure: failure)
    }

    private func end(_ transfer: CurlTransfer, result: CURLcode?, failure: Exchange.Failure?) {
        guard transfer.stage != .finished else { return }
        let isOver = transfer.conclude(result: result, failure: failure)
        transfer.stage = isOver ? .finished : .decoding
        if transfer.connection.isHeld {
            sockets.watchIdle(transfer.connection.socket, after: transfer.number, at: now)
        }
        if transfer.isConnectionUncertain { socketBecameCertain() }
        endConnecting(transfer)
        if isOver { forget(transfer) }
        connectionPools[transfer.exchange.pool.identifier]?.release(transfer, isDone: result != nil)
    }

    private func forget(_ transfer: CurlTransfer) {
        if !mutedTransfers.isEmpty { mutedTransfers[transfer.number] = nil }
        if !sendingTransfers.isEmpty { sendingTransfers[transfer.number] = nil }
        if !transfersReadingOn.isEmpty { transfersReadingOn[transfer.number] = nil }
        _ = transfers.remove(transfer)
    }

    // MARK: Shutting down

    /// Ends every exchange with a failure, and refuses new ones.
    func shutDown(with failure: Exchange.Failure) {
        let late = mailbox.close()
        for transfer in transfers.all {
            finish(transfer, failure: failure)
        }
        deliver()
        for command in late + commands {
            switch command {
            case .start(let transfer): transfer.refuse(failure)
            case .inspect(let look): look(nil)
            case .closePool(_, let tell): tell(true)
            default: break
            }
        }
        // Their elements keep the loop alive.
        decodingTransfers = []
        waitingForTurn = []
        commands = []
        armed = []
        dirty = []
        connectionPools.removeAll()
    }
}

extension Exchange.Failure {
    static let shutDown = Self(.cancelled, message: "the transport was shut down")
}
