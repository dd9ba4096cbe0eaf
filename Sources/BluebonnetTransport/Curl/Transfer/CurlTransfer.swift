import CBluebonnet
import Foundation
import Synchronization

/// One exchange on the loop, from its place in the queue to its end.
///
/// What has a life of its own is a value that it holds: the request, the response, the connection, the
/// pauses, the times. This type hands what libcurl calls back with to them, and acts on what they
/// return.
// Sendable: what is declared with `let` never changes, and the window is made for any thread; everything
// else is read and written on the loop thread alone, here and in the extensions.
final class CurlTransfer: Transfer, @unchecked Sendable {
    /// Where the exchange stands.
    enum Stage {
        /// Not begun yet.
        case made
        /// In the queue for a connection slot.
        case waiting
        /// Suspended while in the queue; joins it again when resumed.
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
    let loop: EventLoop
    private let sink: any ExchangeSink
    let window: ReceiveWindow

    var stage = Stage.made
    var request: RequestSender
    // Unchecked: see `EventLoop`. What the response calls, its body, a decoder and a question about the
    // time, never comes back to the transfer's response.
    @exclusivity(unchecked) var response: ResponseReceiver
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) var connection = TransferConnection()
    var pauses = TransferPauses()
    var times: TransferTimes
    /// When it was made or, since a wrapper may keep a transfer before it begins one, begun.
    private(set) var start: TransferTimes.Start
    /// Nil where the pool has no address guard.
    var addressCheck: AddressCheck?
    var earlyResponse: EarlyResponse?
    /// The first failure, which ends the exchange.
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) var failure: Exchange.Failure?
    /// What the sink was not told yet.
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) var report = Exchange.Report()
    /// What the exchange's end will tell.
    ///
    /// Made with the transfer, on the thread that is going to let go of both: memory that one thread
    /// makes and another frees costs the allocator more.
    let end = Exchange.End.Content()

    // MARK: Places in lists, which are the lists' own

    /// Its index in the loop's list.
    var slot = -1
    var position = QueuePosition()
    var host: HostQueue?
    var handle: EasyHandle?
    var priority: Float
    /// Whether it counts among the exchanges that may be looking up a host's addresses.
    var isLookingUp = false
    private var isTouched = false
    /// What the sink had not consumed when another exchange last looked.
    private var windowAtLastLook = 0
    /// Whether the loop is to call ``decodeFurther()``.
    var isQueuedForDecoding = false
    /// Whether the loop is to let it go on in the next turn.
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
        // Small bodies in memory are libcurl's own; the copy that this one shares costs nothing.
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
            guard loop.mailbox.post(.start(self)) else { throw .shutDown }
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

    /// Ends an exchange that the loop never took.
    func refuse(_ failure: Exchange.Failure) {
        end.metrics.complete(with: times, response)
        end.failure = failure
        end.wasSent = false
        sink.receive(Exchange.Report(end: Exchange.End(end)))
    }

    // MARK: Reports

    /// Has the sink told at the end of the turn.
    func touch() {
        guard !isTouched else { return }
        isTouched = true
        loop.touched(self)
    }

    /// Delivers what several exchanges have to tell, one after the other.
    func gather(_ deliver: () -> Void) { sink.gather(deliver) }

    func deliverIfTouched() {
        if isTouched { deliver() }
    }

    /// Gives the sink what has happened since the last time.
    func deliver() {
        isTouched = false
        report.body = response.takeChunks()
        // Freed where it was made, and not where the exchange is let go.
        if report.end != nil { response.releaseBody() }
        sink.receive(takeReport())
    }

    private func takeReport() -> Exchange.Report {
        var outgoing = Exchange.Report()
        swap(&outgoing, &report)
        return outgoing
    }

    // MARK: Timeouts

    /// What it waits for, as its timeouts see it.
    private var wait: TransferTimes.Wait {
        if stage == .waiting { return pauses.isSuspended ? .nothing : .slot }
        if connection.new?.isAwaited == true { return .connection }
        guard stage == .active, !pauses.isSuspended, !response.isDecoding, !window.isExhausted
        else {
            return .nothing
        }
        let isHeadAwaited =
            !response.hasHead && request.attemptCount > 0 && !pauses.isSendingPaused
        return isHeadAwaited ? .head : .data
    }

    /// The earliest moment at which a timeout can strike.
    var nextDeadline: MonotonicInstant? {
        times.nextDeadline(exchange.timeouts, waitingFor: wait)
    }

    /// The timeout that has struck, if any.
    func timeout(at now: MonotonicInstant) -> Exchange.Failure.Timeout? {
        let timeout = times.timeout(at: now, exchange.timeouts, waitingFor: wait)
        return timeout == .idle && lastMovement(at: now) == now ? nil : timeout
    }

    /// The failure of a timeout that has struck.
    func failure(of timeout: Exchange.Failure.Timeout) -> Exchange.Failure {
        var failure = Exchange.Failure.timedOut(timeout, of: exchange.timeouts)
        if timeout == .connect, let attempts = connection.new?.race?.attempts {
            failure.message += "; \(attempts)"
        }
        return failure
    }

    /// The failure of having waited for connections on which nothing moves.
    func failure(of standstill: Standstill) -> Exchange.Failure {
        var failure = failure(of: .queueStall)
        failure.message = standstill.message(at: loop.now)
        return failure
    }

    /// When data last came or went; now where libcurl has sent some on its own since the last look.
    func lastMovement(at now: MonotonicInstant) -> MonotonicInstant {
        if exchange.body != nil, let handle,
            request.hasSentMore(handle.offset(CURLINFO_SIZE_UPLOAD_T))
        {
            times.lastActivity = now
        }
        return times.lastActivity
    }

    /// When data last came, went, or was consumed; now where it was since the last look.
    func lastProgress(at now: MonotonicInstant) -> MonotonicInstant {
        let count = window.outstandingCount
        defer { windowAtLastLook = count }
        return count == windowAtLastLook ? lastMovement(at: now) : now
    }
}

private let lastNumber = Atomic<UInt64>(0)
