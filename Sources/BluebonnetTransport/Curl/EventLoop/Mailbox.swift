import CBluebonnet
import Glibc

/// What other threads ask of the loop.
enum LoopCommand: Sendable {
    case start(CurlTransfer)
    case cancel(CurlTransfer)
    /// Cancel, and close the connection.
    case abort(CurlTransfer)
    case suspend(CurlTransfer)
    case resume(CurlTransfer)
    /// There is room for more of the response's body, or more of the request's.
    case flow(CurlTransfer)
    case prioritize(CurlTransfer, Float)
    /// Close a pool's connections that no exchange uses, and tell whether that were all.
    case closePool(UInt64, then: @Sendable (_ hasClosedAll: Bool) -> Void)
    /// Tell how many connections' sockets are open.
    case countSockets(@Sendable (Int) -> Void)
    case shutDown
}

/// Carries commands to the loop thread in batches and wakes it only when it sleeps.
struct Mailbox: Sendable {
    private struct State {
        var commands: [LoopCommand] = []
        var isReaderAsleep = false
        var isClosed = false
    }

    private let state = Locked(State())
    /// Becomes readable when the loop has to wake up.
    let wakeDescriptor: Int32

    init(wakeDescriptor: Int32) {
        self.wakeDescriptor = wakeDescriptor
    }

    /// Whether the loop still reads commands.
    var isOpen: Bool { state.withLock { !$0.isClosed } }

    /// Hands a command over; false once the loop has ended and nobody will read it.
    func post(_ command: LoopCommand) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            if state.isReaderAsleep {
                state.isReaderAsleep = false
                // Under the lock, or the loop could end meanwhile and the descriptor be another's.
                var one: UInt64 = 1
                _ = write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
            }
            return true
        }
    }

    /// Exchanges the commands for an empty array that keeps its memory.
    func take(into commands: inout [LoopCommand]) {
        state.withLock { state in
            state.isReaderAsleep = false
            swap(&state.commands, &commands)
        }
    }

    /// Says that the loop is about to sleep; false when there are commands to run first.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isReaderAsleep = state.commands.isEmpty
            return state.isReaderAsleep
        }
    }

    /// Empties the wake-up descriptor.
    func acknowledgeWaking() {
        var count: UInt64 = 0
        _ = read(wakeDescriptor, &count, MemoryLayout<UInt64>.size)
    }

    /// Refuses everything from now on and returns what had come before.
    func close() -> [LoopCommand] {
        state.withLock { state in
            state.isClosed = true
            defer { state.commands = [] }
            return state.commands
        }
    }
}
