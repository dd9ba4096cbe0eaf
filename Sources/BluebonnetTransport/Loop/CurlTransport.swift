package import Foundation
import Glibc

/// The transport on libcurl.
package final class CurlTransport: Transport {
    /// The transport that every manager uses unless it is given another; it is never shut down.
    package static let shared = CurlTransport(threadName: "bluebonnet")

    private struct Running: @unchecked Sendable {
        let loop: CurlLoop
        // Sendable: a thread's identifier is a number.
        let thread: pthread_t
    }

    private let meter: TurnMeter
    private let running: Result<Running, Exchange.Failure>
    private let isShutDown = Locked(false)

    /// Makes a transport with a loop thread of its own.
    ///
    /// Where that is impossible every exchange fails and says why.
    package init(
        version: Result<LibcurlVersion, Exchange.Failure> = LibcurlVersion.running,
        threadName: String = "bluebonnet-own",
        measuresProcessorTime: Bool = false
    ) {
        let meter = TurnMeter(measuresProcessorTime: measuresProcessorTime)
        self.meter = meter
        running = Result { () throws(Exchange.Failure) in
            _ = try version.get()
            let loop = try CurlLoop(meter: meter)
            return Running(loop: loop, thread: try loop.startThread(name: threadName))
        }
    }

    deinit {
        // Nobody will join the thread, and one that is not detached keeps its stack for ever.
        if let thread = endLoop() { pthread_detach(thread) }
    }

    package func start(_ exchange: consuming Exchange, sink: any ExchangeSink) -> any Transfer {
        switch running {
        case .failure(let failure):
            sink.receive(Exchange.Report(end: Exchange.End(failure: failure)))
            return EndedTransfer()
        case .success(let running):
            let transfer = CurlTransfer(exchange: exchange, sink: sink, loop: running.loop)
            do throws(Exchange.Failure) {
                try transfer.checkURL()
            } catch {
                transfer.refuse(error)
                return EndedTransfer()
            }
            if !running.loop.mailbox.post(.start(transfer)) {
                transfer.refuse(.shutDown)
            }
            return transfer
        }
    }

    /// Ends every exchange as cancelled, refuses new ones, and waits for the thread to end.
    package func shutDown() {
        guard let thread = endLoop() else { return }
        if pthread_equal(thread, pthread_self()) == 0 {
            pthread_join(thread, nil)
        } else {
            pthread_detach(thread)
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
            await withCheckedContinuation { continuation in
                let isPosted = (try? running.get().loop.mailbox).map {
                    $0.post(.countSockets { continuation.resume(returning: $0) })
                }
                if isPosted != true { continuation.resume(returning: 0) }
            }
        }
    }

    /// Tells the loop to end; the thread to join, the first time.
    private func endLoop() -> pthread_t? {
        guard case .success(let running) = running else { return nil }
        let isFirst = isShutDown.withLock { isShutDown in
            defer { isShutDown = true }
            return !isShutDown
        }
        guard isFirst else { return nil }
        _ = running.loop.mailbox.post(.shutDown)
        return running.thread
    }
}

/// The transfer of an exchange that could not begin.
private struct EndedTransfer: Transfer {
    func cancel() {}
    func suspend() {}
    func resume() {}
    func didConsume(_ count: Int) {}
}
