import CBluebonnet
import Foundation
import FoundationNetworking
import Glibc

/// The thread that performs every exchange of a transport.
///
/// In each turn, it waits on epoll, lets libcurl act on ready sockets, and reports what happened.
/// It runs no user code and blocks only in epoll.
// Sendable: `mailbox` and `meter` are thread-safe. Once the loop runs, everything else is used only
// on its thread, here and in the extensions.
final class EventLoop: @unchecked Sendable {
    let mailbox: Mailbox
    private let epoll: Int32
    private let endedSocket: Int32
    let sockets: SocketTable
    private(set) var now = MonotonicInstant.now
    /// Whether epoll may have more events than it returned at once.
    private var mayHaveMissed = false
    /// The time of the previous check for events.
    ///
    /// Everything that arrived before it is among the events of this turn, unless some were missed.
    private(set) var lastLook = MonotonicInstant.now
    /// The seconds after which a turn counts as interrupted, for example because the process was
    /// stopped.
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
    // Unchecked: some properties of the loop thread's objects are exempt from run-time exclusivity
    // checks, because 64 checks take 11,000 of a request's 119,000 instructions. An access to such
    // a property is short, calls no other code, and releases no object whose deinit needs the
    // property.
    @exclusivity(unchecked) var sendingTransfers: [UInt64: CurlTransfer] = [:]
    /// The exchanges that were suspended before their response's head arrived.
    @exclusivity(unchecked) var mutedTransfers: [UInt64: CurlTransfer] = [:]
    /// The HTTP/1 exchanges whose response is paused although libcurl may keep reading it.
    @exclusivity(unchecked) var transfersReadingOn: [UInt64: CurlTransfer] = [:]
    /// The exchanges whose sockets are racing.
    @exclusivity(unchecked) var racingTransfers: [UInt64: CurlTransfer] = [:]
    /// The start times of the next attempts in races, earliest first.
    var raceStarts = FIFO<(due: MonotonicInstant, transferNumber: UInt64)>()
    /// The exchanges whose race is over.
    var racedTransfers: [CurlTransfer] = []
    var nextSweep: MonotonicInstant?
    var commands: [LoopCommand] = []
    var isShuttingDown = false
    var canRearm = false
    /// Whether an exchange was paused in this turn, after which libcurl may stop watching its
    /// socket.
    var mayHoldSockets = false
    let meter: TurnMeter
    private let sliceLength: TimeInterval

    /// The time that one kind of work may take of this turn.
    var slice: TimeSlice { TimeSlice(length: sliceLength) }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ context: UnsafeMutableRawPointer) -> EventLoop {
        Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
    }

    init(
        meter: TurnMeter = TurnMeter(),
        sliceLength: TimeInterval = TimeSlice.usualLength
    ) throws(Exchange.Failure) {
        // Again, because a daemon can close them after the library was loaded.
        bb_standard_descriptors_open()
        epoll = bb_epoll_create()
        endedSocket = bb_socket_create_ended()
        let wake = bb_eventfd_create()
        guard epoll >= 0, endedSocket >= 0, wake >= 0 else {
            let number = errno
            for descriptor in [epoll, endedSocket, wake] where descriptor >= 0 { close(descriptor) }
            throw .system("the event loop could not open its file descriptors", number)
        }
        self.meter = meter
        self.sliceLength = sliceLength
        mailbox = Mailbox(wakeDescriptor: wake)
        sockets = SocketTable(epoll: epoll, endedSocket: endedSocket)
        guard bb_epoll_add(epoll, wake, UInt32(BB_READABLE), Self.wakeToken) == 0 else {
            throw .system("the event loop could not watch its wake-up descriptor", errno)
        }
    }

    static let wakeToken = UInt64.max

    deinit {
        close(epoll)
        close(endedSocket)
        close(mailbox.wakeDescriptor)
    }

    /// Starts the thread, which keeps the loop alive until it is shut down.
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
            // Before the events: a request that arrives later waits for the events of the next
            // turn, or it could go out on a connection that the server has already closed.
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
        // Before any exchange starts, which could take over the connection of a finished one.
        collectFinished()
        continueRaces()
        settleRaces()
        closeOldConnections()
        runCommands()
        runTimers()
        collectFinished()
        // Finished exchanges have made room for others, which start before the loop sleeps.
        runTimers()
        collectFinished()
        holdBack()
        decode()
        // Data that arrived in time must not time out because it waits for a later turn.
        if !sockets.isRoundUnfinished, !mayHaveMissed { sweepDeadlines() }
        rearmSockets()
        deliver()
    }

    /// Returns whether the turn has lasted at least this many seconds.
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
            // Delivers the rest if the first sink did not call the closure.
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
