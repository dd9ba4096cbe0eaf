package import Foundation
import Glibc

/// The transport that talks to servers, on the system's libcurl.
///
/// All its exchanges share one thread and, where their pools are the same, connections.
public final class CurlTransport: Transport {
    /// The transport that every manager uses unless it is given another.
    public static let shared = CurlTransport(threadName: "bluebonnet")

    private struct Running: @unchecked Sendable {
        let loop: EventLoop
        // Sendable: a thread's identifier is a number.
        let thread: pthread_t
    }

    private enum State {
        /// There is no loop yet, because the system had none to give.
        case idle
        case running(Running)
        case shutDown
    }

    private let version: Result<LibcurlVersion, Exchange.Failure>
    private let threadName: String
    private let meter: TurnMeter
    private let sliceLength: TimeInterval
    private let state = Locked(State.idle)

    /// Makes a transport with a thread of its own, which ends when the transport is let go.
    ///
    /// Where the system has no thread or no libcurl that will do, each exchange fails and says so.
    public convenience init() {
        self.init(version: LibcurlVersion.running)
    }

    /// Makes a transport with a loop thread of its own.
    ///
    /// Where that is impossible every exchange tries again, and fails and says why while it is.
    /// `sliceLength` is what one kind of work may take of a turn, in seconds; nil for the usual.
    package init(
        version: Result<LibcurlVersion, Exchange.Failure> = LibcurlVersion.running,
        threadName: String = "bluebonnet-own",
        measuresProcessorTime: Bool = false,
        sliceLength: TimeInterval? = nil
    ) {
        self.version = version
        self.threadName = threadName
        self.sliceLength = sliceLength ?? TimeSlice.usualLength
        meter = TurnMeter(measuresProcessorTime: measuresProcessorTime)
        _ = try? loop()
    }

    deinit {
        // Nobody will join the thread, and one that is not detached keeps its stack for ever.
        if let running = endLoop() { pthread_detach(running.thread) }
    }

    /// Makes the transfer of an exchange, with one of its pool's connections.
    public func transfer(
        for exchange: consuming Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        do throws(Exchange.Failure) {
            return CurlTransfer(exchange: exchange, sink: sink, loop: try loop())
        } catch {
            return FailedTransfer(failure: error, sink: sink)
        }
    }

    /// The loop there is, or a new one where there is none, or none but one that has ended.
    private func loop() throws(Exchange.Failure) -> EventLoop {
        // Made while the lock is held, or several threads would each make one.
        try state.withLock { (state: inout State) throws(Exchange.Failure) -> EventLoop in
            switch state {
            case .shutDown: throw .shutDown
            case .running(let running) where running.loop.mailbox.isOpen: return running.loop
            case .running(let running):
                pthread_detach(running.thread)
                state = .idle
            case .idle: break
            }
            _ = try version.get()
            let loop = try EventLoop(meter: meter, sliceLength: sliceLength)
            state = .running(Running(loop: loop, thread: try loop.startThread(name: threadName)))
            return loop
        }
    }

    /// Ends every exchange as cancelled, refuses new ones, and waits for the thread to end.
    ///
    /// A second call does not wait.
    package func shutDown() {
        guard let running = endLoop() else { return }
        if pthread_equal(running.thread, pthread_self()) == 0 {
            pthread_join(running.thread, nil)
        } else {
            pthread_detach(running.thread)
        }
    }

    /// The longest turn of the loop so far, in seconds.
    package var longestTurn: TimeInterval { meter.longestTurn }

    /// The most that one turn of the loop took of the processor so far, in seconds; 0 where that is
    /// not measured.
    package var longestTurnOnProcessor: TimeInterval { meter.longestTurnOnProcessor }

    /// How often the loop has woken up so far; it does not while nothing happens.
    package var turnCount: Int { meter.turnCount }

    /// How many sockets of connections are open now; 0 once the loop has ended.
    package var openSocketCount: Int {
        get async {
            guard case .running(let running) = state.withLock({ $0 }) else { return 0 }
            return await withCheckedContinuation { continuation in
                let isPosted = running.loop.mailbox.post(
                    .countSockets { continuation.resume(returning: $0) })
                if !isPosted { continuation.resume(returning: 0) }
            }
        }
    }

    /// Tells the loop to end; it and its thread, the first time.
    private func endLoop() -> Running? {
        let former = state.withLock { state in
            defer { state = .shutDown }
            return state
        }
        guard case .running(let running) = former else { return nil }
        _ = running.loop.mailbox.post(.shutDown)
        return running
    }
}

/// The transfer of an exchange for which there is no loop.
private final class FailedTransfer: Transfer {
    private let failure: Exchange.Failure
    private let sink: any ExchangeSink

    init(failure: Exchange.Failure, sink: any ExchangeSink) {
        self.failure = failure
        self.sink = sink
    }

    func begin() {
        sink.receive(Exchange.Report(end: Exchange.End(failure: failure, wasSent: false)))
    }
    func cancel() {}
    func suspend() {}
    func resume() {}
    func didConsume(_ count: Int) {}
}
