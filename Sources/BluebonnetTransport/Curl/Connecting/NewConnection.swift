import CBluebonnet
import Foundation
import Glibc

/// A connection that is being opened for one exchange.
///
/// libcurl, when driven by events, would wait for an unresponsive address until the connect timeout
/// expires. So the sockets race outside libcurl:
///
/// 1. libcurl looks up the addresses and asks for a socket for each. Each time it gets none, and
///    the address is recorded.
/// 2. The addresses are tried in an ``AddressRace``.
/// 3. When a socket is connected, the exchange returns to libcurl, which gets that socket.
///
/// Used only on the loop thread.
// A class, because most exchanges reuse a connection and never need one.
final class NewConnection {
    enum Stage: Equatable {
        /// libcurl replaces a lost connection by connecting to the same address.
        case reconnecting
        /// libcurl lists the addresses.
        case listing
        /// Another exchange is opening a connection that may also carry this one.
        case following
        /// Sockets are connecting.
        case racing
        /// A socket is connected, but libcurl does not have it yet.
        case connected(Int32)
        /// libcurl has the socket, although a tunnel or a TLS handshake can still be pending.
        case handedOver
    }

    private(set) var stage: Stage
    /// The addresses that libcurl has listed so far, without those that the address guard denies.
    private var listed: [PeerAddress] = []
    private(set) var race: AddressRace?
    private var winner: PeerAddress?
    private var begun: MonotonicInstant?
    /// The racing sockets, with the indices of their addresses in the race.
    private var sockets: [Int32: Int] = [:]

    /// The seconds from the start of the race until a socket was connected.
    private(set) var connectDuration: TimeInterval = 0

    // MARK: Use by libcurl

    init(_ stage: Stage = .listing) {
        self.stage = stage
    }

    /// Adds an address for which libcurl requests a socket.
    ///
    /// If libcurl was reconnecting by itself, a request for another address means that it failed.
    func list(_ address: PeerAddress) {
        if stage == .reconnecting, !listed.isEmpty { stage = .listing }
        guard stage == .listing || stage == .reconnecting else { return }
        if !listed.contains(address) { listed.append(address) }
    }

    /// Waits for another exchange's connection instead of racing.
    func follow() { stage = .following }

    /// Whether the exchange waits for this connection outside libcurl.
    var isAwaited: Bool {
        switch stage {
        case .following, .racing, .connected: true
        case .reconnecting, .listing, .handedOver: false
        }
    }

    /// Whether a socket is connected that libcurl does not have yet.
    var isConnected: Bool {
        if case .connected = stage { true } else { false }
    }

    /// Returns the connected socket for libcurl and stores its address in `target`, or returns nil
    /// if there is none.
    func handOver(to target: UnsafeMutablePointer<curl_sockaddr>) -> Int32? {
        guard case .connected(let socket) = stage, let winner else { return nil }
        winner.replace(target)
        stage = .handedOver
        return socket
    }

    // MARK: Racing

    /// Starts the race, and returns whether there is an address to try.
    func startRace(slow: SlowAddresses, at now: MonotonicInstant) -> Bool {
        guard stage == .listing || stage == .reconnecting, !listed.isEmpty else { return false }
        let order = AddressRace.order(listed) { slow.contains($0, at: now) }
        race = AddressRace(order, at: now)
        begun = now
        stage = .racing
        return true
    }

    /// Starts the next attempt if its start time has been reached.
    ///
    /// - Returns: The socket or the reason why there is none, or nil if no attempt was started.
    func startAttempt(
        from source: Exchange.Route.Source?, at now: MonotonicInstant
    ) -> Result<Int32, PeerAddress.SocketFailed>? {
        guard stage == .racing, let place = race?.start(at: now),
            let address = race?.addresses[place]
        else { return nil }
        switch address.connectingSocket(from: source) {
        case .success(let socket):
            sockets[socket] = place
            return .success(socket)
        case .failure(let failed):
            race?.fail(place, failed.failure, at: now)
            return .failure(failed)
        }
    }

    /// Returns whether a socket takes part in the race.
    func has(_ socket: Int32) -> Bool { sockets[socket] != nil }

    /// Records that a socket is connected, and closes the others.
    func win(_ socket: Int32, in table: SocketTable) {
        guard stage == .racing, let place = sockets.removeValue(forKey: socket), let race else {
            return
        }
        table.endRacing(socket)
        winner = race.addresses[place]
        stage = .connected(socket)
        connectDuration = MonotonicInstant.now.seconds(since: begun ?? .now)
        closeSockets(in: table)
    }

    /// The connected address and the slow ones, or nil if no address is connected.
    var result: (winner: PeerAddress, slow: Set<PeerAddress>)? {
        guard let winner, let race, let place = race.addresses.firstIndex(of: winner) else {
            return nil
        }
        return (winner, race.slow(besides: place))
    }

    /// Records that a socket could not be connected, and closes it.
    func lose(_ socket: Int32, _ number: Int32, at now: MonotonicInstant, in table: SocketTable) {
        guard let place = sockets.removeValue(forKey: socket) else { return }
        table.closing(socket)
        close(socket)
        race?.fail(place, AddressRace.Failure(errorNumber: number), at: now)
    }

    /// Closes the sockets that libcurl did not get.
    func end(in table: SocketTable) {
        if case .connected(let socket) = stage { close(socket) }
        closeSockets(in: table)
        stage = .handedOver
    }

    private func closeSockets(in table: SocketTable) {
        for socket in sockets.keys {
            table.closing(socket)
            close(socket)
        }
        sockets = [:]
    }
}
