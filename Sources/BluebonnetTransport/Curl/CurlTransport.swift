package import Foundation
import Glibc

/// A transport that sends requests to servers with the system's libcurl.
///
/// All exchanges of a transport share one thread. Exchanges of the same pool share connections.
///
/// A pool is a set of connections with the same settings and limits: an ``Exchange/Pool``. Each
/// manager creates its own pools, so managers share neither connections nor limits, even on
/// ``shared``. To share connections, share the manager.
public final class CurlTransport: Transport {
    /// The transport that managers use by default; each manager has its own connections.
    public static let shared = CurlTransport(threadName: "bluebonnet")

    private struct Running: @unchecked Sendable {
        let loop: EventLoop
        // Sendable: a thread's identifier is a number.
        let thread: pthread_t
    }

    private enum State {
        /// No loop is running, because none has been started or the system could not provide one.
        case idle
        case running(Running)
        case shutDown
    }

    private let version: Result<LibcurlVersion, Exchange.Failure>
    private let threadName: String
    private let meter: TurnMeter
    private let sliceLength: TimeInterval
    private let state = Locked(State.idle)

    /// Creates a transport with its own thread, which ends when the transport is deallocated.
    ///
    /// If the thread cannot be started or libcurl is unsuitable, each exchange fails with an error
    /// that gives the reason.
    public convenience init() {
        self.init(version: LibcurlVersion.running)
    }

    /// Creates a transport with its own loop thread.
    ///
    /// If the loop cannot be started, each exchange tries to start it again, and fails with the
    /// reason if that fails too. `sliceLength` is the number of seconds that one kind of work may
    /// take of a turn, or nil for the default.
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
        // A thread that is neither joined nor detached never frees its stack.
        if let running = endLoop() { pthread_detach(running.thread) }
    }

    /// Creates the transfer of an exchange, on a connection of the exchange's pool.
    public func transfer(
        for exchange: consuming Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        do throws(Exchange.Failure) {
            return CurlTransfer(exchange: exchange, sink: sink, loop: try loop())
        } catch {
            return FailedTransfer(failure: error, sink: sink)
        }
    }

    /// Returns the running loop, or starts one if there is none or the last one has ended.
    private func loop() throws(Exchange.Failure) -> EventLoop {
        guard !ProcessFork.hasLostThreads else { throw .forked }
        // Under the lock, or several threads would each start a loop.
        return try state.withLock { (state: inout State) throws(Exchange.Failure) -> EventLoop in
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

    /// Cancels every exchange, refuses new ones, and waits for the thread to end.
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

    /// The duration of the loop's longest turn so far, in seconds.
    package var longestTurn: TimeInterval { meter.longestTurn }

    /// The most processor time that one turn of the loop has used so far, in seconds.
    ///
    /// It is 0 if processor time is not measured.
    package var longestTurnOnProcessor: TimeInterval { meter.longestTurnOnProcessor }

    /// The number of turns that the loop has taken so far.
    ///
    /// The loop takes no turns while nothing happens.
    package var turnCount: Int { meter.turnCount }

    /// The number of connection sockets that are open, or 0 once the loop has ended.
    package var openSocketCount: Int {
        get async { await inspect { $0.sockets.openCount } ?? 0 }
    }

    /// Returns the number of connections and of waiting exchanges for each host.
    ///
    /// The counts of all pools, and so of all managers of the transport, are added up. Hosts without
    /// connections and without waiting exchanges are left out. After the end of the transport, and
    /// in a forked process, the result is empty.
    ///
    /// The connections are counted on the transport's thread when they are asked for.
    ///
    /// - Returns: The counts, in no particular order.
    public func connections() async -> [ConnectionCounts] {
        ConnectionCounts.sums(of: await inspect { $0.connectionTallies } ?? [])
    }

    /// Returns what a closure finds out on the loop thread, or nil if there is no loop.
    private func inspect<Finding: Sendable>(
        _ look: @escaping @Sendable (EventLoop) -> Finding
    ) async -> Finding? {
        guard !ProcessFork.hasLostThreads,
            case .running(let running) = state.withLock({ $0 })
        else { return nil }
        return await withCheckedContinuation { continuation in
            let isPosted = running.loop.mailbox.post(
                .inspect { continuation.resume(returning: $0.map(look)) })
            if !isPosted { continuation.resume(returning: nil) }
        }
    }

    /// Ends the loop, and returns it with its thread on the first call.
    private func endLoop() -> Running? {
        guard !ProcessFork.hasLostThreads else { return nil }
        let former = state.withLock { state in
            defer { state = .shutDown }
            return state
        }
        guard case .running(let running) = former else { return nil }
        _ = running.loop.mailbox.post(.shutDown)
        return running
    }
}

/// A transfer whose exchange fails because there is no loop.
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
