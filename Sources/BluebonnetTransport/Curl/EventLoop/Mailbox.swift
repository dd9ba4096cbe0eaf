import CBluebonnet
import Glibc

/// A command from another thread to the loop.
enum LoopCommand: Sendable {
    case start(CurlTransfer)
    case cancel(CurlTransfer)
    /// Cancels the exchange and closes its connection.
    case abort(CurlTransfer)
    case suspend(CurlTransfer)
    case resume(CurlTransfer)
    /// Continues the exchange, because its sink has room or its request body has data again.
    case flow(CurlTransfer)
    case prioritize(CurlTransfer, Float)
    /// Closes a pool's unused connections, and reports whether that was all of its connections.
    case closePool(UInt64, then: @Sendable (_ hasClosedAll: Bool) -> Void)
    /// Passes the loop to a closure, or nil if the loop has ended.
    case inspect(@Sendable (EventLoop?) -> Void)
    case shutDown
}

/// A mailbox that carries commands to the loop thread in batches and wakes it only when it sleeps.
struct Mailbox: Sendable {
    private struct State {
        var commands: [LoopCommand] = []
        var isReaderAsleep = false
        var isClosed = false
    }

    private let state = Locked(State())
    /// The descriptor that becomes readable when the loop has to wake up.
    let wakeDescriptor: Int32

    init(wakeDescriptor: Int32) {
        self.wakeDescriptor = wakeDescriptor
    }

    /// Whether the loop still reads commands.
    var isOpen: Bool { state.withLock { !$0.isClosed } }

    /// Posts a command, and returns false if the loop has ended and will not read it.
    func post(_ command: LoopCommand) -> Bool {
        // The descriptor is shared with the process that has the loop's thread.
        guard !ProcessFork.hasLostThreads else { return false }
        return state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            if state.isReaderAsleep {
                state.isReaderAsleep = false
                // Under the lock, or the loop could end and the descriptor be reused for another
                // file.
                var one: UInt64 = 1
                _ = write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
            }
            return true
        }
    }

    /// Swaps the posted commands for an empty array, whose memory is reused.
    func take(into commands: inout [LoopCommand]) {
        state.withLock { state in
            state.isReaderAsleep = false
            swap(&state.commands, &commands)
        }
    }

    /// Records that the loop is about to sleep, and returns false if there are commands to run
    /// first.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isReaderAsleep = state.commands.isEmpty
            return state.isReaderAsleep
        }
    }

    /// Resets the wake-up descriptor.
    func acknowledgeWaking() {
        var count: UInt64 = 0
        _ = read(wakeDescriptor, &count, MemoryLayout<UInt64>.size)
    }

    /// Refuses further commands, and returns those that are pending.
    func close() -> [LoopCommand] {
        state.withLock { state in
            state.isClosed = true
            defer { state.commands = [] }
            return state.commands
        }
    }
}
