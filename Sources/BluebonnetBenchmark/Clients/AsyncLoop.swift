import Dispatch
import Foundation

// Sendable: the lock guards everything that changes.
/// A closed loop as ``ClosedLoop`` is, of Swift tasks that wait for one request after the other.
final class AsyncLoop: @unchecked Sendable {
    /// Does one request, and returns the bytes of its body or what stands for them.
    typealias Request = @Sendable () async throws -> Int

    private let count: Int
    private let expectedByteCount: Int?
    private let request: Request

    /// Guards everything below.
    private let lock = NSLock()
    private var started = 0
    private var byteCount = 0
    private var failure: (any Error)?

    /// Warms up with one request, then measures `count` of them, each of which must answer with as
    /// many bytes as the first.
    static func measure(
        count: Int, concurrency: Int, request: @escaping Request
    ) throws -> ClientRun {
        let expected = try AsyncLoop(count: 1, request: request).run(concurrency: 1)
        let meter = ProcessMeter.startWhenQuiet()
        let loop = AsyncLoop(count: count, expectedByteCount: expected, request: request)
        let byteCount = try loop.run(concurrency: concurrency)
        return meter.finish(requests: count, bytes: byteCount)
    }

    private init(count: Int, expectedByteCount: Int? = nil, request: @escaping Request) {
        self.count = count
        self.expectedByteCount = expectedByteCount
        self.request = request
    }

    /// Returns the bytes of all bodies together.
    private func run(concurrency: Int) throws -> Int {
        let workers = DispatchGroup()
        for _ in 0..<min(concurrency, count) {
            workers.enter()
            Task.detached {
                await self.work()
                workers.leave()
            }
        }
        workers.wait()
        return try lock.withLock {
            if let failure { throw failure }
            return byteCount
        }
    }

    private func work() async {
        while begin() {
            do {
                finish(try await request())
            } catch {
                lock.withLock { failure = failure ?? error }
            }
        }
    }

    private func begin() -> Bool {
        lock.withLock {
            guard started < count, failure == nil else { return false }
            started += 1
            return true
        }
    }

    private func finish(_ received: Int) {
        lock.withLock {
            if let expectedByteCount, received != expectedByteCount {
                failure = BenchmarkFailure(
                    "a body of \(received) bytes instead of \(expectedByteCount)"
                )
            }
            byteCount += received
        }
    }
}
