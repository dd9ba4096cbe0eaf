import CBluebonnet
import Dispatch
import Foundation
import Synchronization

/// Ends a connection of which libcurl would go on reading what belongs to no response.
///
/// Before 8.14 one call of libcurl's reads a connection with HTTP/2 for as long as frames come that no
/// exchange is told of, such as PRIORITY: a server that sends them faster than they are read would
/// have the loop to itself. So another thread looks at calls that take long, and puts an ended socket
/// in the place of the connection's. A call in which a head or a body moved is left alone.
final class FloodGuard: Sendable {
    /// What a call was like when it was looked at first.
    private struct Beginning {
        var call: UInt64
        var moves: UInt64
        var processorTime: UInt64
        var receivedBytes: UInt64
    }

    private struct State {
        /// What libcurl acts on; nil between two calls.
        var connection: SocketTable.Connection?
        var call: UInt64 = 0
        var clock: Int32 = 0
        var allowance = FloodGuard.leastFlood
        var beginning: Beginning?
        var hasEnded = false
    }

    /// Nanoseconds of the processor that a call may take.
    private static let patience: UInt64 = 6_000_000
    /// What comes in a handshake is far less, and takes long.
    private static let leastFlood: UInt64 = 256 * 1024
    /// More than may come for others than the exchange that libcurl reads for: what their windows
    /// hold, or their buffers and the kernel's.
    private static let leastFloodAmongOthers: UInt64 = 64 * 1024 * 1024
    private static let interval = DispatchTimeInterval.milliseconds(3)

    private let state = Locked(State())
    /// How often something came that an exchange was told of.
    private let moves = Atomic<UInt64>(0)
    private let endedSocket: Int32
    // Of its own, so that it waits for nobody else's work.
    private let queue = DispatchQueue(label: "bluebonnet.flood-guard")

    init(endedSocket: Int32) {
        self.endedSocket = endedSocket
    }

    // MARK: On the loop thread

    /// Notes that libcurl is about to read a connection, if any, which may bring much that no exchange
    /// is told of in this call.
    func begin(_ connection: SocketTable.Connection?, expectsMuch: Bool) {
        let mustWatch = state.withLock { state in
            state.connection = connection
            state.allowance = expectsMuch ? Self.leastFloodAmongOthers : Self.leastFlood
            state.call &+= 1
            guard let connection, state.beginning == nil else { return false }
            state.clock = bb_thread_clock()
            state.beginning = measure(connection, state)
            return true
        }
        if mustWatch { watch() }
    }

    /// Notes that an exchange was told of something.
    func noteMove() {
        // Only the loop thread counts, many times for each exchange.
        moves.store(moves.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// Notes that a socket is about to be closed, after which its number is somebody else's.
    func closing(_ socket: Int32) {
        state.withLock { state in
            if state.connection?.socket == socket { state.connection = nil }
        }
    }

    /// Notes that libcurl has come back; true if its connection was ended.
    func end() -> Bool {
        state.withLock { state in
            state.connection = nil
            defer { state.hasEnded = false }
            return state.hasEnded
        }
    }

    // MARK: On the queue

    private func watch() {
        queue.asyncAfter(deadline: .now() + Self.interval) { [self] in look() }
    }

    private func look() {
        let goesOn = state.withLock { state in
            guard let connection = state.connection, let beginning = state.beginning,
                // libcurl closes some without a word.
                SocketTable.inode(of: connection.socket) == connection.inode
            else {
                state.beginning = nil
                return false
            }
            let now = measure(connection, state)
            guard now.call == beginning.call, now.moves == beginning.moves else {
                state.beginning = now
                return true
            }
            guard now.processorTime >= beginning.processorTime + Self.patience,
                now.receivedBytes >= beginning.receivedBytes + state.allowance
            else { return true }
            // Under the lock: afterwards the number could be another connection's.
            _ = bb_socket_replace(connection.socket, endedSocket)
            state.connection = nil
            state.hasEnded = true
            state.beginning = nil
            return false
        }
        if goesOn { watch() }
    }

    private func measure(_ connection: SocketTable.Connection, _ state: State) -> Beginning {
        Beginning(
            call: state.call,
            moves: moves.load(ordering: .relaxed),
            processorTime: bb_clock_nanoseconds(state.clock),
            receivedBytes: bb_socket_received_bytes(connection.socket)
        )
    }
}
