import Dispatch
import Foundation

// Sendable: the lock guards everything that changes.
/// A closed loop of requests: `concurrency` are started, and each one that completes starts the
/// next until `count` are done.
///
/// It serves any client that calls back on completion.
final class ClosedLoop: @unchecked Sendable {
    enum Outcome: Sendable {
        case response(status: Int, byteCount: Int)
        case failure(String)
    }

    typealias Completion = @Sendable (Outcome) -> Void

    /// Starts one request.
    ///
    /// The completion may come on any thread, exactly once, and not before this returns, or the
    /// loop would recurse.
    typealias Request = @Sendable (@escaping Completion) -> Void

    private let count: Int
    private let expectedByteCount: Int?
    private let request: Request
    private let done = DispatchSemaphore(value: 0)

    /// Guards everything below.
    private let lock = NSLock()
    private var started: Int
    private var finished = 0
    private var byteCount = 0
    private var failure: String?

    /// Warms up with one request, then measures `count` of them, each of which must answer with
    /// as many bytes as the first.
    static func measure(
        count: Int, concurrency: Int, request: @escaping Request
    ) throws -> ClientRun {
        let expected = try once(request)
        let meter = ProcessMeter.startWhenQuiet()
        let loop = ClosedLoop(
            count: count, concurrency: concurrency, expectedByteCount: expected, request: request
        )
        let byteCount = try loop.run()
        return meter.finish(requests: count, bytes: byteCount)
    }

    /// Does one request, and returns the bytes of its body.
    static func once(_ request: @escaping Request) throws -> Int {
        try ClosedLoop(count: 1, concurrency: 1, request: request).run()
    }

    private init(
        count: Int, concurrency: Int, expectedByteCount: Int? = nil, request: @escaping Request
    ) {
        self.count = count
        self.expectedByteCount = expectedByteCount
        self.request = request
        started = min(count, concurrency)
    }

    /// Returns the bytes of all bodies together.
    private func run() throws -> Int {
        // Before the first completion can count on it, `started` already includes them all.
        for _ in 0..<started {
            request(complete)
        }
        done.wait()
        return try lock.withLock {
            if let failure {
                throw BenchmarkFailure(failure)
            }
            return byteCount
        }
    }

    private func complete(_ outcome: Outcome) {
        if finish(outcome) {
            request(complete)
        }
    }

    /// Counts one outcome, and says whether another request is to start.
    private func finish(_ outcome: Outcome) -> Bool {
        lock.withLock {
            guard failure == nil else { return false }
            if let problem = problem(of: outcome) {
                failure = problem
                done.signal()
                return false
            }
            finished += 1
            if finished == count {
                done.signal()
            }
            guard started < count else { return false }
            started += 1
            return true
        }
    }

    /// Counts the bytes of a good response.
    ///
    /// Called with the lock held.
    private func problem(of outcome: Outcome) -> String? {
        switch outcome {
        case .failure(let description):
            return description
        case .response(let status, _) where status != 200:
            return "status \(status) instead of 200"
        case .response(_, let received):
            if let expectedByteCount, received != expectedByteCount {
                return "a body of \(received) bytes instead of \(expectedByteCount)"
            }
            byteCount += received
            return nil
        }
    }
}
