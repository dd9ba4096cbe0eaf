import CBluebonnet
import Foundation
import Glibc

// The sockets that an exchange provides to libcurl. This runs in libcurl callbacks, where no
// exchange can be started.
extension CurlTransfer {
    /// Returns the socket for an address that libcurl wants to connect to, or -1 for none.
    ///
    /// After -1, libcurl asks again with the next address of the name.
    func socket(for target: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        noteEndOfAttempt()
        guard target.pointee.family != AF_UNIX else { return unixSocket(for: target) }
        if let socket = connection.new?.handOver(to: target) {
            noteSocket(socket)
            return socket
        }
        // Once libcurl has its socket, it can still ask for addresses of the other family.
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

    /// Lets libcurl itself replace a lost HTTP/2 connection with another one to the same address.
    ///
    /// Returns the socket, or -1 for none. If the exchange were removed from libcurl and added
    /// again, libcurl would forget what the server said about the stream, such as that it requires
    /// HTTP/1.1.
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

    /// Returns the addresses to connect to in place of the one that libcurl asks for.
    ///
    /// If the URL's host is an address that the route overrides, and there is no proxy, these are
    /// the route's addresses. Otherwise it is the address itself.
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
        // The look-up is over, even though there is no socket.
        handle?.connectionPool.noteAddress(of: self)
        handle?.connectionPool.tryNextAddressSoon(for: self)
    }

    private func beginConnection() -> NewConnection {
        let new = NewConnection()
        connection.new = new
        // libcurl lost a reused connection, and gives the new one the full connect timeout.
        if request.attemptCount > 0 { times.connecting = loop.now }
        guard handle?.template.speaksHTTP2 == true, let host else { return new }
        if host.lead == nil {
            host.lead = self
        } else if host.multiplexes || !host.hasConnected {
            new.follow()
        }
        return new
    }

    /// Records that libcurl has a socket for a new connection, which can replace a lost one.
    private func noteSocket(_ socket: Int32) {
        loop.sockets.opened(
            socket, for: number, pool: exchange.pool.identifier, host: host?.key,
            idleTime: IdleTime(limit: ConnectionAges(of: exchange.pool).idleTime), at: loop.now)
        // libcurl can lose the connection before it watches the socket.
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

    /// The seconds left of the connect timeout, or nil if there is no limit.
    var remainingConnectTime: TimeInterval? {
        exchange.timeouts.connect.map { max(0, $0 - loop.now.seconds(since: times.connecting)) }
    }
}
