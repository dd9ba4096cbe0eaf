import CBluebonnet
import Foundation
import Glibc

// What an exchange answers when libcurl wants a socket; nothing may be started there.
extension CurlTransfer {
    /// Returns the socket that libcurl wants for an address; -1 for none.
    ///
    /// libcurl goes on with a name's next address, for which it asks again.
    func socket(for target: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        guard target.pointee.family != AF_UNIX else { return unixSocket(for: target) }
        if let socket = connection.new?.handOver(to: target) {
            noteSocket(socket)
            return socket
        }
        // One family's addresses may be asked for beside those of the other.
        guard connection.new?.stage != .handedOver else { return -1 }
        if connection.new == nil, connection.isHTTP2Possible, request.attemptCount > 0 {
            return reconnect(in: target)
        }
        let new = connection.new ?? beginConnection()
        let isProxy = handle?.proxy != nil
        for address in addresses(for: target)
        where addressCheck?.allows(address, isProxy: isProxy) != false {
            new.list(address)
        }
        goOn()
        return -1
    }

    /// Has libcurl itself replace a connection with HTTP/2 that was lost, by another one to the same
    /// address: it forgets what the server has said of the stream when it begins anew, such as that it
    /// wants HTTP/1.1.
    private func reconnect(in target: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        let new = NewConnection(.reconnecting)
        connection.new = new
        times.connecting = loop.now
        var address = PeerAddress(target, interfaceIndex: handle?.location.interfaceIndex ?? 0)
        if let former = handle?.peerAddress(like: address) { address = former }
        guard addressCheck?.allows(address, isProxy: handle?.proxy != nil) != false else {
            goOn()
            return -1
        }
        new.list(address)
        address.replace(target)
        handle?.connectionPool.noteAddress(of: self)
        switch address.openSocket(from: exchange.pool.route.source) {
        case .success(let socket):
            noteSocket(socket)
            return socket
        case .failure(let failed):
            if failed.isWithoutSocket {
                connection.socketErrorNumber = failed.failure.errorNumber
            }
            handle?.connectionPool.tryNextAddressSoon(for: self)
            return -1
        }
    }

    /// The addresses that stand for one that libcurl wants a socket for: the route's own, where the
    /// URL's host is an address that it overrides.
    private func addresses(for target: UnsafeMutablePointer<curl_sockaddr>) -> [PeerAddress] {
        let interface = handle?.location.interfaceIndex ?? 0
        let address = PeerAddress(target, interfaceIndex: interface)
        guard let handle, handle.proxy == nil,
            let overrides = handle.template.settings.overrides(ofAddressIn: exchange.url)
        else { return [address] }
        return overrides.map { PeerAddress($0, port: $1, like: address) }
    }

    private func unixSocket(for target: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        defer { handle?.connectionPool.noteAddress(of: self) }
        guard addressCheck?.allowsUnixSocket() != false else {
            goOn()
            return -1
        }
        let socket = bb_socket_open(
            target.pointee.family, target.pointee.socktype, target.pointee.protocol)
        guard socket >= 0 else {
            connection.socketErrorNumber = errno
            return -1
        }
        noteSocket(socket)
        return socket
    }

    private func goOn() {
        // Nothing is being looked up any more, though there is no socket.
        handle?.connectionPool.noteAddress(of: self)
        handle?.connectionPool.tryNextAddressSoon(for: self)
    }

    private func beginConnection() -> NewConnection {
        let new = NewConnection()
        connection.new = new
        // libcurl has lost a kept connection, and gives a new one as much time as any.
        if request.attemptCount > 0 { times.connecting = loop.now }
        guard handle?.template.speaksHTTP2 == true, let host else { return new }
        if host.lead == nil {
            host.lead = self
        } else if host.multiplexes || !host.hasConnected {
            new.follow()
        }
        return new
    }

    /// Notes that libcurl has a socket; there may have been another connection, which was lost.
    private func noteSocket(_ socket: Int32) {
        loop.sockets.opened(
            socket, for: number, pool: exchange.pool.identifier,
            idleTime: IdleTime(limit: ConnectionAges(of: exchange.pool).idleTime), at: loop.now)
        // libcurl may lose it before it ever watches it.
        if !connection.hasSocket { loop.socketBecameCertain() }
        connection.socket = socket
        handle?.tlsContextCount = 0
        handle?.hasConnected = true
        connection.count += 1
        connection.tunnelResponse = TunnelResponse()
        connection.connectDuration = connection.new?.connectDuration ?? 0
        times.connected = nil
        host?.hasConnected = true
        handle?.connectionPool.noteLeadIsOver(transfer: self)
    }

    /// What is left of the time for connecting; nil where there is no limit.
    var remainingConnectTime: TimeInterval? {
        exchange.timeouts.connect.map { max(0, $0 - loop.now.seconds(since: times.connecting)) }
    }
}
