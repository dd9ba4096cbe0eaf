import CBluebonnet
import Foundation
import FoundationNetworking

// What an exchange learns about its connection. This runs in libcurl callbacks, where no exchange
// can be started.
extension CurlTransfer {
    /// Returns whether the request may be sent on a connection, which may have been opened for
    /// another exchange.
    func mayUse(connectionTo address: UnsafePointer<CChar>?) -> Bool {
        guard let addressCheck else { return true }
        let isProxy = handle?.proxy != nil
        guard let denial = addressCheck.denial(ofConnectionTo: address, isProxy: isProxy) else {
            return true
        }
        failure = denial.failure
        return false
    }

    /// Records that the request is about to be sent on a connection.
    func noteConnection() {
        handle?.connectionPool.noteAddress(of: self)
        connection.tunnelResponse = nil
        // libcurl may have found an idle connection in the meantime.
        loop.endConnecting(self)
        times.connected = times.connected ?? loop.now
        handle?.connectionPool.noteNewConnection(of: self)
        times.lastActivity = loop.now
        if exchange.timeouts.head != nil { loop.noteDeadline(of: self) }
        if let handle, handle.template.speaksHTTP2 {
            connection.isHTTP2Possible = handle.isHTTP2Possible
        }
        if let handle, host?.isSecure == true {
            connection.security = handle.security
            connection.certificateRequest = ClientCertificateRequest(on: handle)
        }
        if let handle { noteStream(on: handle) }
    }

    /// Whether the exchange may be using any of its pool's connections, and not only the one that
    /// libcurl last watched for it.
    var isConnectionUncertain: Bool {
        guard connection.new?.isAwaited != true else { return false }
        return !connection.hasSocket || connection.isMultiplexed
            || (!response.hasHead && handle?.template.speaksHTTP2 == true)
    }

    /// Returns whether a socket that libcurl no longer watches belongs to this exchange, which is
    /// paused.
    func holds(_ socket: Int32) -> Bool {
        guard pauses.isReceivingPaused, stage == .active, connection.socket == socket,
            !isConnectionUncertain
        else { return false }
        connection.isHeld = true
        return true
    }

    /// Whether the state of the connection is unknown, so that no other exchange should use it.
    ///
    /// A canceled stream does not make its connection uncertain.
    var leavesUncertainConnection: Bool {
        failure.map { $0.code != .cancelled } ?? false
    }
}
