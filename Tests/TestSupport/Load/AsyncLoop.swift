import BluebonnetTransport
import Dispatch

/// A closed loop like ``ClosedLoop``, of Swift tasks that await one request after another.
package final class AsyncLoop: Sendable {
    /// Performs one request and returns the bytes of its body, or another number to compare.
    package typealias Request = @Sendable () async throws -> Int

    private let concurrency: Int
    private let request: Request
    private let executor: (any TaskExecutor)?
    private let tally: Locked<LoopTally>

    /// Creates a loop with the parameters of ``ClosedLoop``.
    package init(
        count: Int, concurrency: Int, expectedByteCount: Int? = nil,
        executor: (any TaskExecutor)? = nil, request: @escaping Request
    ) {
        self.concurrency = min(count, concurrency)
        self.request = request
        self.executor = executor
        tally = Locked(LoopTally(count: count, expectedByteCount: expectedByteCount))
    }

    /// Runs the loop once and blocks the thread until it ends.
    ///
    /// Returns the total bytes of all bodies.
    @discardableResult
    package func runBlocking() throws -> Int {
        let workers = DispatchGroup()
        for _ in 0..<concurrency {
            workers.enter()
            Task.detached(executorPreference: executor) {
                await self.work()
                workers.leave()
            }
        }
        workers.wait()
        return try tally.withLock { tally in
            if let failure = tally.failure { throw failure }
            return tally.byteCount
        }
    }

    private func work() async {
        while tally.withLock({ $0.begin() }) != nil {
            do {
                let byteCount = try await request()
                _ = tally.withLock { $0.finish(byteCount: byteCount) }
            } catch {
                _ = tally.withLock { $0.fail(error) }
            }
        }
    }
}
