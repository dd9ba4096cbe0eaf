import CBluebonnet
import Foundation
import Glibc

/// What the loop knows of each socket, and what epoll was told of it.
///
/// A connection stays registered while it idles in libcurl's pool, so that a server that closes it,
/// or writes to it unasked, is noticed at once and its bytes never reach the next request. This
/// also saves two system calls for every request on a kept connection. It lives on the loop thread.
final class SocketTable {
    /// What to do about a socket that became ready.
    enum Reaction {
        /// It is not the socket that the event was for.
        case none
        /// libcurl, as the pool's, waits for it.
        case act(pool: UInt64)
        /// libcurl does not; it is of that pool and was last watched for that exchange.
        case unwanted(pool: UInt64, transferNumber: UInt64)
        /// It is connected for that exchange, or cannot be.
        case race(transferNumber: UInt64)
    }

    private let epoll: Int32
    private let endedSocket: Int32
    private var disarmed: [Int32] = []
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) private var entries: [SocketEntry] = []
    /// How many connections there are, and a few that libcurl has closed without a word.
    private(set) var connectionCount = 0
    private var round: UInt64 = 1
    /// The earliest moment at which an idle connection's time may be over.
    private(set) var nextIdleEnd: MonotonicInstant?
    /// Whether there are ready sockets that wait for the next turn.
    private(set) var isRoundUnfinished = false

    init(epoll: Int32, endedSocket: Int32) {
        self.epoll = epoll
        self.endedSocket = endedSocket
    }

    private func index(of socket: Int32) -> Int { Int(socket) }

    static func inode(of socket: Int32) -> UInt {
        var status = stat()
        return fstat(socket, &status) == 0 ? UInt(status.st_ino) : 0
    }

    private func makeRoom(for socket: Int32) {
        while entries.count <= index(of: socket) {
            entries.append(SocketEntry())
        }
    }

    /// Notes the socket of a connection that was just made, or opened for one, for an exchange.
    ///
    /// It is watched as an idle one: libcurl may have a whole response before it would watch it, and never
    /// does then.
    ///
    /// It is kept for `idleTime` while no exchange uses it.
    func opened(
        _ socket: Int32, for transferNumber: UInt64, pool: UInt64, idleTime: IdleTime,
        at now: MonotonicInstant
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

    /// Leaves a connected socket to libcurl.
    func endRacing(_ socket: Int32) { closing(socket) }

    /// Notes that a socket is about to be closed.
    func closing(_ socket: Int32) {
        guard entries.indices.contains(index(of: socket)) else { return }
        if entries[index(of: socket)].registered != nil {
            _ = bb_epoll_remove(epoll, socket)
        }
        if entries[index(of: socket)].isConnection { connectionCount -= 1 }
        let generation = entries[index(of: socket)].generation &+ 1
        entries[index(of: socket)] = SocketEntry(generation: generation)
    }

    /// How many connections' sockets are open.
    ///
    /// Each is looked at, because libcurl closes some of them without a word.
    var openCount: Int {
        entries.indices.count { entries[$0].isConnection && isOpen(Int32($0)) }
    }

    /// The exchange that a connection's socket was last watched for.
    func transferNumber(of socket: Int32) -> UInt64? {
        guard entries.indices.contains(index(of: socket)), entries[index(of: socket)].isConnection
        else { return nil }
        return entries[index(of: socket)].transferNumber
    }

    /// Whether libcurl watches a connection for nobody.
    func isIdle(_ socket: Int32) -> Bool {
        transferNumber(of: socket) != nil && entries[index(of: socket)].wanted == 0
    }

    /// Whether libcurl has watched a connection for nobody after an exchange.
    func hasServedNobody(_ socket: Int32, after transferNumber: UInt64) -> Bool {
        isIdle(socket) && self.transferNumber(of: socket) == transferNumber
    }

    /// Does what libcurl asks for a socket.
    ///
    /// One that is held, by a paused exchange, is left alone until libcurl asks for it again: what its
    /// server sends is not unasked.
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
            // A descriptor of the resolver's, closed by libcurl without a word.
            _ = bb_epoll_remove(epoll, socket)
            entries[place] = SocketEntry(generation: entries[place].generation &+ 1)
        }
    }

    /// Notes that a connection carries HTTP/2.
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
        // The other way serves a descriptor that was closed and opened again unnoticed.
        if entries[place].registered != nil {
            if bb_epoll_modify(epoll, socket, events, token) != 0 {
                _ = bb_epoll_add(epoll, socket, events, token)
            }
        } else if bb_epoll_add(epoll, socket, events, token) != 0 {
            _ = bb_epoll_modify(epoll, socket, events, token)
        }
        entries[place].registered = events
    }

    /// Decides about an event, which may be of a socket that is gone.
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

    /// Leaves a socket that a paused exchange may be using alone until libcurl asks for it again, or
    /// all are watched again.
    func disarm(_ socket: Int32) {
        forgo(socket)
        disarmed.append(socket)
    }

    private func forgo(_ socket: Int32) {
        // A socket that stays registered, though for nothing, still reports a reset without end.
        if entries[index(of: socket)].registered != nil { _ = bb_epoll_remove(epoll, socket) }
        entries[index(of: socket)].registered = nil
    }

    /// Watches a socket that was held again, when its exchange is over and it may be kept.
    func watchIdle(
        _ socket: Int32, after transferNumber: UInt64, at now: MonotonicInstant
    ) {
        guard hasServedNobody(socket, after: transferNumber),
            entries[index(of: socket)].registered == nil
        else { return }
        beginIdleTime(of: socket, at: now)
        register(entries[index(of: socket)].idleEvents, socket)
    }

    /// Watches those sockets again, unless something has become of them since.
    func rearm() {
        let sockets = disarmed
        disarmed = []
        for socket in sockets {
            let entry = entries[index(of: socket)]
            guard entry.isConnection, entry.registered == nil else { continue }
            register(entry.wanted == 0 ? entry.idleEvents : entry.wanted, socket)
        }
    }

    /// Ends an idle connection that the server closed or wrote to.
    ///
    /// The descriptor is libcurl's, so it is kept, but stands for a socket at its end from now on:
    /// libcurl sees that when it next looks, and the unasked bytes are gone.
    func end(_ socket: Int32, at now: MonotonicInstant) {
        _ = bb_epoll_remove(epoll, socket)
        // libcurl closes some sockets without a word, and the number may be somebody else's by now.
        if entries[index(of: socket)].inode == Self.inode(of: socket) {
            _ = bb_socket_replace(socket, endedSocket)
        }
        let place = index(of: socket)
        entries[place].registered = nil
        entries[place].generation &+= 1
        // Has libcurl give the descriptor back soon.
        entries[place].idleTime.finish(at: now, isKnownToLibcurl: true)
        noteIdleEnd(now.advanced(by: Self.lookInterval))
    }

    // MARK: Idle connections

    /// A connection that libcurl does not watch.
    struct Idle {
        let socket: Int32
        let pool: UInt64
        /// The exchange that it was last watched for.
        let transferNumber: UInt64
        /// Whether libcurl would keep it longer.
        let isUnknownToLibcurl: Bool
        /// Whether it is known to carry HTTP/1.
        let isHTTP1: Bool
    }

    /// Seconds between two looks for old connections, however many there are.
    private static let lookInterval: TimeInterval = 0.25

    private func beginIdleTime(of socket: Int32, at now: MonotonicInstant) {
        entries[index(of: socket)].idleTime.begin(at: now)
        noteIdleEnd(entries[index(of: socket)].idleTime.end)
    }

    private func noteIdleEnd(_ end: MonotonicInstant?) {
        guard let end else { return }
        if let next = nextIdleEnd, next <= end { return }
        nextIdleEnd = end
    }

    /// Keeps a connection with HTTP/1 idle for no longer than that many seconds.
    func limitIdleTime(of socket: Int32, to seconds: TimeInterval, at now: MonotonicInstant) {
        guard entries.indices.contains(index(of: socket)), entries[index(of: socket)].isConnection
        else { return }
        entries[index(of: socket)].isHTTP1 = true
        entries[index(of: socket)].idleTime.shorten(to: seconds, at: now)
        noteIdleEnd(entries[index(of: socket)].idleTime.end)
    }

    /// Returns the connections whose time is over.
    ///
    /// A later call returns those again that are still open.
    func takeOld(at now: MonotonicInstant) -> [Idle] {
        var old: [Idle] = []
        nextIdleEnd = nil
        for place in entries.indices where entries[place].isIdle {
            guard let end = entries[place].idleTime.end else { continue }
            if end <= now, let idle = idle(at: place) {
                old.append(idle)
                entries[place].idleTime.checkAgain(after: now)
            }
            noteIdleEnd(entries[place].idleTime.end)
        }
        nextIdleEnd = nextIdleEnd.map { max($0, now.advanced(by: Self.lookInterval)) }
        return old
    }

    /// Ends the time of a pool's idle connections.
    func endIdleTimes(ofPool pool: UInt64, at now: MonotonicInstant) {
        for place in entries.indices where entries[place].isIdle && entries[place].pool == pool {
            entries[place].idleTime.finish(at: now, isKnownToLibcurl: false)
        }
        nextIdleEnd = now
    }

    /// Returns nil if libcurl has closed it without calling back.
    private func idle(at place: Int) -> Idle? {
        let socket = Int32(place)
        guard isOpen(socket) else {
            closing(socket)
            return nil
        }
        return Idle(
            socket: socket, pool: entries[place].pool,
            transferNumber: entries[place].transferNumber,
            isUnknownToLibcurl: entries[place].idleTime.isShorterThanLibcurls,
            isHTTP1: entries[place].isHTTP1)
    }

    /// Whether a connection's descriptor still stands for it, or for its end.
    private func isOpen(_ socket: Int32) -> Bool {
        let inode = Self.inode(of: socket)
        return inode == entries[index(of: socket)].inode
            || inode == Self.inode(of: endedSocket)
    }

    // MARK: Rounds

    /// Whether libcurl may be told of a ready socket: in a round that takes several turns each has
    /// one, or those that are always ready, which epoll may name first, would have them all.
    func isDue(_ socket: Int32) -> Bool {
        !isRoundUnfinished || entries[index(of: socket)].round != round
    }

    /// Whether a ready socket may wait for another turn.
    ///
    /// What has come may be the end of its connection, which no other exchange must join then.
    func mayWait(_ socket: Int32) -> Bool { !entries[index(of: socket)].isMultiplexed }

    func serve(_ socket: Int32) {
        entries[index(of: socket)].round = round
    }

    /// Notes whether any socket that is due had to wait.
    func endTurn(isAnyLeft: Bool) {
        isRoundUnfinished = isAnyLeft
        if !isAnyLeft { round &+= 1 }
    }
}
