import CBluebonnet
import Foundation
import FoundationNetworking

// What happens to an exchange's handle, slot, and connection when the exchange leaves libcurl.
extension ConnectionPool {
    /// Removes an exchange from libcurl, and gives its slot to the next one in the queue.
    ///
    /// `isDone` is true if libcurl has finished the exchange.
    func release(_ transfer: CurlTransfer, isDone: Bool) {
        guard let handle = transfer.handle else { return queue.forget(transfer) }
        transfer.handle = nil
        noteMultiplexing(of: transfer, on: handle)
        leaveConnection(of: transfer, handle)
        takeBack(handle, isDone: isDone)
        queue.leave(transfer)
        admit()
    }

    private func takeBack(_ handle: EasyHandle, isDone: Bool) {
        // libcurl searches for the last connection only if it has finished the exchange.
        if isDone, loop.sockets.connectionCount > Self.fewConnections, let cache = loop.emptyCache {
            handle.forgetConnection(lookingIn: cache)
        }
        curl_multi_remove_handle(multi, handle.easy)
        handle.transfer = nil
        handle.isUsed = true
        keep(handle)
    }

    /// The number of connections, of all pools, up to which a search is about as fast as avoiding
    /// it.
    private static let fewConnections = 128

    /// Marks an HTTP/2 connection, so that frames that arrive while it is idle do not end it.
    private func noteMultiplexing(of transfer: CurlTransfer, on handle: EasyHandle) {
        guard transfer.connection.isMultiplexed else { return }
        loop.sockets.multiplexes(Int32(truncatingIfNeeded: handle.number(CURLINFO_ACTIVESOCKET)))
    }

    /// Keeps later exchanges off the connection of a failed HTTP/2 exchange, unless other exchanges
    /// use it.
    ///
    /// The state of such a connection is unknown.
    private func leaveConnection(of transfer: CurlTransfer, _ handle: EasyHandle) {
        guard handle.template.speaksHTTP2, transfer.leavesUncertainConnection else { return }
        handle.leaveConnection()
        // If libcurl ended the exchange itself, it has already put the connection back.
        let socket = Int32(truncatingIfNeeded: handle.number(CURLINFO_ACTIVESOCKET))
        guard socket >= 0, loop.sockets.isIdle(socket),
            !loop.mayBeInUse(pool: identifier, transferNumber: transfer.number)
        else { return }
        loop.sockets.end(socket, at: loop.now)
    }
}
