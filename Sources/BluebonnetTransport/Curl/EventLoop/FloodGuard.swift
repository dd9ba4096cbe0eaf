import CBluebonnet
import Dispatch
import Foundation
import Synchronization

/// Ends a connection of which libcurl would go on reading what belongs to no response.
///
/// Before 8.14 one call of libcurl's reads a connection with HTTP/2 for as long as frames come that no
/// exchange is told of, such as PRIORITY: a server that sends them faster than they are read would
/// have the loop to itself. So another thread looks at calls that take long, and puts an ended socket
/// in the place of the connection that much is read of. A call in which a head or a body moved is left
/// alone. A connection whose call comes back just then is ended all the same, as lost.
final class FloodGuard: Sendable {
    /// A time, within a call or between two, in which no exchange was told of anything.
    private struct Lull {
        let call: UInt64
        let moves: UInt64
        let processorTime: UInt64
        /// What had been read of each connection, once the lull has lasted from one look to the next.
        var readBytes: [Int32: UInt64]?
    }

    private struct State {
        /// The inodes of the connections' sockets: libcurl closes some without a word, and their
        /// numbers are others' then.
        var inodes: [Int32: UInt] = [:]
        var lull: Lull?
    }

    /// Nanoseconds of the processor that a lull may take.
    private static let patience: UInt64 = 5_000_000
    /// What comes in a handshake is far less, and takes long.
    private static let leastFlood: UInt64 = 256 * 1024
    /// What libcurl keeps of each other exchange before it leaves off reading, 64 KiB, as it comes in
    /// frames of nine bytes.
    private static let keptOfEach: UInt64 = 128 * 1024
    /// More than the window of an exchange that was given up, which its server may go on filling.
    private static let leastFloodAfterLeave: UInt64 = 64 * 1024 * 1024
    private static let interval = DispatchTimeInterval.milliseconds(3)

    private let state = Locked(State())
    /// How often libcurl was called and came back, which is odd within a call.
    ///
    /// Only the loop thread counts, as it does the moves.
    private let call = Atomic<UInt64>(0)
    /// How often something came that an exchange was told of.
    private let moves = Atomic<UInt64>(0)
    /// How many bytes read in a lull of this call are a flood.
    private let flood = Atomic<UInt64>(0)
    /// The last call whose connection was ended.
    private let endedCall = Atomic<UInt64>(0)
    private let isWatching = Atomic<Bool>(false)
    private let endedSocket: Int32
    // Of its own, so that it waits for nobody else's work.
    private let queue = DispatchQueue(label: "bluebonnet.flood-guard")

    init(endedSocket: Int32) {
        self.endedSocket = endedSocket
    }

    // MARK: On the loop thread

    /// Notes a connection's socket that was just opened.
    func opened(_ socket: Int32) {
        noteMove()
        let inode = SocketTable.inode(of: socket)
        state.withLock { $0.inodes[socket] = inode }
    }

    /// Notes that a socket is about to be closed, after which its number is somebody else's.
    func closing(_ socket: Int32) {
        state.withLock { _ = $0.inodes.removeValue(forKey: socket) }
    }

    /// Notes that libcurl is about to read, which may bring something of so many exchanges on one
    /// connection, or of one that was given up.
    func begin(exchangeCount: Int, hasLeft: Bool) {
        let others = UInt64(max(0, exchangeCount - 1))
        flood.store(
            hasLeft ? Self.leastFloodAfterLeave : Self.leastFlood + others * Self.keptOfEach,
            ordering: .relaxed)
        countCall()
        guard !isWatching.load(ordering: .sequentiallyConsistent) else { return }
        startWatching(clock: bb_thread_clock())
    }

    /// Notes that an exchange was told of something.
    func noteMove() {
        moves.store(moves.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// Notes that libcurl has come back; true if a connection was ended meanwhile.
    func end() -> Bool {
        let ended = call.load(ordering: .relaxed)
        countCall()
        return endedCall.load(ordering: .sequentiallyConsistent) == ended
    }

    private func countCall() {
        call.store(call.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
    }

    // MARK: On the queue

    private func startWatching(clock: Int32) {
        guard !isWatching.exchange(true, ordering: .sequentiallyConsistent) else { return }
        lookSoon(clock: clock)
    }

    private func lookSoon(clock: Int32) {
        queue.asyncAfter(deadline: .now() + Self.interval) { [self] in look(clock: clock) }
    }

    private func look(clock: Int32) {
        let now = Lull(
            call: call.load(ordering: .sequentiallyConsistent),
            moves: moves.load(ordering: .relaxed),
            processorTime: bb_clock_nanoseconds(clock)
        )
        let (lull, inodes) = state.withLock { ($0.lull, $0.inodes) }
        guard let lull, lull.call == now.call, lull.moves == now.moves else {
            state.withLock { $0.lull = now }
            return lookSoon(clock: clock)
        }
        guard !now.call.isMultiple(of: 2) else { return rest(after: now.call, clock: clock) }
        let readBytes = Self.readBytes(of: inodes)
        if let before = lull.readBytes {
            if now.processorTime >= lull.processorTime + Self.patience {
                endFlood(in: now.call, before, readBytes)
            }
        } else {
            state.withLock { $0.lull?.readBytes = readBytes }
        }
        lookSoon(clock: clock)
    }

    /// Looks no more until libcurl is called, unless it has been.
    private func rest(after lastCall: UInt64, clock: Int32) {
        isWatching.store(false, ordering: .sequentiallyConsistent)
        guard call.load(ordering: .sequentiallyConsistent) != lastCall else { return }
        startWatching(clock: clock)
    }

    /// How much was read of each connection so far.
    private static func readBytes(of inodes: [Int32: UInt]) -> [Int32: UInt64] {
        inodes.filter { SocketTable.inode(of: $0.key) == $0.value }
            .reduce(into: [:]) { $0[$1.key] = readBytes(of: $1.key) }
    }

    private static func readBytes(of socket: Int32) -> UInt64 {
        let received = bb_socket_received_bytes(socket)
        // What comes between the two is taken for unread.
        let unread = UInt64(bb_socket_unread_count(socket))
        return received > unread ? received - unread : 0
    }

    private func endFlood(in call: UInt64, _ before: [Int32: UInt64], _ now: [Int32: UInt64]) {
        let least = flood.load(ordering: .relaxed)
        let flooded = now.first { $0.value >= before[$0.key, default: 0] &+ least }
        guard let socket = flooded?.key else { return }
        // Under the lock: afterwards the number could be another connection's.
        state.withLock { state in
            guard let inode = state.inodes[socket], SocketTable.inode(of: socket) == inode,
                self.call.load(ordering: .sequentiallyConsistent) == call
            else { return }
            // First, so that libcurl's coming back because of it finds that.
            endedCall.store(call, ordering: .sequentiallyConsistent)
            _ = bb_socket_replace(socket, endedSocket)
            state.inodes[socket] = nil
            state.lull = nil
        }
    }
}
