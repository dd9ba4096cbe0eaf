import CBluebonnet
import Foundation
import Synchronization

/// One exchange on the loop, from its place in the queue to its end.
///
/// The request, the response, the connection, the pauses, and the times are separate values. This
/// type forwards libcurl's callbacks to them, and acts on what they return.
// Sendable: constants never change, and the window is thread-safe. Once `begin()` has posted the
// transfer, everything else is used only on the loop thread, here and in the extensions.
final class CurlTransfer: Transfer, @unchecked Sendable {
    /// The stage of the exchange.
    enum Stage {
        /// Not begun yet.
        case made
        /// In the queue for a connection slot.
        case waiting
        /// Outside the queue: suspended while in it, or waiting for the end of an empty body.
        case parked
        /// In progress, with a connection slot.
        case active
        /// No longer in libcurl, but its body is still being decoded.
        case decoding
        case finished
    }

    /// The outcome for a piece of the body.
    enum Acceptance {
        case taken, paused, refused
    }

    let number: UInt64
    let exchange: Exchange
    let loop: EventLoop
    private let sink: any ExchangeSink
    let window: ReceiveWindow

    var stage = Stage.made
    var request: RequestSender
    // Unchecked: see `EventLoop`. The code that the response calls (its body, a decoder, a check of
    // the time) never accesses the transfer's response.
    @exclusivity(unchecked) var response: ResponseReceiver
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) var connection = TransferConnection()
    var pauses = TransferPauses()
    var times: TransferTimes
    /// When the transfer was created or, once it has begun, when it began.
    ///
    /// A wrapper can keep a transfer for some time before it begins it.
    private(set) var start: TransferTimes.Start
    /// The checks by the pool's address guard, or nil if the pool has none.
    var addressCheck: AddressCheck?
    var earlyResponse: EarlyResponse?
    /// The first failure, which ends the exchange.
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) var failure: Exchange.Failure?
    /// The report that has not been delivered to the sink yet.
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) var report = Exchange.Report()
    /// The content of the exchange's end.
    ///
    /// Created with the transfer, on the thread that will release both, because memory that another
    /// thread frees costs the allocator more.
    let end = Exchange.End.Content()

    // MARK: Positions in lists, managed by the lists

    /// The index in the loop's list.
    var slot = -1
    var position = QueuePosition()
    var host: HostQueue?
    var handle: EasyHandle?
    var priority: Float
    /// Whether it counts toward the exchanges that may be looking up a host's addresses.
    var isLookingUp = false
    /// Whether libcurl is about to end it because it was denied a look-up.
    var isLookUpDenied = false
    /// Whether its host counts it among the exchanges whose response is awaited.
    var isAwaited = false
    private var isTouched = false
    /// The number of bytes that the sink had not consumed at the last sample.
    private var sampledWindow = 0
    /// Whether the loop is going to call ``decodeFurther()``.
    var isQueuedForDecoding = false
    /// Whether the exchange continues in the next turn.
    var isWaitingForTurn = false

    init(exchange: consuming Exchange, sink: any ExchangeSink, loop: EventLoop) {
        number = lastNumber.add(1, ordering: .relaxed).newValue
        self.sink = sink
        self.loop = loop
        start = TransferTimes.Start()
        times = TransferTimes(start)
        window = ReceiveWindow(size: exchange.receiveWindow)
        request = RequestSender(of: exchange)
        response = ResponseReceiver(terms: exchange.terms, now: times.start)
        addressCheck = exchange.pool.addressGuard.map { AddressCheck(of: exchange, by: $0) }
        priority = exchange.priority
        self.exchange = exchange
        // libcurl sends its own copy of a small body in memory. This one shares the data at no
        // cost.
        switch self.exchange.body {
        case .data(let data): request.body = MemoryBody(data)
        case .stream(let stream):
            request.body = StreamedBody(stream) { [weak self] in self?.requestFlow() }
        case nil: break
        }
    }

    // MARK: Control, from any thread

    func begin() {
        start = TransferTimes.Start()
        do throws(Exchange.Failure) {
            try addressCheck?.checkURL()
            guard loop.mailbox.post(.start(self)) else {
                throw ProcessFork.hasLostThreads ? .forked : .shutDown
            }
        } catch {
            refuse(error)
        }
    }

    func cancel() { _ = loop.mailbox.post(.cancel(self)) }
    func abort() { _ = loop.mailbox.post(.abort(self)) }
    func suspend() { _ = loop.mailbox.post(.suspend(self)) }
    func resume() { _ = loop.mailbox.post(.resume(self)) }
    func setPriority(_ priority: Float) { _ = loop.mailbox.post(.prioritize(self, priority)) }

    func didConsume(_ count: Int) {
        if window.consume(count) { requestFlow() }
    }

    private func requestFlow() { _ = loop.mailbox.post(.flow(self)) }

    /// Ends an exchange that the loop did not accept.
    func refuse(_ failure: Exchange.Failure) {
        end.metrics.complete(with: times, response)
        end.failure = failure
        end.wasSent = false
        sink.receive(Exchange.Report(end: Exchange.End(end)))
    }

    // MARK: Reports

    /// Schedules a report to the sink for the end of the turn.
    func touch() {
        guard !isTouched else { return }
        isTouched = true
        loop.touched(self)
    }

    /// Runs a closure that delivers the reports of several exchanges, within the sink's
    /// `gather(_:)`.
    func gather(_ deliver: () -> Void) { sink.gather(deliver) }

    func deliverIfTouched() {
        if isTouched { deliver() }
    }

    /// Delivers a report to the sink of everything that happened since the last one.
    func deliver() {
        isTouched = false
        report.body = response.takeChunks()
        // Freed on the thread that created it, and not on the one that releases the exchange.
        if report.end != nil { response.releaseBody() }
        sink.receive(takeReport())
    }

    private func takeReport() -> Exchange.Report {
        var outgoing = Exchange.Report()
        swap(&outgoing, &report)
        return outgoing
    }

    // MARK: Timeouts

    /// What the exchange waits for, which determines the timeouts that run.
    private var wait: TransferTimes.Wait {
        if stage == .waiting { return pauses.isSuspended ? .nothing : .slot }
        if isBodyUnconfirmed { return pauses.isSuspended ? .nothing : .data }
        if connection.new?.isAwaited == true { return .connection }
        guard stage == .active, !pauses.isSuspended, !response.isDecoding, !window.isExhausted
        else {
            return .nothing
        }
        let isHeadAwaited =
            !response.hasHead && request.attemptCount > 0 && !pauses.isSendingPaused
        return isHeadAwaited ? .head : .data
    }

    /// The earliest time at which a timeout can expire or a sample is due, or nil for never.
    var nextDeadline: MonotonicInstant? {
        let wait = wait
        let deadline = times.nextDeadline(exchange.timeouts, waitingFor: wait)
        guard let deadline, wait == .slot || request.isBodyLeaving,
            let sample = times.nextSample(exchange.timeouts, waitingFor: wait)
        else { return deadline }
        return min(deadline, sample)
    }

    /// Checks for movement that nothing reports.
    ///
    /// libcurl sends without calling back what it has taken of the body, and the sink consumes data
    /// on another thread.
    func sample() {
        guard stage == .active else { return times.noteSample(at: loop.now) }
        let hasSent =
            request.isBodyLeaving
            && handle.map { request.hasSentMore($0.offset(CURLINFO_SIZE_UPLOAD_T)) } == true
        let count = window.outstandingCount
        defer { sampledWindow = count }
        times.noteSample(
            hasSent: hasSent, hasConsumed: count != sampledWindow, at: loop.now)
    }

    /// Returns the timeout that has expired, or nil for none.
    func timeout(at now: MonotonicInstant) -> Exchange.Failure.Timeout? {
        let timeout = times.timeout(at: now, exchange.timeouts, waitingFor: wait)
        guard timeout == .idle else { return timeout }
        noteArrival()
        return times.timeout(at: now, exchange.timeouts, waitingFor: wait)
    }

    /// Asks the system when bytes last arrived.
    func noteArrival() {
        if let arrival { times.lastArrival = max(arrival, times.lastArrival ?? arrival) }
    }

    /// When bytes last arrived on an HTTP/1 connection, or nil if that is unknown.
    ///
    /// libcurl reports nothing of a TLS handshake, or of a line whose end is missing. On an HTTP/2
    /// connection, bytes can belong to other exchanges.
    private var arrival: MonotonicInstant? {
        guard connection.new?.isAwaited != true, !connection.isMultiplexed,
            times.connected == nil || !connection.isHTTP2Possible,
            // libcurl may have closed it, and its number may belong to another exchange.
            loop.sockets.transferNumber(of: connection.socket) == number
        else { return nil }
        let milliseconds = bb_socket_milliseconds_since_arrival(connection.socket)
        guard milliseconds >= 0 else { return nil }
        // The system counts in ticks of up to 10 ms, and the timeout must not come early.
        return MonotonicInstant.now.before(milliseconds: UInt64(max(0, milliseconds - 10)))
    }

    /// Returns the failure of a timeout that has expired.
    func failure(of timeout: Exchange.Failure.Timeout) -> Exchange.Failure {
        let passed = times.beginning(of: timeout).map { loop.now.seconds(since: $0) } ?? 0
        var failure = Exchange.Failure.timedOut(timeout, of: exchange.timeouts, after: passed)
        if timeout == .connect, let attempts = connection.new?.race?.attempts {
            failure.message += "; \(attempts)"
        }
        return failure
    }

    /// Returns the failure of a wait for connections on which no data moves.
    func failure(of standstill: ConnectionWaitCauses) -> Exchange.Failure {
        var failure = failure(of: .queueStall)
        failure.message = standstill.message(limit: exchange.timeouts.queueStall, at: loop.now)
        return failure
    }
}

private let lastNumber = Atomic<UInt64>(0)
