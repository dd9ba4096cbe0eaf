import Foundation

extension SocketTable {
    /// A connection that libcurl does not watch.
    struct Idle {
        let socket: Int32
        let pool: UInt64
        /// The number of the exchange that it was last watched for.
        let transferNumber: UInt64
        /// Whether libcurl would keep it longer.
        let isUnknownToLibcurl: Bool
        /// Whether it is known to carry HTTP/1.
        let isHTTP1: Bool
    }

    /// The minimum number of seconds between two searches for expired connections.
    static let lookInterval: TimeInterval = 0.25

    func beginIdleTime(of socket: Int32, at now: MonotonicInstant) {
        entries[index(of: socket)].idleTime.begin(at: now)
        noteIdleEnd(entries[index(of: socket)].idleTime.end)
    }

    func noteIdleEnd(_ end: MonotonicInstant?) {
        guard let end else { return }
        if let next = nextIdleEnd, next <= end { return }
        nextIdleEnd = end
    }

    /// Limits the time that an HTTP/1 connection may stay idle, in seconds.
    func limitIdleTime(of socket: Int32, to seconds: TimeInterval, at now: MonotonicInstant) {
        guard entries.indices.contains(index(of: socket)), entries[index(of: socket)].isConnection
        else { return }
        entries[index(of: socket)].isHTTP1 = true
        entries[index(of: socket)].idleTime.shorten(to: seconds, at: now)
        noteIdleEnd(entries[index(of: socket)].idleTime.end)
    }

    /// Returns the connections whose idle time has ended.
    ///
    /// A later call returns a connection again if it is still open.
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

    /// Ends the idle time of a pool's idle connections.
    func endIdleTimes(ofPool pool: UInt64, at now: MonotonicInstant) {
        for place in entries.indices where entries[place].isIdle && entries[place].pool == pool {
            entries[place].idleTime.finish(at: now, isKnownToLibcurl: false)
        }
        nextIdleEnd = now
    }

    /// Returns an idle connection, or nil if libcurl has closed it without calling back.
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

    /// Returns whether a descriptor still belongs to its connection, or to the ended socket that
    /// replaced it.
    func isOpen(_ socket: Int32) -> Bool {
        let inode = Self.inode(of: socket)
        return inode == entries[index(of: socket)].inode
            || inode == Self.inode(of: endedSocket)
    }
}
