import CBluebonnet
import Foundation
import Glibc

/// The sockets of the loop, and their registrations with epoll.
///
/// A connection stays registered while it is idle in libcurl's pool. So the loop notices at once if
/// the server closes it or sends unsolicited bytes, which never reach the next request. This also
/// saves two system calls for every request on a reused connection. Used only on the loop thread.
final class SocketTable {
    /// The reaction to a socket that became ready.
    enum Reaction {
        /// The event was for an earlier socket with the same descriptor number.
        case none
        /// libcurl waits for the socket in this pool.
        case act(pool: UInt64)
        /// libcurl does not wait for the socket, which belongs to this pool and was last watched
        /// for this exchange.
        case unwanted(pool: UInt64, transferNumber: UInt64)
        /// The socket is racing for this exchange, and has connected or failed.
        case race(transferNumber: UInt64)
    }

    private let epoll: Int32
    let endedSocket: Int32
    private var disarmed: [Int32] = []
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) var entries: [SocketEntry] = []
    /// The number of connections, including a few that libcurl has closed without calling back.
    private(set) var connectionCount = 0
    /// The keys of the hosts for which the connections were opened.
    ///
    /// They are not in the entries, which are copied for each event.
    private(set) var hosts: [Int32: String] = [:]
    private var round: UInt64 = 1
    /// The earliest time at which an idle connection may expire.
    var nextIdleEnd: MonotonicInstant?
    /// Whether ready sockets wait for the next turn.
    private(set) var isRoundUnfinished = false

    init(epoll: Int32, endedSocket: Int32) {
        self.epoll = epoll
        self.endedSocket = endedSocket
    }

    func index(of socket: Int32) -> Int { Int(socket) }

    static func inode(of socket: Int32) -> UInt {
        var status = stat()
        return fstat(socket, &status) == 0 ? UInt(status.st_ino) : 0
    }

    private func makeRoom(for socket: Int32) {
        while entries.count <= index(of: socket) {
            entries.append(SocketEntry())
        }
    }

    /// Adds a socket that was opened for an exchange's connection.
    ///
    /// It is watched like an idle one, because libcurl never watches it if the whole response
    /// arrives first. While no exchange uses it, it stays open for `idleTime`.
    func opened(
        _ socket: Int32, for transferNumber: UInt64, pool: UInt64, host: String? = nil,
        idleTime: IdleTime, at now: MonotonicInstant
    ) {
        makeRoom(for: socket)
        let generation = entries[index(of: socket)].generation &+ 1
        if !entries[index(of: socket)].isConnection { connectionCount += 1 }
        entries[index(of: socket)] = SocketEntry(
            generation: generation,
            isConnection: true,
            transferNumber: transferNumber,
            pool: pool,
            inode: Self.inode(of: socket),
            idleTime: idleTime
        )
        hosts[socket] = host
        beginIdleTime(of: socket, at: now)
        register(entries[index(of: socket)].idleEvents, socket)
    }

    /// Watches a socket that is being connected for an exchange.
    func racing(_ socket: Int32, for transferNumber: UInt64) {
        makeRoom(for: socket)
        entries[index(of: socket)] = SocketEntry(
            generation: entries[index(of: socket)].generation &+ 1,
            isRacing: true,
            transferNumber: transferNumber
        )
        register(UInt32(BB_WRITABLE), socket)
    }

    /// Stops watching a connected socket, which libcurl takes over.
    func endRacing(_ socket: Int32) { closing(socket) }

    /// Removes a socket that is about to be closed.
    func closing(_ socket: Int32) {
        guard entries.indices.contains(index(of: socket)) else { return }
        if entries[index(of: socket)].registered != nil {
            _ = bb_epoll_remove(epoll, socket)
        }
        if entries[index(of: socket)].isConnection {
            connectionCount -= 1
            hosts[socket] = nil
        }
        let generation = entries[index(of: socket)].generation &+ 1
        entries[index(of: socket)] = SocketEntry(generation: generation)
    }

    /// The number of connection sockets that are open.
    ///
    /// Checks each socket, because libcurl closes some without calling back.
    var openCount: Int {
        entries.indices.count { entries[$0].isConnection && isOpen(Int32($0)) }
    }

    /// Returns whether a descriptor is a connection that neither side is known to have closed.
    func isConnected(_ socket: Int32) -> Bool {
        let entry = entries[index(of: socket)]
        return entry.isConnection && entry.inode == Self.inode(of: socket)
    }

    /// Returns the number of the exchange that a connection's socket was last watched for.
    func transferNumber(of socket: Int32) -> UInt64? {
        guard entries.indices.contains(index(of: socket)), entries[index(of: socket)].isConnection
        else { return nil }
        return entries[index(of: socket)].transferNumber
    }

    /// Returns whether a socket is a connection that libcurl does not watch.
    func isIdle(_ socket: Int32) -> Bool {
        transferNumber(of: socket) != nil && entries[index(of: socket)].wanted == 0
    }

    /// Returns whether a connection is idle and was last watched for a given exchange.
    func hasServedNobody(_ socket: Int32, after transferNumber: UInt64) -> Bool {
        isIdle(socket) && self.transferNumber(of: socket) == transferNumber
    }

    /// Watches a socket for the events that libcurl asks for.
    ///
    /// A socket that a paused exchange holds is not watched until libcurl asks for it again,
    /// because the server's data belongs to that exchange.
    func libcurlWants(
        _ events: UInt32,
        of socket: Int32,
        for transferNumber: UInt64,
        pool: UInt64,
        isHeld: Bool = false,
        at now: MonotonicInstant
    ) {
        makeRoom(for: socket)
        let place = index(of: socket)
        entries[place].wanted = events
        entries[place].pool = pool
        if events != 0 {
            entries[place].transferNumber = transferNumber
            register(events, socket)
        } else if entries[place].isConnection, isHeld {
            entries[place].idleTime.stop()
            forgo(socket)
        } else if entries[place].isConnection {
            beginIdleTime(of: socket, at: now)
            if entries[place].registered != entries[place].idleEvents {
                register(entries[place].idleEvents, socket)
            }
        } else {
            // A descriptor of libcurl's resolver, which libcurl closes without calling back.
            _ = bb_epoll_remove(epoll, socket)
            entries[place] = SocketEntry(generation: entries[place].generation &+ 1)
        }
    }

    /// Records that a connection carries HTTP/2.
    func multiplexes(_ socket: Int32) {
        let place = index(of: socket)
        guard entries.indices.contains(place), entries[place].isConnection,
            !entries[place].isMultiplexed
        else { return }
        entries[place].isMultiplexed = true
        if entries[place].wanted == 0, entries[place].registered != nil {
            register(entries[place].idleEvents, socket)
        }
    }

    private func register(_ events: UInt32, _ socket: Int32) {
        let place = index(of: socket)
        if entries[place].isConnection, entries[place].registered == events { return }
        let token = UInt64(entries[place].generation) << 32 | UInt64(UInt32(bitPattern: socket))
        // The second call handles a descriptor that was closed and opened again unnoticed.
        if entries[place].registered != nil {
            if bb_epoll_modify(epoll, socket, events, token) != 0 {
                _ = bb_epoll_add(epoll, socket, events, token)
            }
        } else if bb_epoll_add(epoll, socket, events, token) != 0 {
            _ = bb_epoll_modify(epoll, socket, events, token)
        }
        entries[place].registered = events
    }

    /// Returns the socket of an event and the reaction to it, even if the socket no longer exists.
    func reaction(to token: UInt64) -> (socket: Int32, reaction: Reaction) {
        let socket = Int32(bitPattern: UInt32(truncatingIfNeeded: token))
        let place = index(of: socket)
        guard entries.indices.contains(place),
            entries[place].generation == UInt32(truncatingIfNeeded: token >> 32)
        else { return (socket, .none) }
        let entry = entries[place]
        guard !entry.isRacing else { return (socket, .race(transferNumber: entry.transferNumber)) }
        return (
            socket,
            entry.wanted != 0
                ? .act(pool: entry.pool)
                : .unwanted(pool: entry.pool, transferNumber: entry.transferNumber)
        )
    }

    /// Stops watching a socket that a paused exchange may be using.
    ///
    /// Watching resumes when libcurl asks for the socket again, or with ``rearm()``.
    func disarm(_ socket: Int32) {
        forgo(socket)
        disarmed.append(socket)
    }

    private func forgo(_ socket: Int32) {
        // A socket that is registered for no events would still report a reset again and again.
        if entries[index(of: socket)].registered != nil { _ = bb_epoll_remove(epoll, socket) }
        entries[index(of: socket)].registered = nil
    }

    /// Resumes watching a socket that an exchange held, now that the exchange has ended.
    func watchIdle(
        _ socket: Int32, after transferNumber: UInt64, at now: MonotonicInstant
    ) {
        guard hasServedNobody(socket, after: transferNumber),
            entries[index(of: socket)].registered == nil
        else { return }
        beginIdleTime(of: socket, at: now)
        register(entries[index(of: socket)].idleEvents, socket)
    }

    /// Resumes watching the disarmed sockets, except those that are closed or watched again.
    func rearm() {
        let sockets = disarmed
        disarmed = []
        for socket in sockets {
            let entry = entries[index(of: socket)]
            guard entry.isConnection, entry.registered == nil else { continue }
            register(entry.wanted == 0 ? entry.idleEvents : entry.wanted, socket)
        }
    }

    /// Ends an idle connection, such as one that the server closed or sent unsolicited bytes on.
    ///
    /// libcurl owns the descriptor, so it stays open, but a socket whose peer has closed replaces
    /// its own. libcurl notices that at its next check, and the unsolicited bytes are discarded.
    func end(_ socket: Int32, at now: MonotonicInstant) {
        _ = bb_epoll_remove(epoll, socket)
        // libcurl closes some sockets without calling back, so the number may belong to another
        // file.
        if entries[index(of: socket)].inode == Self.inode(of: socket) {
            _ = bb_socket_replace(socket, endedSocket)
        }
        let place = index(of: socket)
        entries[place].registered = nil
        entries[place].generation &+= 1
        // Makes libcurl close the descriptor soon.
        entries[place].idleTime.finish(at: now, isKnownToLibcurl: true)
        noteIdleEnd(now.advanced(by: Self.lookInterval))
    }

    // MARK: Rounds

    /// Returns whether libcurl may act on a ready socket in this round.
    ///
    /// A round that takes several turns serves each socket once. Otherwise sockets that are always
    /// ready, which epoll may report first, would use up every turn.
    func isDue(_ socket: Int32) -> Bool {
        !isRoundUnfinished || entries[index(of: socket)].round != round
    }

    /// Returns whether a ready socket may wait for another turn.
    ///
    /// An HTTP/2 connection may not wait. If the server has ended it, no other exchange must join
    /// it.
    func mayWait(_ socket: Int32) -> Bool { !entries[index(of: socket)].isMultiplexed }

    func serve(_ socket: Int32) {
        entries[index(of: socket)].round = round
    }

    /// Ends the turn, and with it the round unless a ready socket has to wait.
    func endTurn(isAnyLeft: Bool) {
        isRoundUnfinished = isAnyLeft
        if !isAnyLeft { round &+= 1 }
    }
}
