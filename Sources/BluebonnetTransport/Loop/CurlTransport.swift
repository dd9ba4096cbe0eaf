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

    private let running: Result<Running, Exchange.Failure>
    private let isShutDown = Locked(false)

    /// Makes a transport with a loop thread of its own.
    ///
    /// Where that is impossible every exchange fails and says why.
    package init(
        version: Result<LibcurlVersion, Exchange.Failure> = LibcurlVersion.running,
        threadName: String = "bluebonnet-own"
    ) {
        running = Result { () throws(Exchange.Failure) in
            _ = try version.get()
            let loop = try CurlLoop()
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
    package var longestTurn: TimeInterval {
        (try? running.get().loop.longestTurn) ?? 0
    }

    /// How often the loop has woken up so far; it does not while nothing happens.
    package var turnCount: Int {
        (try? running.get().loop.turnCount) ?? 0
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
