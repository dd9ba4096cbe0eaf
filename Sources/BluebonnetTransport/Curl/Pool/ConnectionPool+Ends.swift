import CBluebonnet
import Foundation
import FoundationNetworking

// What becomes of an exchange's handle, slot and connection when libcurl is to let go of it.
extension ConnectionPool {
    /// Takes an exchange out of libcurl, which may have done with it, and gives its slot to the next in
    /// the queue.
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
        // While an exchange goes on its connection is not the one that libcurl would look for.
        if isDone, loop.sockets.connectionCount > Self.fewConnections, let cache = loop.emptyCache {
            handle.forgetConnection(lookingIn: cache)
        }
        curl_multi_remove_handle(multi, handle.easy)
        handle.transfer = nil
        handle.isUsed = true
        keep(handle)
    }

    /// So many, of all pools, are searched about as fast as a handle is made to forget its own.
    private static let fewConnections = 128

    /// Keeps the watch over idle connections from ending one for frames that are HTTP/2's own.
    private func noteMultiplexing(of transfer: CurlTransfer, on handle: EasyHandle) {
        guard transfer.connection.isMultiplexed else { return }
        loop.sockets.multiplexes(Int32(truncatingIfNeeded: handle.number(CURLINFO_ACTIVESOCKET)))
    }

    /// Keeps later exchanges off the connection of one that has failed with HTTP/2, unless others
    /// are on it: what has become of it is unknown.
    private func leaveConnection(of transfer: CurlTransfer, _ handle: EasyHandle) {
        guard handle.template.speaksHTTP2, transfer.leavesUncertainConnection else { return }
        handle.leaveConnection()
        // Where libcurl has ended the exchange itself it has put the connection back already.
        let socket = Int32(truncatingIfNeeded: handle.number(CURLINFO_ACTIVESOCKET))
        guard socket >= 0, loop.sockets.isIdle(socket),
            !loop.mayBeInUse(pool: identifier, transferNumber: transfer.number)
        else { return }
        loop.sockets.end(socket, at: loop.now)
    }
}
