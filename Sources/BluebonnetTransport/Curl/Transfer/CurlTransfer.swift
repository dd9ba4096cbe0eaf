import CBluebonnet
import Foundation
import Synchronization

/// One exchange on the loop: its place in line, what came of its response, its end.
// Sendable: what is declared with `let` never changes, and `outstanding` and `isStarved` are atomic;
// everything else is read and written on the loop thread alone, here and in the extensions.
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
    let loop: EventLoop
    let startedAt: MonotonicInstant
    let startDate: Date
    private let sink: any ExchangeSink

    var stage = Stage.waiting
    /// Its place in the loop's list; the list's own.
    var slot = -1
    var host: HostQueue?
    var handle: EasyHandle?
    var position = QueuePosition()
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
    var isSuspended = false
    /// The socket that libcurl last watched for it; -1 for none.
    var socket: Int32 = -1
    /// The directions in which libcurl was told to wait.
    var pausedDirections: Int32 = 0 {
        didSet { if pausedDirections != 0 { loop.mayHoldSockets = true } }
    }
    /// Whether libcurl was told to hand over no more of its response.
    var isHeldBack: Bool { pausedDirections & CURLPAUSE_RECV != 0 }
    /// Whether its socket was left alone, in a pause, that libcurl did not watch.
    var hasHeldSocket = false
    /// Bytes of the body that the sink has and has not consumed, where there is a window.
    let outstanding = Atomic<Int>(0)
    /// Whether the loop waits for the sink to consume some.
    let isStarved = Atomic<Bool>(false)
    private var isTouched = false
    /// Whether the loop is to call ``decodeFurther()``.
    var isInDecodingLine = false
    /// Whether the loop is to let it go on in the next turn.
    var isWaitingForTurn = false

    var parser: HeadParser
    var body: BodyReceiver?
    var report = Exchange.Report()
    var headAt: MonotonicInstant?
    var hasHead = false
    var failure: Exchange.Failure?
    var wireBytes: Int64 = 0
    /// What a proxy answers to the wish for a tunnel, from the opening of a socket on until there is
    /// a connection.
    var tunnelResponse: TunnelResponse?
    /// How much of a body is still to come in all, where the head has declared it.
    var awaitedLength: Int?
    /// What a body in chunks takes of its connection.
    var chunkOverhead: ChunkOverhead?
    /// How the connection's TLS ends, where that is the body's end too.
    var tlsClosure: TLSClosure?
    /// How many pieces of the body came in a turn.
    var pieces: (turn: MonotonicInstant, count: Int)
    var requestBody: (any RequestBody)?
    /// What the server had answered when it reset the connection on which the body was being sent.
    var earlyResponse: [UInt8]?
    var sentBytes: Int64 = 0
    var lastSendingReport: MonotonicInstant?
    var attempts = 0
    var sentAtLastLook: Int64 = 0
    /// Bytes of the request's head that went out on connections that were lost.
    var lostHeaderBytes: Int64 = 0
    /// What the exchange's end will tell.
    ///
    /// Made with the transfer, on the thread that is going to let go of both: what one thread makes
    /// and another frees costs the allocator more.
    let end = Exchange.End.Content()
    /// The first address that the guard has denied.
    var denial: AddressGuard.Denial?
    /// Whether there was an address that it has not.
    var hadOtherAddress = false
    /// Why the system gave no socket for a connection; 0 where it did.
    var socketErrorNumber: Int32 = 0

    init(exchange: consuming Exchange, sink: any ExchangeSink, loop: EventLoop) {
        number = lastNumber.add(1, ordering: .relaxed).newValue
        self.sink = sink
        self.loop = loop
        startDate = Date()
        startedAt = .now
        lastActivity = startedAt
        queuedAt = startedAt
        pieces = (startedAt, 0)
        priority = exchange.priority
        parser = HeadParser(terms: exchange.terms)
        self.exchange = exchange
        // Small bodies in memory are libcurl's own; the copy that this one shares costs nothing.
        switch self.exchange.body {
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
        measure()
        end.failure = failure
        sink.receive(Exchange.Report(end: Exchange.End(end)))
    }

    // MARK: Reports

    func touch() {
        guard !isTouched else { return }
        isTouched = true
        loop.touched(self)
    }

    /// Delivers what several exchanges have to tell, one after the other.
    func gather(_ deliver: () -> Void) {
        if let sink = sink as? any GatheringSink { sink.gather(deliver) } else { deliver() }
    }

    /// Gives the sink what has happened since the last time.
    func deliver() {
        isTouched = false
        report.body = body?.takeChunks() ?? []
        var outgoing = Exchange.Report()
        swap(&outgoing, &report)
        // Freed where it was made, and not where the exchange is let go.
        if outgoing.end != nil { body = nil }
        sink.receive(outgoing)
    }
}

private let lastNumber = Atomic<UInt64>(0)
