import CBluebonnet
import Foundation
import FoundationNetworking

/// A pool's connections: one libcurl multi handle, and the queue of exchanges for it.
///
/// The queue decides how many exchanges are in progress. So none wait inside libcurl, unless an
/// HTTP/2 server allows fewer at once than the pool does. Used only on the loop thread.
final class ConnectionPool {
    /// The maximum number of handles kept for reuse, which take about 6 KB each.
    private static let maximumIdleHandles = 256

    /// The loop, which releases its connection pools when it is shut down.
    let loop: EventLoop
    /// The pool's identifier.
    let identifier: UInt64
    private let sessions = TLSSessionCaches()
    private let templates: SchemeTemplates
    let multi: UnsafeMutableRawPointer
    let queue: ConnectionQueue
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) private var idleHandles = SchemePair<[EasyHandle]>(
        plain: [], secure: [])
    private var lastHeaderLines: HeaderLines?

    /// When libcurl wants to be called for its own timers.
    var deadline: MonotonicInstant?
    /// When the queue may have another exchange to start, although nothing happens until then.
    var nextAdmission: MonotonicInstant?
    var isArmed = false
    private var timerThrottle = TimerThrottle()
    var isDirty = false
    /// The error after which libcurl cannot continue any exchange of this pool.
    private(set) var fault: Exchange.Failure?
    /// Whether libcurl has to recheck the exchanges that wait inside it for a connection.
    var hasNewConnection = false
    /// The exchanges that were denied a socket, which libcurl continues after its callback.
    var denied: [CurlTransfer] = []
    /// The hosts whose followers no longer have to wait.
    var settledHosts: [HostQueue] = []
    var slowAddresses = SlowAddresses()
    var goAways = GoAways()
    private lazy var pruner = ConnectionPruner(template: templates[false])
    /// The number of times that libcurl was called to act.
    ///
    /// libcurl has started every exchange that was added before the last call.
    private(set) var actionCount = 0

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Returns the connection pool of a context pointer.
    static func from(_ context: UnsafeMutableRawPointer) -> ConnectionPool {
        Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue()
    }

    init(pool: Exchange.Pool, loop: EventLoop) throws(Exchange.Failure) {
        try LibcurlQuirks.current.check(pool.httpVersion)
        templates = try SchemeTemplates(pool: pool, loop: loop)
        guard let multi = curl_multi_init() else { throw Self.noMemory }
        self.loop = loop
        identifier = pool.identifier
        self.multi = multi
        queue = ConnectionQueue(limits: ConnectionLimits(of: pool), now: { loop.now })
        try setUp(pool)
    }

    deinit {
        // Handles are released first, then the connections, then what they share.
        idleHandles = SchemePair(plain: [], secure: [])
        pruner = nil
        curl_multi_cleanup(multi)
    }

    private static let noMemory = Exchange.Failure(
        .unknown,
        message: "libcurl ran out of memory for a connection pool"
    )

    private func setUp(_ pool: Exchange.Pool) throws(Exchange.Failure) {
        let results = [
            bb_multi_set_socket_callback(multi, watchSocket),
            bb_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context),
            bb_multi_set_timer_callback(multi, noteTimer),
            bb_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context),
            bb_multi_set_long(
                multi, CURLMOPT_MAX_HOST_CONNECTIONS,
                // libcurl treats a proxy that forwards requests as the host of all of them.
                pool.route.httpProxy == nil ? pool.maximumConnectionsPerHost : 0),
            bb_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, pool.maximumConnections),
            bb_multi_set_long(multi, CURLMOPT_MAXCONNECTS, pool.maximumConnections),
            bb_multi_set_long(
                multi, CURLMOPT_MAX_CONCURRENT_STREAMS, pool.maximumStreamsPerConnection),
        ]
        guard results.allSatisfy({ $0 == CURLM_OK }) else {
            throw Exchange.Failure(.unknown, message: "libcurl refused an option of the pool")
        }
    }

    // MARK: The queue

    func start(_ transfer: CurlTransfer) throws(Exchange.Failure) {
        let host = try queue.host(of: transfer.exchange.url)
        if fault == nil, queue.admitAtOnce(transfer, at: host) { return activate(transfer) }
        queue.join(transfer, at: host)
        admitJoined(transfer)
    }

    /// Returns a parked exchange to the queue.
    func rejoin(_ transfer: CurlTransfer) {
        guard transfer.stage == .parked, let former = transfer.host else { return }
        transfer.stage = .waiting
        queue.join(transfer, key: former.key)
        admitJoined(transfer)
    }

    private func admitJoined(_ transfer: CurlTransfer) {
        admit()
        if transfer.stage == .waiting { loop.noteDeadline(of: transfer) }
    }

    /// Moves an exchange that still waits to the position for its priority.
    func reorder(_ transfer: CurlTransfer) {
        queue.reorder(transfer)
        admit()
    }

    /// Starts the next exchanges in the queue, as long as there are slots for them.
    func admit() {
        guard queue.mayHaveNext else { return }
        while fault == nil, let next = queue.next() {
            activate(next)
        }
        nextAdmission = queue.nextTrialTime
        if nextAdmission != nil { loop.arm(self) }
    }

    /// Acts on the timers that have expired.
    func runTimers() {
        if let deadline, deadline <= loop.now { actOnTimer() }
        if let time = nextAdmission, time <= loop.now {
            nextAdmission = nil
            admit()
        }
    }

    /// When the next timer expires, or nil for none.
    var nextTimer: MonotonicInstant? {
        guard let deadline, let nextAdmission else { return deadline ?? nextAdmission }
        return min(deadline, nextAdmission)
    }

    /// Schedules ``admit()`` for the end of the turn.
    ///
    /// Called from libcurl callbacks, where no exchange can be started.
    func admitSoon() {
        if queue.mayHaveNext { loop.markDirty(self) }
    }

    func activate(_ transfer: CurlTransfer) {
        do throws(Exchange.Failure) {
            let handle = try idleHandle(isSecure: transfer.host?.isSecure == true)
            if let host = transfer.host, host.isSecure {
                try handle.use(sessions.share(for: host.key))
            }
            try handle.configure(for: transfer.exchange)
            if transfer.exchange.connectsAnew { try handle.connectAnew() }
            handle.transfer = transfer
            transfer.handle = handle
            let result = curl_multi_add_handle(multi, handle.easy)
            guard result == CURLM_OK else {
                transfer.handle = nil
                throw .refusedExchange(result)
            }
            hurry()
            transfer.stage = .active
            transfer.times.noteSlot(at: loop.now)
            transfer.times.connecting = loop.now
            loop.noteDeadline(of: transfer)
        } catch {
            queue.leave(transfer)
            loop.finish(transfer, failure: error)
        }
    }

    func idleHandle(isSecure: Bool) throws(Exchange.Failure) -> EasyHandle {
        if let handle = idleHandles[isSecure].popLast() { return handle }
        return try EasyHandle(connectionPool: self, template: templates[isSecure])
    }

    /// Keeps a handle that is no longer in libcurl for another exchange.
    func keep(_ handle: EasyHandle) {
        let isSecure = handle.template.isSecure
        guard idleHandles[isSecure].count < Self.maximumIdleHandles, handle.isReusable else {
            return
        }
        idleHandles[isSecure].append(handle)
    }

    /// Returns the lines of an exchange's header fields, and reuses the last ones if they are the
    /// same.
    func headerLines(for exchange: Exchange) throws(Exchange.Failure) -> HeaderLines {
        if let lastHeaderLines, lastHeaderLines.fit(exchange) { return lastHeaderLines }
        let lines = try HeaderLines(for: exchange)
        lastHeaderLines = lines
        return lines
    }

    // MARK: libcurl's events

    func setTimer(milliseconds: Int) {
        let seconds =
            milliseconds == 0
            ? timerThrottle.delay { loop.isAtRest(pool: identifier) }
            : TimeInterval(milliseconds) / 1000
        deadline = milliseconds < 0 ? nil : loop.now.advanced(by: seconds)
        if deadline != nil { loop.arm(self) }
    }

    /// Makes sure that libcurl is called soon, because it has something to do.
    func hurry() {
        if timerThrottle.isThrottling, deadline != nil { deadline = loop.now }
        timerThrottle.reset()
    }

    func act(on socket: Int32, events: UInt32) {
        var mask: Int32 = 0
        // A response, followed by a reset, may have arrived since epoll reported. If told so,
        // libcurl reads first. Otherwise it fails to send and never reads the response.
        if events & UInt32(BB_READABLE) != 0 || bb_socket_unread_count(socket) > 0 {
            mask |= bb_select_in
        }
        if events & UInt32(BB_WRITABLE) != 0 { mask |= bb_select_out }
        if events & UInt32(BB_FAILED) != 0 { mask |= bb_select_error }
        timerThrottle.reset()
        act(on: socket, mask: mask)
    }

    /// Makes libcurl close idle connections that are too old or have ended.
    func prune() {
        pruner?.prune(multi) { actOnTimer() }
    }

    func actOnTimer() {
        deadline = nil
        act(on: CURL_SOCKET_TIMEOUT, mask: 0)
    }

    private func act(on socket: Int32, mask: Int32) {
        var running: Int32 = 0
        let result = curl_multi_socket_action(multi, socket, mask, &running)
        actionCount += 1
        loop.markDirty(self)
        // libcurl stops halfway after an error, so some exchanges would never continue.
        if result != CURLM_OK { fault = fault ?? .stopped(result) }
    }

    /// Handles the exchanges that libcurl has finished.
    func collectFinished() {
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle
            else { continue }
            // The message is freed when its handle is removed.
            let result = bb_message_result(message)
            guard let context = EasyHandle.context(of: easy),
                let transfer = EasyHandle.from(context).transfer
            else { continue }
            if transfer.isLookUpDenied {
                requeue(transfer)
                continue
            }
            if result == CURLE_COULDNT_CONNECT, connect(transfer) { continue }
            loop.finish(transfer, result: result)
        }
        wakeDenied()
        wakeFollowers()
        wakePending()
        admit()
    }
}
