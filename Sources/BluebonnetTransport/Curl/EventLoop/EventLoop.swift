import CBluebonnet
import Foundation
import FoundationNetworking
import Glibc

/// The thread on which every exchange of a transport happens.
///
/// It waits on epoll, lets libcurl act on what is ready, and hands out at the end of a turn what
/// happened in it. It runs no code of the user's and waits for nothing but epoll.
// Sendable: `mailbox` and `meter` are made for any thread; everything else is read
// and written on the loop thread alone once it runs, here and in the extensions.
final class EventLoop: @unchecked Sendable {
    let mailbox: Mailbox
    private let epoll: Int32
    private let endedSocket: Int32
    let sockets: SocketTable
    private(set) var now = MonotonicInstant.now
    /// Whether there may be more events than could be taken at once.
    private var mayHaveMissed = false
    /// Whatever came before that moment is among the events of this turn, unless some were missed.
    private(set) var lastLook = MonotonicInstant.now
    /// A turn that takes longer has stood still, as where the process was stopped.
    private static let longTurn: TimeInterval = 0.1

    let connectionPools = ConnectionPoolTable()
    var armed: [ConnectionPool] = []
    var dirty: [ConnectionPool] = []
    let transfers = TransferList()
    let authorityFiles = AuthorityFiles()
    private(set) lazy var emptyCache = EmptyConnectionCache()
    private var touchedTransfers: [CurlTransfer] = []
    var decodingTransfers: [CurlTransfer] = []
    var waitingForTurn: [CurlTransfer] = []
    // Some properties of the loop thread's objects are not checked for exclusive access as the program
    // runs, since 64 checks are a tenth of a request's instructions (11,000 of 119,000). An access to one
    // of them is short, calls no other code, and lets nothing go whose end needs it.
    @exclusivity(unchecked) var sendingTransfers: [UInt64: CurlTransfer] = [:]
    /// Those that are suspended before their head.
    @exclusivity(unchecked) var mutedTransfers: [UInt64: CurlTransfer] = [:]
    /// Those over HTTP/1 whose response is held back, while libcurl may read on nevertheless.
    @exclusivity(unchecked) var transfersReadingOn: [UInt64: CurlTransfer] = [:]
    /// Those whose connections are being raced for.
    @exclusivity(unchecked) var racingTransfers: [UInt64: CurlTransfer] = [:]
    /// When their next attempts begin, in the order of time.
    var raceStarts = FIFO<(due: MonotonicInstant, transferNumber: UInt64)>()
    /// Those whose race is over.
    var racedTransfers: [CurlTransfer] = []
    var nextSweep: MonotonicInstant?
    var commands: [LoopCommand] = []
    var isShuttingDown = false
    var canRearm = false
    /// Whether an exchange was told to wait in this turn, after which libcurl may not watch its
    /// socket.
    var mayHoldSockets = false
    let meter: TurnMeter
    private let sliceLength: TimeInterval

    /// What one kind of work may take of this turn.
    var slice: TimeSlice { TimeSlice(length: sliceLength) }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ context: UnsafeMutableRawPointer) -> EventLoop {
        Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
    }

    init(
        meter: TurnMeter = TurnMeter(),
        sliceLength: TimeInterval = TimeSlice.usualLength
    ) throws(Exchange.Failure) {
        epoll = bb_epoll_create()
        endedSocket = bb_socket_create_ended()
        let wake = bb_eventfd_create()
        guard epoll >= 0, endedSocket >= 0, wake >= 0 else {
            let number = errno
            for descriptor in [epoll, endedSocket, wake] where descriptor >= 0 { close(descriptor) }
            throw .system("the event loop has no file descriptors", number)
        }
        self.meter = meter
        self.sliceLength = sliceLength
        mailbox = Mailbox(wakeDescriptor: wake)
        sockets = SocketTable(epoll: epoll, endedSocket: endedSocket)
        guard bb_epoll_add(epoll, wake, UInt32(BB_READABLE), Self.wakeToken) == 0 else {
            throw .system("the event loop cannot be woken", errno)
        }
    }

    static let wakeToken = UInt64.max

    deinit {
        close(epoll)
        close(endedSocket)
        close(mailbox.wakeDescriptor)
    }

    /// Starts the thread, which holds the loop until it is shut down.
    func startThread(name: String) throws(Exchange.Failure) -> pthread_t {
        do throws(ThreadNotStarted) {
            return try NamedThread.start(name) { self.run() }
        } catch {
            throw .system("the event loop's thread could not be started", error.code)
        }
    }

    // MARK: Turns

    private func run() {
        var ready = [bb_readiness](repeating: bb_readiness(), count: 256)
        var ending = Exchange.Failure.shutDown
        while !isShuttingDown {
            let count = bb_epoll_wait(epoll, &ready, Int32(ready.count), waitMilliseconds())
            if count < 0 {
                if errno == EINTR { continue }
                ending = .system("the event loop cannot wait for events", errno)
                break
            }
            (lastLook, now) = (now, .now)
            mayHoldSockets = false
            let start = meter.beginTurn(at: now)
            // Before the events, which take a while: a request that comes meanwhile waits for those
            // of the next turn, or it could go out on a connection whose end has already arrived.
            mailbox.take(into: &commands)
            dispatch(ready.prefix(Int(count)))
            mayHaveMissed = Int(count) == ready.count
            if mayHaveMissed { ready += repeatElement(bb_readiness(), count: ready.count) }
            turn()
            let end = meter.endTurn(since: start)
            if end.seconds(since: now) > Self.longTurn {
                redate(to: end)
                now = end
            }
        }
        shutDown(with: ending)
    }

    private func turn() {
        continueWaitingTransfers()
        // Before anything starts, which would take over the connections of what has finished.
        collectFinished()
        continueRaces()
        settleRaces()
        closeOldConnections()
        runCommands()
        runTimers()
        collectFinished()
        // What finished made room for others: start them before going to sleep.
        runTimers()
        collectFinished()
        holdBack()
        decode()
        // What has come in time and waits for a later turn must not be late for that.
        if !sockets.isRoundUnfinished, !mayHaveMissed { sweepDeadlines() }
        rearmSockets()
        deliver()
    }

    /// Whether so many seconds of the turn are over.
    func hasLasted(_ seconds: TimeInterval) -> Bool {
        MonotonicInstant.now.seconds(since: now) >= seconds
    }

    // MARK: Reports

    func touched(_ transfer: CurlTransfer) {
        touchedTransfers.append(transfer)
    }

    func deliver() {
        guard let first = touchedTransfers.first else { return }
        if touchedTransfers.count == 1 {
            first.deliver()
        } else {
            first.gather { deliverTouched() }
            // Whatever a sink makes of that closure, the others lose nothing by it.
            deliverTouched()
        }
        touchedTransfers.removeAll(keepingCapacity: touchedTransfers.count <= 1024)
    }

    private func deliverTouched() {
        for transfer in touchedTransfers { transfer.deliverIfTouched() }
    }
}

extension Exchange.Failure {
    fileprivate static func system(_ message: String, _ number: Int32) -> Self {
        Self(
            .unknown,
            message: "\(message): \(String(cString: strerror(number)))",
            systemErrorNumber: number
        )
    }
}
