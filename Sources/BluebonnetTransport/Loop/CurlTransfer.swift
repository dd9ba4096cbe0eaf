import CBluebonnet
import Foundation
import FoundationNetworking
import Synchronization

/// One exchange on the loop: its place in line, what came of its response, its end.
// Sendable: `exchange`, `sink`, `loop`, `number` and the two start stamps never change; everything
// else is read and written on the loop thread alone.
final class CurlTransfer: Transfer, @unchecked Sendable {
    /// Where the exchange stands.
    enum Stage {
        /// In line for a connection slot.
        case waiting
        /// Suspended while in line; joins it again when resumed.
        case parked
        /// In libcurl's hands.
        case active
        /// Left libcurl, but its body is still being decoded.
        case decoding
        case finished
    }

    /// What became of a piece of the body.
    enum Acceptance {
        case taken, paused, refused
    }

    let number: UInt64
    let exchange: Exchange
    let loop: CurlLoop
    let startedAt: MonotonicInstant
    private let startDate: Date
    private let sink: any ExchangeSink

    var stage = Stage.waiting
    /// Its index among the loop's transfers.
    var slot = -1
    var host: HostQueue?
    var handle: EasyHandle?
    var place = LinePlace()
    var priority: Float
    /// Whether it counts among the exchanges that may be looking up a host's addresses.
    var isLookingUp = false
    /// Since when it waits for a connection slot.
    var queuedAt: MonotonicInstant
    var activatedAt: MonotonicInstant?
    var stamps = Stamps()
    var security: ConnectionSecurity?
    /// Whether its response came over HTTP/2.
    var isMultiplexed = false
    var lastActivity: MonotonicInstant
    private(set) var isSuspended = false
    /// Whether libcurl has watched a socket for it.
    var hasSocket = false
    /// The directions in which libcurl was told to wait.
    private var pausedDirections: Int32 = 0
    /// Bytes of the body that the sink has and has not consumed, where there is a window.
    private let outstanding = Atomic<Int>(0)
    /// Whether the loop waits for the sink to consume some.
    private let isStarved = Atomic<Bool>(false)
    private var isTouched = false
    /// Whether the loop is to call ``decodeFurther()``.
    var isInDecodingLine = false

    private var parser: HeadParser
    private var body: BodyReceiver?
    private(set) var report = Exchange.Report()
    private var headAt: MonotonicInstant?
    private(set) var hasHead = false
    var failure: Exchange.Failure?
    private var wireBytes: Int64 = 0
    private var requestBody: (any RequestBody)?
    /// What the server had answered when it reset the connection on which the body was being sent.
    var abandonedAnswer: [UInt8] = []
    private var sentBytes: Int64 = 0
    private var lastSendingReport: MonotonicInstant?
    private(set) var attempts = 0
    private var sentAtLastLook: Int64 = 0
    private var libcurlMetrics = Exchange.Metrics()

    init(exchange: Exchange, sink: any ExchangeSink, loop: CurlLoop) {
        number = lastNumber.add(1, ordering: .relaxed).newValue
        self.exchange = exchange
        self.sink = sink
        self.loop = loop
        startDate = Date()
        startedAt = .now
        lastActivity = startedAt
        queuedAt = startedAt
        priority = exchange.priority
        parser = HeadParser(limits: exchange.limits)
        // Small bodies in memory are libcurl's own; the copy that this one shares costs nothing.
        switch exchange.body {
        case .data(let data): requestBody = MemoryBody(data)
        case .stream(let stream):
            requestBody = StreamedBody(stream) { [weak self] in self?.requestFlow() }
        case nil: break
        }
    }

    // MARK: Control, from any thread

    func cancel() { _ = loop.mailbox.post(.cancel(self)) }
    func suspend() { _ = loop.mailbox.post(.suspend(self)) }
    func resume() { _ = loop.mailbox.post(.resume(self)) }
    func setPriority(_ priority: Float) { _ = loop.mailbox.post(.prioritize(self, priority)) }

    func didConsume(_ count: Int) {
        guard let window = exchange.receiveWindow else { return }
        let left = outstanding.subtract(count, ordering: .sequentiallyConsistent).newValue
        guard left <= window / 4,
            isStarved.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        requestFlow()
    }

    private func requestFlow() { _ = loop.mailbox.post(.flow(self)) }

    /// Ends an exchange that the loop never took.
    func refuse(_ failure: Exchange.Failure) {
        sink.receive(Exchange.Report(end: Exchange.End(failure: failure, metrics: metrics())))
    }

    // MARK: Pausing

    func setSuspended(_ isSuspended: Bool) {
        guard self.isSuspended != isSuspended else { return }
        self.isSuspended = isSuspended
        guard isSuspended else {
            queuedAt = loop.now
            return flowAgain()
        }
        guard stage == .active, let handle else { return }
        // Refused while there is no connection; the callbacks pause the exchange later then.
        if curl_easy_pause(handle.easy, CURLPAUSE_ALL) == CURLE_OK {
            pausedDirections = CURLPAUSE_ALL
        }
    }

    /// Goes on as far as there is reason to: somebody resumed, consumed or has more to send.
    func flowAgain() {
        if mayReceive, body?.isBusy == true { loop.continueDecoding(self) }
        // First, or no timeout that stands still while libcurl waits would be noted.
        unpauseIfPossible()
        restartIdleTime()
    }

    /// Lets the idle timeout, which did not run, begin anew.
    private func restartIdleTime() {
        lastActivity = loop.now
        loop.noteDeadline(of: self)
    }

    /// Whether the sink can take more; if not, the loop hears when it can.
    private var mayReceive: Bool {
        guard !isSuspended else { return false }
        guard let window = exchange.receiveWindow else { return true }
        guard outstanding.load(ordering: .sequentiallyConsistent) >= window else { return true }
        isStarved.store(true, ordering: .sequentiallyConsistent)
        // It may have consumed everything between the two.
        guard outstanding.load(ordering: .sequentiallyConsistent) <= window / 4 else {
            return false
        }
        isStarved.store(false, ordering: .sequentiallyConsistent)
        return true
    }

    private func unpauseIfPossible() {
        guard stage == .active, pausedDirections != 0, !isSuspended, let handle else { return }
        var directions: Int32 = 0
        if body?.isBusy == true || !mayReceive { directions = pausedDirections & CURLPAUSE_RECV }
        guard directions != pausedDirections else { return }
        pausedDirections = directions
        handle.partition.hurry()
        // May call back into this object; an error there is this call's result and nothing else.
        let result = curl_easy_pause(handle.easy, directions)
        // A bad argument is an exchange without a connection: there is nothing to let go.
        if result != CURLE_OK, result != CURLE_BAD_FUNCTION_ARGUMENT {
            loop.finish(self, result: result)
        }
    }

    // MARK: What libcurl hands over

    func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        noteHeaderLine()
        do throws(Exchange.Failure) {
            if parser.isAtStart { parser.swapDraft(with: &loop.fieldDraft) }
            guard let head = try parser.take(line) else { return true }
            parser.swapDraft(with: &loop.fieldDraft)
            loop.fieldDraft.removeAll()
            hasHead = true
            try noteVersion(isHTTP2: parser.isHTTP2)
            headAt = .now
            body = try BodyReceiver(head: head, exchange: exchange)
            report.head = head
            noteCopiedBodySent()
            touch()
            return !endsWithHead
        } catch {
            failure = failure ?? error
            return false
        }
    }

    /// A small body in memory was sent by libcurl without asking for it.
    private func noteCopiedBodySent() {
        guard exchange.reportsSending, sentBytes == 0, let handle else { return }
        let sent = handle.offset(CURLINFO_SIZE_UPLOAD_T)
        guard sent > 0 else { return }
        sentBytes = sent
        report.sentBodyBytes = sent
    }

    /// A HEAD with a body is to libcurl a POST by another name, whose response's body it awaits.
    private var endsWithHead: Bool { exchange.method == "HEAD" && exchange.body != nil }

    func receiveBody(_ piece: UnsafeRawBufferPointer) -> Acceptance {
        lastActivity = loop.now
        guard failure == nil else { return .refused }
        guard mayReceive, body?.isBusy == false else {
            guard body != nil else {
                failure = .malformed("the response's body came before its head")
                return .refused
            }
            pausedDirections |= CURLPAUSE_RECV
            return .paused
        }
        wireBytes += Int64(piece.count)
        touch()
        do throws(Exchange.Failure) {
            try decoding { body throws(Exchange.Failure) in try body?.take(piece) }
        } catch {
            failure = error
            return .refused
        }
        if body?.isBusy == true { loop.continueDecoding(self) }
        return .taken
    }

    /// Decodes one more step; true when there is more to do now.
    func decodeFurther() -> Bool {
        guard stage == .active || stage == .decoding, body?.isBusy == true, mayReceive
        else { return false }
        touch()
        do throws(Exchange.Failure) {
            try decoding { body throws(Exchange.Failure) in try body?.continueDecoding() }
        } catch {
            failure = failure ?? error
            loop.finish(self, result: nil)
            return false
        }
        if body?.isBusy == true { return true }
        if stage == .decoding {
            loop.finish(self, result: nil)
        } else {
            restartIdleTime()
            unpauseIfPossible()
        }
        return false
    }

    /// Counts what comes of a step as outstanding.
    private func decoding(
        _ step: (inout BodyReceiver?) throws(Exchange.Failure) -> Void
    ) throws(Exchange.Failure) {
        let before = body?.decodedCount ?? 0
        defer {
            if exchange.receiveWindow != nil {
                let count = (body?.decodedCount ?? 0) - before
                outstanding.add(count, ordering: .sequentiallyConsistent)
            }
        }
        try step(&body)
    }

    func provideBody(_ place: UnsafeMutableRawBufferPointer) -> Int {
        guard !isSuspended else { return pauseSending() }
        switch requestBody?.fill(place) {
        case nil: return 0
        case .later?: return pauseSending()
        case .failed(let failure)?:
            self.failure = self.failure ?? failure
            return Int(CURL_READFUNC_ABORT)
        case .bytes(let count)?:
            if sentBytes == 0 { loop.isSending(self) }
            lastActivity = loop.now
            sentBytes += Int64(count)
            reportSending(isWhole: count == 0)
            return count
        }
    }

    /// Takes what was left of a body when libcurl had given the exchange up.
    func takeAbandoned(_ bytes: [UInt8]) throws(Exchange.Failure) {
        wireBytes += Int64(bytes.count)
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(Exchange.Failure) in
                try decoding { body throws(Exchange.Failure) in try body?.take(bytes) }
            }
        }
        try result.get()
        if body?.isBusy == true { loop.continueDecoding(self) }
    }

    private func pauseSending() -> Int {
        pausedDirections |= CURLPAUSE_SEND
        return Int(CURL_READFUNC_PAUSE)
    }

    func rewindBody() -> Bool {
        do throws(Exchange.Failure) {
            try requestBody?.rewind()
            sentBytes = 0
            return true
        } catch {
            failure = failure ?? error
            return false
        }
    }

    /// Tells the sink how much was sent, now and then and at the end.
    private func reportSending(isWhole: Bool) {
        guard exchange.reportsSending else { return }
        let isWhole = isWhole || sentBytes == exchange.body?.length
        if !isWhole, let last = lastSendingReport, loop.now.seconds(since: last) < 0.05 { return }
        lastSendingReport = loop.now
        report.sentBodyBytes = sentBytes
        touch()
    }

    /// Counts the times that the request goes out; false when it must not go out again.
    func mayBeSent() -> Bool {
        attempts += 1
        noteConnection()
        guard attempts > 1 else { return true }
        // libcurl only goes back itself if it sent any of what it had read of the body.
        guard !idempotentMethods.contains(exchange.method) else { return rewindBody() }
        failure = Exchange.Failure(
            .networkConnectionLost,
            message: """
                the connection was lost after the request was sent; \(exchange.method) is not \
                idempotent, so it was not sent again
                """
        )
        return false
    }

    // MARK: Time

    /// The earliest moment at which a timeout can strike.
    var nextDeadline: MonotonicInstant? {
        let end = exchange.timeouts.whole.map { startedAt.advanced(by: $0) }
        let whole = earliest(end, ownDeadline)
        guard isIdleTimed, let idle = exchange.timeouts.idle else { return whole }
        let idleEnd = lastActivity.advanced(by: idle)
        return whole.map { min($0, idleEnd) } ?? idleEnd
    }

    var isIdleTimed: Bool {
        stage == .active && !isSuspended && body?.isBusy != true
            && !isStarved.load(ordering: .relaxed)
    }

    /// Whether libcurl was told to wait, in any direction.
    var isPaused: Bool { pausedDirections != 0 }

    /// Whether libcurl waits for more of the request's body.
    var isSendingPaused: Bool { pausedDirections & CURLPAUSE_SEND != 0 }

    /// The timeout that has struck, if any.
    func timeout(at now: MonotonicInstant) -> Exchange.Failure? {
        if let whole = exchange.timeouts.whole, startedAt.advanced(by: whole) <= now {
            return .timedOut(.whole, "the exchange took longer than \(whole) seconds")
        }
        if let failure = ownTimeout(at: now) { return failure }
        guard isIdleTimed, let idle = exchange.timeouts.idle,
            lastActivity.advanced(by: idle) <= now, !hasSentMore(at: now)
        else { return nil }
        return .timedOut(.idle, "no data was sent or received for \(idle) seconds")
    }

    /// Bytes that libcurl sent on its own are activity too; it is only asked when it matters.
    private func hasSentMore(at now: MonotonicInstant) -> Bool {
        guard exchange.body != nil, let handle else { return false }
        let sent = handle.offset(CURLINFO_SIZE_UPLOAD_T)
        guard sent != sentAtLastLook else { return false }
        sentAtLastLook = sent
        lastActivity = now
        return true
    }

    // MARK: The end

    /// Notes that the exchange is over as far as libcurl is concerned; false while decoding goes on.
    func conclude(result: CURLcode?, failure given: Exchange.Failure?) -> Bool {
        collectMetrics()
        failure = failure ?? given
        let isAnswered =
            failure == nil && !hasHead && !abandonedAnswer.isEmpty && takesAbandonedAnswer()
        let isComplete = endsWithHead && hasHead || isAnswered
        if failure == nil, let result, result != CURLE_OK, !isComplete {
            failure = libcurlFailure(result)
        }
        if failure == nil, !hasHead {
            failure = .malformed("the connection ended before the response's head was whole")
        }
        if failure == nil, body?.isBusy == true { return false }
        if failure == nil {
            do throws(Exchange.Failure) { try body?.finish() } catch { failure = error }
        }
        report.end = Exchange.End(failure: failure, metrics: metrics())
        touch()
        return true
    }

    private func libcurlFailure(_ result: CURLcode) -> Exchange.Failure {
        if let failure = failureOnTheWay(result) { return failure }
        return Exchange.Failure(
            result: result,
            detail: handle?.errorText ?? "",
            systemErrorNumber: Int32(truncatingIfNeeded: handle?.number(CURLINFO_OS_ERRNO) ?? 0),
            isConnectionReused: libcurlMetrics.isConnectionReused,
            isHeadAwaited: attempts > 0 && !hasHead
        )
    }

    private func collectMetrics() {
        guard let handle, handle.hasBegun else { return }
        func seconds(_ info: CURLINFO) -> TimeInterval { Double(handle.offset(info)) / 1_000_000 }
        let nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = seconds(CURLINFO_CONNECT_TIME_T)
        let tls = seconds(CURLINFO_APPCONNECT_TIME_T)
        libcurlMetrics.isConnectionReused =
            handle.number(CURLINFO_NUM_CONNECTS) == 0 && attempts > 0
        if !libcurlMetrics.isConnectionReused {
            libcurlMetrics.nameLookupDuration = nameLookup
            libcurlMetrics.connectDuration = max(0, connect - nameLookup)
            libcurlMetrics.tlsDuration = max(0, tls - connect)
        }
        libcurlMetrics.remoteAddress = handle.text(CURLINFO_PRIMARY_IP)
        libcurlMetrics.remotePort = handle.number(CURLINFO_PRIMARY_PORT)
        libcurlMetrics.requestBodyBytes =
            exchange.body == nil ? 0 : handle.offset(CURLINFO_SIZE_UPLOAD_T)
        collectMoreMetrics(of: handle, into: &libcurlMetrics)
    }

    private func metrics() -> Exchange.Metrics {
        var metrics = libcurlMetrics
        let now = MonotonicInstant.now
        let start = activatedAt ?? now
        metrics.startDate = startDate
        metrics.queueDuration = start.seconds(since: startedAt)
        metrics.firstByteDuration = stamps.firstByte?.seconds(since: start)
        metrics.headDuration = headAt?.seconds(since: start)
        metrics.totalDuration = now.seconds(since: startedAt)
        metrics.protocolVersion = parser.protocolVersion
        metrics.responseHeaderBytes = Int64(parser.receivedSize)
        metrics.responseBodyBytes = wireBytes
        metrics.decodedBodyBytes = Int64(body?.decodedCount ?? 0)
        return metrics
    }

    private func touch() {
        guard !isTouched else { return }
        isTouched = true
        loop.touched(self)
    }

    /// Gives the sink what has happened since the last time.
    func deliver() {
        isTouched = false
        report.body = body?.takeChunks() ?? []
        var outgoing = Exchange.Report()
        swap(&outgoing, &report)
        sink.receive(outgoing)
    }
}

/// Methods that may be sent again when nobody knows whether they arrived (RFC 9110 section 9.2.2).
private let idempotentMethods: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

private let lastNumber = Atomic<UInt64>(0)
