import CBluebonnet
import Foundation
import FoundationNetworking

/// A pool's connections: one libcurl multi handle, and the queue of exchanges for it.
///
/// It lives on the loop thread. How many exchanges are under way is decided here, so libcurl keeps
/// none waiting, unless an HTTP/2 server takes fewer at once than the pool allows.
final class ConnectionPool {
    /// Handles kept for reuse; each costs some 6 KB.
    private static let maximumIdleHandles = 256

    /// It lets its connectionPools go when it is shut down.
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
    var isArmed = false
    private var timerThrottle = TimerThrottle()
    var isDirty = false
    /// What libcurl said when it could not go on, so that nothing more can come of this pool.
    private(set) var fault: Exchange.Failure?
    /// Whether libcurl is to look again at the exchanges that wait for a connection.
    var hasNewConnection = false
    /// Exchanges that were denied a socket, for libcurl to go on with once it does not call back.
    var denied: [CurlTransfer] = []
    /// Hosts with a connection, or without one, for which exchanges wait.
    var settledHosts: [HostQueue] = []
    var slowAddresses = SlowAddresses()
    private lazy var pruner = ConnectionPruner(template: templates[false])
    /// How often libcurl was called to act; what was added before the last call has begun.
    private(set) var actionCount = 0

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The pool that a context pointer stands for.
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
        queue = ConnectionQueue(limits: ConnectionLimits(of: pool))
        try setUp(pool)
    }

    deinit {
        // Handles go first, then the connections, then what they share.
        idleHandles = SchemePair(plain: [], secure: [])
        pruner = nil
        curl_multi_cleanup(multi)
    }

    private static let noMemory = Exchange.Failure(
        .unknown,
        message: "libcurl has no memory for a connection pool"
    )

    private func setUp(_ pool: Exchange.Pool) throws(Exchange.Failure) {
        let results = [
            bb_multi_set_socket_callback(multi, watchSocket),
            bb_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context),
            bb_multi_set_timer_callback(multi, noteTimer),
            bb_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context),
            bb_multi_set_long(
                multi, CURLMOPT_MAX_HOST_CONNECTIONS,
                // To libcurl a proxy that forwards requests is the host of them all.
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

    /// Puts an exchange that was parked in the queue again.
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

    /// Gives an exchange that still waits the place that its priority is worth.
    func reorder(_ transfer: CurlTransfer) {
        queue.reorder(transfer)
        admit()
    }

    /// Starts those whose turn it is.
    func admit() {
        guard queue.mayHaveNext else { return }
        while fault == nil, let next = queue.next() {
            activate(next)
        }
    }

    /// Starts, at the end of the turn, those for whom libcurl has just made room.
    ///
    /// It is called while libcurl calls back, when nothing can be started.
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

    /// Keeps a handle that libcurl does not have for another exchange.
    func keep(_ handle: EasyHandle) {
        let isSecure = handle.template.isSecure
        guard idleHandles[isSecure].count < Self.maximumIdleHandles, handle.isReusable else {
            return
        }
        idleHandles[isSecure].append(handle)
    }

    /// The lines of an exchange's header fields: the last ones again, if they are the same.
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

    /// Calls libcurl soon, because it was given something to do.
    func hurry() {
        if timerThrottle.isThrottling, deadline != nil { deadline = loop.now }
        timerThrottle.reset()
    }

    func act(on socket: Int32, events: UInt32) {
        var mask: Int32 = 0
        // An answer may have come since epoll looked, with a reset behind it: libcurl reads first if
        // it knows, and would otherwise fail to send and never read the answer.
        if events & UInt32(BB_READABLE) != 0 || bb_socket_unread_count(socket) > 0 {
            mask |= CURL_CSELECT_IN
        }
        if events & UInt32(BB_WRITABLE) != 0 { mask |= CURL_CSELECT_OUT }
        if events & UInt32(BB_FAILED) != 0 { mask |= CURL_CSELECT_ERR }
        timerThrottle.reset()
        act(on: socket, mask: mask)
    }

    /// Has libcurl close the idle connections that are too old, or at their end.
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
        // libcurl leaves off in the middle then: some exchanges would never be gone on with.
        if result != CURLM_OK { fault = fault ?? .stopped(result) }
    }

    /// Finishes the exchanges that libcurl is done with.
    func collectFinished() {
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle
            else { continue }
            // The message dies with the removal of its handle.
            let result = bb_message_result(message)
            guard let context = EasyHandle.context(of: easy),
                let transfer = EasyHandle.from(context).transfer
            else { continue }
            if result == CURLE_COULDNT_CONNECT, connect(transfer) { continue }
            loop.finish(transfer, result: result)
        }
        wakeDenied()
        wakeFollowers()
        wakePending()
        admit()
    }
}
