import CBluebonnet
import Foundation
import FoundationNetworking
import Glibc
import Synchronization

/// The thread on which every exchange of a transport happens.
///
/// It waits on epoll, lets libcurl act on what is ready, and hands out at the end of a turn what
/// happened in it. It runs no code of the user's and waits for nothing but epoll.
// Sendable: `mailbox` and `longestTurn` are made for any thread; everything else is read and
// written on the loop thread alone once it runs.
final class CurlLoop: @unchecked Sendable {
    /// Deadlines are looked at no more often than this, however many there are.
    private static let sweepInterval: TimeInterval = 0.02

    let mailbox: Mailbox
    private let epoll: Int32
    private let endedSocket: Int32
    var sockets: SocketTable
    /// Memory for one head's fields, for the exchange whose head is arriving; most arrive at once.
    var fieldDraft = FieldDraft()
    private(set) var now = MonotonicInstant.now

    private var partitions: [UInt64: Partition] = [:]
    private var armed: [Partition] = []
    private var dirty: [Partition] = []
    private var transfers: [CurlTransfer] = []
    private var touchedTransfers: [CurlTransfer] = []
    private var decodingTransfers: [CurlTransfer] = []
    private var sendingTransfers: [UInt64: CurlTransfer] = [:]
    private var nextSweep: MonotonicInstant?
    private var commands: [LoopCommand] = []
    private var isShuttingDown = false
    private var canRearm = false
    private let longestTurnNanoseconds = Atomic<UInt64>(0)
    private let turns = Atomic<Int>(0)

    /// How many turns were taken so far.
    var turnCount: Int { turns.load(ordering: .relaxed) }

    /// The longest time between two waits so far, in seconds.
    var longestTurn: TimeInterval {
        TimeInterval(longestTurnNanoseconds.load(ordering: .relaxed)) / 1_000_000_000
    }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ context: UnsafeMutableRawPointer) -> CurlLoop {
        Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue()
    }

    init() throws(Exchange.Failure) {
        epoll = bb_epoll_create()
        endedSocket = bb_socket_create_ended()
        let wake = bb_eventfd_create()
        guard epoll >= 0, endedSocket >= 0, wake >= 0 else {
            let number = errno
            for descriptor in [epoll, endedSocket, wake] where descriptor >= 0 { close(descriptor) }
            throw .system("the event loop has no file descriptors", number)
        }
        mailbox = Mailbox(wakeDescriptor: wake)
        sockets = SocketTable(epoll: epoll, endedSocket: endedSocket)
        _ = bb_epoll_add(epoll, wake, UInt32(BB_READABLE), Self.wakeToken)
    }

    private static let wakeToken = UInt64.max

    deinit {
        close(epoll)
        close(endedSocket)
        close(mailbox.wakeDescriptor)
    }

    /// Starts the thread, which holds the loop until it is shut down.
    func startThread(name: String) throws(Exchange.Failure) -> pthread_t {
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(self)
        let error = bb_thread_start(
            &thread,
            { context in
                if let context {
                    Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            retained.toOpaque(),
            name
        )
        guard error == 0 else {
            retained.release()
            throw .system("the event loop's thread could not be started", error)
        }
        return thread
    }

    // MARK: Turns

    private func run() {
        var ready = [bb_readiness](repeating: bb_readiness(), count: 256)
        while !isShuttingDown {
            let count = bb_epoll_wait(epoll, &ready, Int32(ready.count), waitMilliseconds())
            now = .now
            let start = now
            if count < 0, errno != EINTR {
                failEverything(.system("waiting for events failed", errno))
                break
            }
            for event in ready.prefix(max(0, Int(count))) {
                dispatch(event)
            }
            turn()
            measureTurn(since: start)
        }
        shutDown()
    }

    private func dispatch(_ event: bb_readiness) {
        guard event.token != Self.wakeToken else { return mailbox.acknowledgeWaking() }
        let (socket, reaction) = sockets.reaction(to: event.token)
        switch reaction {
        case .none: break
        case .act(let pool): partitions[pool]?.act(on: socket, events: event.events)
        case .unwanted(let pool, let number):
            if mayBeInUse(pool: pool, transferNumber: number) {
                sockets.disarm(socket)
            } else {
                sockets.end(socket)
            }
        }
    }

    /// Whether an exchange may be using a socket that libcurl does not watch: it is paused.
    ///
    /// One that was paused before libcurl ever watched its socket may be on any of the pool's.
    private func mayBeInUse(pool: UInt64, transferNumber: UInt64) -> Bool {
        transfers.contains { transfer in
            transfer.stage == .active
                && (transfer.number == transferNumber
                    || (transfer.isConnectionUncertain
                        && transfer.exchange.pool.identifier == pool))
        }
    }

    /// Whether a pool has a paused exchange and none that moved in this turn.
    func isAtRest(pool: UInt64) -> Bool {
        var isAnyPaused = false
        for transfer in transfers where transfer.exchange.pool.identifier == pool {
            guard transfer.stage == .active else { continue }
            if transfer.lastActivity == now { return false }
            isAnyPaused = isAnyPaused || transfer.isPaused
        }
        return isAnyPaused
    }

    /// Notes that an exchange's socket is known now, or of no interest any more.
    func socketBecameCertain() {
        canRearm = true
    }

    private func rearmSockets() {
        guard canRearm else { return }
        canRearm = false
        sockets.rearm()
    }

    private func turn() {
        runCommands()
        runTimers()
        collectFinished()
        // What finished made room for others: start them before going to sleep.
        runTimers()
        collectFinished()
        decode()
        sweepDeadlines()
        rearmSockets()
        deliver()
    }

    private func measureTurn(since start: MonotonicInstant) {
        turns.add(1, ordering: .relaxed)
        let length = MonotonicInstant.now.nanoseconds - start.nanoseconds
        if length > longestTurnNanoseconds.load(ordering: .relaxed) {
            longestTurnNanoseconds.store(length, ordering: .relaxed)
        }
    }

    private func waitMilliseconds() -> Int32 {
        guard decodingTransfers.isEmpty, dirty.isEmpty, mailbox.prepareToSleep() else { return 0 }
        var earliest = nextSweep
        for partition in armed {
            if let deadline = partition.deadline, deadline < earliest ?? deadline.next {
                earliest = deadline
            }
        }
        guard let earliest else { return -1 }
        let current = MonotonicInstant.now
        guard earliest > current else { return 0 }
        // Rounded up, or the loop would spin through the last millisecond.
        let milliseconds = (earliest.nanoseconds - current.nanoseconds + 999_999) / 1_000_000
        return Int32(min(milliseconds, 60_000))
    }

    // MARK: Commands

    private func runCommands() {
        mailbox.take(into: &commands)
        for command in commands {
            run(command)
        }
        commands.removeAll(keepingCapacity: commands.count <= 1024)
    }

    private func run(_ command: LoopCommand) {
        switch command {
        case .start(let transfer): start(transfer)
        case .cancel(let transfer): finish(transfer, failure: .cancelled)
        case .suspend(let transfer): transfer.setSuspended(true)
        case .resume(let transfer):
            transfer.setSuspended(false)
            partitions[transfer.exchange.pool.identifier]?.rejoin(transfer)
        case .flow(let transfer): transfer.flowAgain()
        case .prioritize(let transfer, let priority):
            transfer.priority = priority
            partitions[transfer.exchange.pool.identifier]?.reorder(transfer)
        case .closePool(let identifier): closePartition(identifier)
        case .shutDown: isShuttingDown = true
        }
    }

    private func start(_ transfer: CurlTransfer) {
        transfer.slot = transfers.count
        transfers.append(transfer)
        noteDeadline(of: transfer)
        do throws(Exchange.Failure) {
            try partition(for: transfer.exchange.pool).start(transfer)
        } catch {
            finish(transfer, failure: error)
        }
    }

    private func partition(
        for pool: Exchange.Pool
    ) throws(Exchange.Failure) -> Partition {
        if let known = partitions[pool.identifier] { return known }
        let partition = try Partition(pool: pool, loop: self)
        partitions[pool.identifier] = partition
        pool.onRelease { [mailbox] identifier in
            _ = mailbox.post(.closePool(identifier))
        }
        return partition
    }

    private func closePartition(_ identifier: UInt64) {
        guard let partition = partitions.removeValue(forKey: identifier) else { return }
        partition.deadline = nil
        armed.removeAll { $0 === partition }
        dirty.removeAll { $0 === partition }
    }

    // MARK: libcurl's turn

    func arm(_ partition: Partition) {
        guard !partition.isArmed else { return }
        partition.isArmed = true
        armed.append(partition)
    }

    func markDirty(_ partition: Partition) {
        guard !partition.isDirty else { return }
        partition.isDirty = true
        dirty.append(partition)
    }

    private func runTimers() {
        guard !armed.isEmpty else { return }
        for partition in armed {
            if let deadline = partition.deadline, deadline <= now { partition.actOnTimer() }
        }
        armed.removeAll { partition in
            guard partition.deadline == nil else { return false }
            partition.isArmed = false
            return true
        }
    }

    private func collectFinished() {
        guard !dirty.isEmpty else { return }
        let current = dirty
        dirty.removeAll(keepingCapacity: true)
        for partition in current {
            partition.isDirty = false
            partition.collectFinished()
        }
    }

    // MARK: Decoding in steps

    func continueDecoding(_ transfer: CurlTransfer) {
        guard !transfer.isInDecodingLine else { return }
        transfer.isInDecodingLine = true
        decodingTransfers.append(transfer)
    }

    private func decode() {
        guard !decodingTransfers.isEmpty else { return }
        let current = decodingTransfers
        decodingTransfers = []
        for transfer in current {
            transfer.isInDecodingLine = false
            if transfer.decodeFurther() { continueDecoding(transfer) }
        }
    }

    // MARK: Ends

    /// Ends an exchange with libcurl's result, or, after late decoding, with none.
    func finish(_ transfer: CurlTransfer, result: CURLcode?) {
        end(transfer, result: result, failure: nil)
    }

    func finish(_ transfer: CurlTransfer, failure: Exchange.Failure) {
        end(transfer, result: nil, failure: failure)
    }

    private func end(_ transfer: CurlTransfer, result: CURLcode?, failure: Exchange.Failure?) {
        guard transfer.stage != .finished else { return }
        let isOver = transfer.conclude(result: result, failure: failure)
        transfer.stage = isOver ? .finished : .decoding
        if isOver { forget(transfer) }
        partitions[transfer.exchange.pool.identifier]?.release(transfer)
    }

    private func forget(_ transfer: CurlTransfer) {
        if !sendingTransfers.isEmpty { sendingTransfers[transfer.number] = nil }
        guard transfers.indices.contains(transfer.slot) else { return }
        let last = transfers.removeLast()
        if last !== transfer {
            transfers[transfer.slot] = last
            last.slot = transfer.slot
        }
        transfer.slot = -1
        if !transfer.hasSocket { socketBecameCertain() }
    }

    // MARK: Deadlines

    func noteDeadline(of transfer: CurlTransfer) {
        guard let deadline = transfer.nextDeadline else { return }
        nextSweep = min(nextSweep ?? deadline, deadline)
    }

    private func sweepDeadlines() {
        guard let due = nextSweep, due <= now else { return }
        let expired = transfers.compactMap { transfer in
            transfer.timeout(at: now).map { (transfer, $0) }
        }
        for (transfer, failure) in expired {
            finish(transfer, failure: failure)
        }
        let soonest = transfers.lazy.compactMap(\.nextDeadline).min()
        nextSweep = soonest.map { max($0, now.advanced(by: Self.sweepInterval)) }
    }

    // MARK: Bodies being sent

    /// Notes that libcurl sends the body of an exchange piece by piece.
    func isSending(_ transfer: CurlTransfer) {
        sendingTransfers[transfer.number] = transfer
    }

    /// Takes leave of a connection's socket, and saves an answer on it that libcurl never read.
    func willClose(_ socket: Int32) {
        if !sendingTransfers.isEmpty, let number = sockets.transferNumber(of: socket),
            let transfer = sendingTransfers[number], !transfer.hasHead
        {
            transfer.keepAnswer(on: socket)
        }
        sockets.closing(socket)
    }

    // MARK: Reports

    func touched(_ transfer: CurlTransfer) {
        touchedTransfers.append(transfer)
    }

    private func deliver() {
        guard !touchedTransfers.isEmpty else { return }
        for transfer in touchedTransfers {
            transfer.deliver()
        }
        touchedTransfers.removeAll(keepingCapacity: touchedTransfers.count <= 1024)
    }

    // MARK: Shutting down

    private func failEverything(_ failure: Exchange.Failure) {
        for transfer in transfers {
            finish(transfer, failure: failure)
        }
        deliver()
    }

    private func shutDown() {
        let late = mailbox.close()
        failEverything(.shutDown)
        for case .start(let transfer) in late {
            transfer.refuse(.shutDown)
        }
        armed = []
        dirty = []
        partitions = [:]
    }
}

extension MonotonicInstant {
    fileprivate var next: Self { advanced(by: 1) }
}

extension Exchange.Failure {
    static let shutDown = Self(.cancelled, message: "the transport was shut down")

    fileprivate static func system(_ message: String, _ number: Int32) -> Self {
        Self(
            .unknown,
            message: "\(message): \(String(cString: strerror(number)))",
            systemErrorNumber: number
        )
    }
}
