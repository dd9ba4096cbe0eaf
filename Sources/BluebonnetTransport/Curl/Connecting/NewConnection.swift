import CBluebonnet
import Foundation
import Glibc

/// A connection that is being made for one exchange.
///
/// libcurl, driven by events, would wait for a silent address until the time for connecting is over. So it
/// looks the addresses up and is refused a socket for each, which lists them; the sockets race here,
/// and when one of them is connected libcurl begins anew and is given that one. It lives on the loop
/// thread.
// Not a value: most exchanges go out on a kept connection and never have one.
final class NewConnection {
    enum Stage: Equatable {
        /// libcurl connects to the address of a connection that was lost.
        case reconnecting
        /// libcurl names the addresses.
        case listing
        /// Another exchange makes a connection that may carry this one as well.
        case following
        /// Sockets are being connected.
        case racing
        /// A socket is connected, which libcurl does not have yet.
        case connected(Int32)
        /// libcurl has the connection, which still may have to make a tunnel or to speak TLS.
        case handedOver
    }

    private(set) var stage: Stage
    /// What libcurl has named so far, without those that the address guard denies.
    private var listed: [PeerAddress] = []
    private(set) var race: AddressRace?
    private var winner: PeerAddress?
    private var begun: MonotonicInstant?
    /// The sockets that race, and the places of their addresses.
    private var sockets: [Int32: Int] = [:]

    /// What was measured; in seconds.
    private(set) var connectDuration: TimeInterval = 0

    // MARK: In libcurl's hands

    init(_ stage: Stage = .listing) {
        self.stage = stage
    }

    /// Takes an address that libcurl wants a socket for.
    ///
    /// Where it was to connect itself, that has failed if it wants another one.
    func list(_ address: PeerAddress) {
        if stage == .reconnecting, !listed.isEmpty { stage = .listing }
        guard stage == .listing || stage == .reconnecting else { return }
        if !listed.contains(address) { listed.append(address) }
    }

    /// Leaves the race to another exchange.
    func follow() { stage = .following }

    /// Whether the exchange waits for it without being on any connection of libcurl's.
    var isAwaited: Bool {
        switch stage {
        case .following, .racing, .connected: true
        case .reconnecting, .listing, .handedOver: false
        }
    }

    /// Whether a socket is connected, which libcurl does not have yet.
    var isConnected: Bool {
        if case .connected = stage { true } else { false }
    }

    /// Gives libcurl the connected socket, under its own address; nil where there is none.
    func handOver(to target: UnsafeMutablePointer<curl_sockaddr>) -> Int32? {
        guard case .connected(let socket) = stage, let winner else { return nil }
        winner.replace(target)
        stage = .handedOver
        return socket
    }

    // MARK: Racing

    /// Begins the race; false where there is no address to be tried.
    func startRace(slow: SlowAddresses, at now: MonotonicInstant) -> Bool {
        guard stage == .listing || stage == .reconnecting, !listed.isEmpty else { return false }
        let order = AddressRace.order(listed) { slow.contains($0, at: now) }
        race = AddressRace(order, at: now)
        begun = now
        stage = .racing
        return true
    }

    /// Begins the next attempt that is due; nil where there is none.
    ///
    /// - Returns: The socket, or why there is none.
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

    /// Whether a socket is one of the race's.
    func has(_ socket: Int32) -> Bool { sockets[socket] != nil }

    /// Notes that a socket is connected, and closes the others.
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

    /// The address that is connected, and those that were slower; nil before there is one.
    var result: (winner: PeerAddress, slow: Set<PeerAddress>)? {
        guard let winner, let race, let place = race.addresses.firstIndex(of: winner) else {
            return nil
        }
        return (winner, race.slow(besides: place))
    }

    /// Notes that a socket could not be connected, and closes it.
    func lose(_ socket: Int32, _ number: Int32, at now: MonotonicInstant, in table: SocketTable) {
        guard let place = sockets.removeValue(forKey: socket) else { return }
        table.closing(socket)
        close(socket)
        race?.fail(place, AddressRace.Failure(errorNumber: number), at: now)
    }

    /// Closes what libcurl was not given.
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
