import CBluebonnet
import Foundation
import FoundationNetworking

/// A pool's connections: one libcurl multi handle, and the line of exchanges for it.
///
/// It lives on the loop thread. How many exchanges are under way is decided here, so libcurl never
/// keeps one waiting.
final class Partition {
    /// Handles kept for reuse; each costs some 6 KB.
    private static let maximumIdleHandles = 256

    unowned let loop: CurlLoop
    /// The pool's identifier.
    let identifier: UInt64
    let model: EasyModel
    let share: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let maximumPerHost: Int
    private let maximumTotal: Int
    private var hosts: [String: HostQueue] = [:]
    private var inLine = FIFO<HostQueue>()
    private var activeCount = 0
    private var idleHandles: [EasyHandle] = []
    private var lastHeaderLines: HeaderLines?

    /// When libcurl wants to be called for its own timers.
    var deadline: MonotonicInstant?
    var isArmed = false
    var isDirty = false
    /// How often libcurl was called to act; what was added before the last call has begun.
    private(set) var actionCount = 0

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ context: UnsafeMutableRawPointer) -> Partition {
        Unmanaged<Partition>.fromOpaque(context).takeUnretainedValue()
    }

    init(pool: Exchange.Pool, loop: CurlLoop) throws(Exchange.Failure) {
        model = try EasyModel(certificateAuthorityFile: pool.certificateAuthorityFile, loop: loop)
        guard let multi = curl_multi_init() else { throw Self.noMemory }
        guard let share = curl_share_init() else {
            curl_multi_cleanup(multi)
            throw Self.noMemory
        }
        self.loop = loop
        identifier = pool.identifier
        self.multi = multi
        self.share = share
        maximumPerHost = pool.maximumConnectionsPerHost
        maximumTotal = pool.maximumConnections
        try setUp()
    }

    deinit {
        // Handles go first, then what they share, then the connections.
        idleHandles.removeAll()
        curl_multi_cleanup(multi)
        curl_share_cleanup(share)
    }

    private static let noMemory = Exchange.Failure(
        .unknown,
        message: "libcurl has no memory for a connection pool"
    )

    private func setUp() throws(Exchange.Failure) {
        let results = [
            bb_multi_set_socket_callback(multi, watchSocket),
            bb_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context),
            bb_multi_set_timer_callback(multi, noteTimer),
            bb_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context),
            bb_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, maximumPerHost),
            bb_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, maximumTotal),
            bb_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maximumTotal),
        ]
        guard results.allSatisfy({ $0 == CURLM_OK }),
            bb_share_set_data(share, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK
        else {
            throw Exchange.Failure(.unknown, message: "libcurl refused an option of the pool")
        }
    }

    // MARK: The line

    func start(_ transfer: CurlTransfer) throws(Exchange.Failure) {
        join(transfer, key: try HostQueue.key(of: transfer.exchange.url))
    }

    /// Puts an exchange that was parked in line again.
    func rejoin(_ transfer: CurlTransfer) {
        guard transfer.stage == .parked, let former = transfer.host else { return }
        transfer.stage = .waiting
        join(transfer, key: former.key)
    }

    /// While an exchange is parked its queue may go and another come for the same host.
    private func join(_ transfer: CurlTransfer, key: String) {
        let host = hosts[key] ?? HostQueue(key: key)
        hosts[key] = host
        transfer.host = host
        enqueue(transfer, at: host)
    }

    private func enqueue(_ transfer: CurlTransfer, at host: HostQueue) {
        host.waiting.append(transfer)
        admit(from: host)
    }

    private func admit(from host: HostQueue) {
        while host.activeCount < maximumPerHost, !host.waiting.isEmpty {
            guard activeCount < maximumTotal else {
                if !host.isInLine {
                    host.isInLine = true
                    inLine.append(host)
                }
                return
            }
            guard let next = host.popWaiting() else { break }
            activate(next, at: host)
        }
        if host.activeCount == 0, host.waiting.isEmpty, !host.isInLine {
            hosts[host.key] = nil
        }
    }

    private func activate(_ transfer: CurlTransfer, at host: HostQueue) {
        do throws(Exchange.Failure) {
            let handle = try idleHandle()
            try handle.configure(for: transfer.exchange)
            handle.transfer = transfer
            transfer.handle = handle
            let result = curl_multi_add_handle(multi, handle.easy)
            guard result == CURLM_OK else {
                transfer.handle = nil
                throw Exchange.Failure(
                    .unknown,
                    message:
                        "libcurl refused the exchange: \(String(cString: curl_multi_strerror(result)))"
                )
            }
            transfer.stage = .active
            transfer.activatedAt = loop.now
            transfer.lastActivity = loop.now
            loop.noteDeadline(of: transfer)
            host.activeCount += 1
            activeCount += 1
        } catch {
            loop.finish(transfer, failure: error)
        }
    }

    private func idleHandle() throws(Exchange.Failure) -> EasyHandle {
        if let handle = idleHandles.popLast() { return handle }
        return try EasyHandle(partition: self)
    }

    /// The lines of an exchange's header fields: the last ones again, if they are the same.
    func headerLines(for exchange: Exchange) throws(Exchange.Failure) -> HeaderLines {
        if let lastHeaderLines, lastHeaderLines.fit(exchange) { return lastHeaderLines }
        let lines = try HeaderLines(for: exchange)
        lastHeaderLines = lines
        return lines
    }

    /// Takes an exchange out of libcurl and gives its slot to the next in line.
    func release(_ transfer: CurlTransfer) {
        guard let handle = transfer.handle, let host = transfer.host else { return }
        transfer.handle = nil
        curl_multi_remove_handle(multi, handle.easy)
        handle.transfer = nil
        if idleHandles.count < Self.maximumIdleHandles, handle.isReusable {
            idleHandles.append(handle)
        }
        host.activeCount -= 1
        activeCount -= 1
        // The first in line may have nobody left who wants the slot.
        while activeCount < maximumTotal, let first = inLine.pop() {
            first.isInLine = false
            admit(from: first)
        }
        admit(from: host)
    }

    // MARK: libcurl's events

    func setTimer(milliseconds: Int) {
        deadline =
            milliseconds < 0
            ? nil : loop.now.advanced(by: TimeInterval(milliseconds) / 1000)
        if deadline != nil { loop.arm(self) }
    }

    func act(on socket: Int32, events: UInt32) {
        var mask: Int32 = 0
        // An answer may have come since epoll looked, with a reset behind it: libcurl reads first if
        // it knows, and would otherwise fail to send and never read the answer.
        if events & UInt32(BB_READABLE) != 0 || bb_socket_is_readable(socket) != 0 {
            mask |= CURL_CSELECT_IN
        }
        if events & UInt32(BB_WRITABLE) != 0 { mask |= CURL_CSELECT_OUT }
        if events & UInt32(BB_FAILED) != 0 { mask |= CURL_CSELECT_ERR }
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, mask, &running)
        actionCount += 1
        loop.markDirty(self)
    }

    func actOnTimer() {
        deadline = nil
        var running: Int32 = 0
        curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
        actionCount += 1
        loop.markDirty(self)
    }

    /// Finishes the exchanges that libcurl is done with.
    func collectFinished() {
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle
            else { continue }
            // The message dies with the removal of its handle.
            let result = bb_message_result(message)
            var pointer: UnsafeMutableRawPointer?
            _ = bb_easy_get_pointer(easy, CURLINFO_PRIVATE, &pointer)
            if let transfer = pointer.flatMap({ EasyHandle.from($0).transfer }) {
                loop.finish(transfer, result: result)
            }
        }
    }
}
