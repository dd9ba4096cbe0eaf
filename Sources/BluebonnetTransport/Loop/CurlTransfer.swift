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
    var activatedAt: MonotonicInstant?
    var lastActivity: MonotonicInstant
    private(set) var isSuspended = false
    /// Whether libcurl has watched a socket for it.
    var hasSocket = false
    private var isPausedInLibcurl = false
    private var isTouched = false
    /// Whether the loop is to call ``decodeFurther()``.
    var isInDecodingLine = false

    private var parser: HeadParser
    private var body: BodyReceiver?
    private var report = Exchange.Report()
    private var headAt: MonotonicInstant?
    private var hasHead = false
    private var failure: Exchange.Failure?
    private var wireBytes: Int64 = 0
    private var sentBytes = 0
    private var attempts = 0
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
        parser = HeadParser(limits: exchange.limits)
    }

    // MARK: Control, from any thread

    func cancel() { _ = loop.mailbox.post(.cancel(self)) }
    func suspend() { _ = loop.mailbox.post(.suspend(self)) }
    func resume() { _ = loop.mailbox.post(.resume(self)) }

    /// Ends an exchange that the loop never took.
    func refuse(_ failure: Exchange.Failure) {
        sink.receive(Exchange.Report(end: Exchange.End(failure: failure, metrics: metrics())))
    }

    // MARK: Pausing

    func setSuspended(_ isSuspended: Bool) {
        guard self.isSuspended != isSuspended else { return }
        self.isSuspended = isSuspended
        guard isSuspended else { return flowAgain() }
        guard stage == .active, let handle else { return }
        // Refused while there is no connection; the callbacks pause the exchange later then.
        if curl_easy_pause(handle.easy, CURLPAUSE_ALL) == CURLE_OK {
            isPausedInLibcurl = true
        }
    }

    private func flowAgain() {
        if body?.isBusy == true { loop.continueDecoding(self) }
        restartIdleTime()
        unpauseIfPossible()
    }

    /// Lets the idle timeout, which did not run, begin anew.
    private func restartIdleTime() {
        lastActivity = loop.now
        loop.noteDeadline(of: self)
    }

    private func unpauseIfPossible() {
        guard stage == .active, isPausedInLibcurl, !isSuspended, body?.isBusy != true, let handle
        else { return }
        isPausedInLibcurl = false
        // May call back into this object; an error there is this call's result and nothing else.
        let result = curl_easy_pause(handle.easy, CURLPAUSE_CONT)
        // A bad argument is an exchange without a connection: there is nothing to let go.
        if result != CURLE_OK, result != CURLE_BAD_FUNCTION_ARGUMENT {
            loop.finish(self, result: result)
        }
    }

    // MARK: What libcurl hands over

    func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        lastActivity = loop.now
        do throws(Exchange.Failure) {
            if parser.isAtStart { parser.swapDraft(with: &loop.fieldDraft) }
            guard let head = try parser.take(line) else { return true }
            parser.swapDraft(with: &loop.fieldDraft)
            loop.fieldDraft.removeAll()
            hasHead = true
            headAt = .now
            body = try BodyReceiver(head: head, exchange: exchange)
            report.head = head
            touch()
            return !endsWithHead
        } catch {
            failure = failure ?? error
            return false
        }
    }

    /// A HEAD with a body is to libcurl a POST by another name, whose response's body it awaits.
    private var endsWithHead: Bool { exchange.method == "HEAD" && exchange.body != nil }

    func receiveBody(_ piece: UnsafeRawBufferPointer) -> Acceptance {
        lastActivity = loop.now
        guard failure == nil else { return .refused }
        guard !isSuspended, body?.isBusy == false else {
            guard body != nil else {
                failure = .malformed("the response's body came before its head")
                return .refused
            }
            isPausedInLibcurl = true
            return .paused
        }
        wireBytes += Int64(piece.count)
        touch()
        do throws(Exchange.Failure) {
            try body?.take(piece)
        } catch {
            failure = error
            return .refused
        }
        if body?.isBusy == true { loop.continueDecoding(self) }
        return .taken
    }

    /// Decodes one more step; true when there is more to do now.
    func decodeFurther() -> Bool {
        guard stage == .active || stage == .decoding, body?.isBusy == true, !isSuspended
        else { return false }
        touch()
        do throws(Exchange.Failure) {
            try body?.continueDecoding()
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

    func provideBody(_ place: UnsafeMutableRawBufferPointer) -> Int {
        guard !isSuspended else {
            isPausedInLibcurl = true
            return Int(CURL_READFUNC_PAUSE)
        }
        lastActivity = loop.now
        guard let data = exchange.body else { return 0 }
        let count = min(place.count, data.count - sentBytes)
        let start = data.startIndex + sentBytes
        data.copyBytes(to: place, from: start..<(start + count))
        sentBytes += count
        return count
    }

    func rewindBody(to offset: Int) {
        sentBytes = offset
    }

    /// Counts the times that the request goes out; false when it must not go out again.
    func mayBeSent() -> Bool {
        attempts += 1
        guard attempts > 1, !idempotentMethods.contains(exchange.method) else { return true }
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
        let whole = exchange.timeouts.whole.map { startedAt.advanced(by: $0) }
        guard isIdleTimed, let idle = exchange.timeouts.idle else { return whole }
        let idleEnd = lastActivity.advanced(by: idle)
        return whole.map { min($0, idleEnd) } ?? idleEnd
    }

    private var isIdleTimed: Bool {
        stage == .active && !isSuspended && body?.isBusy != true
    }

    /// The timeout that has struck, if any.
    func timeout(at now: MonotonicInstant) -> Exchange.Failure? {
        if let whole = exchange.timeouts.whole, startedAt.advanced(by: whole) <= now {
            return .timedOut("the exchange took longer than \(whole) seconds")
        }
        guard isIdleTimed, let idle = exchange.timeouts.idle,
            lastActivity.advanced(by: idle) <= now, !hasSentMore(at: now)
        else { return nil }
        return .timedOut("no data was sent or received for \(idle) seconds")
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
        let isComplete = endsWithHead && hasHead
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
        Exchange.Failure(
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
    }

    private func metrics() -> Exchange.Metrics {
        var metrics = libcurlMetrics
        let now = MonotonicInstant.now
        let start = activatedAt ?? now
        metrics.startDate = startDate
        metrics.queueDuration = start.seconds(since: startedAt)
        metrics.headDuration = headAt?.seconds(since: start)
        metrics.totalDuration = now.seconds(since: startedAt)
        metrics.protocolVersion = parser.protocolVersion
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

extension Exchange.Failure {
    fileprivate static func timedOut(_ message: String) -> Self {
        Self(.timedOut, message: message)
    }
}

/// Methods that may be sent again when nobody knows whether they arrived (RFC 9110 section 9.2.2).
private let idempotentMethods: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

private let lastNumber = Atomic<UInt64>(0)
