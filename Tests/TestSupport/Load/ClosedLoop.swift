import BluebonnetTransport
import Dispatch

/// A closed loop of requests for any client that reports completion with a callback.
///
/// The loop starts `concurrency` requests. Each one that completes starts the next, until `count`
/// are done or one has failed.
package final class ClosedLoop: Sendable {
    package enum Outcome: Sendable {
        case response(status: Int, byteCount: Int)
        case failure(String)
    }

    package typealias Completion = @Sendable (Outcome) -> Void

    /// Starts the request with a number, which counts from 0.
    ///
    /// The completion can be called on any thread, exactly once. It must not be called before this
    /// closure returns, because the loop would recurse.
    package typealias Request =
        @Sendable (_ number: Int, _ completion: @escaping Completion) -> Void

    private struct State {
        var tally: LoopTally
        var whenOver: (@Sendable () -> Void)?
    }

    private let count: Int
    private let concurrency: Int
    private let request: Request
    private let state: Locked<State>

    /// Creates a loop.
    ///
    /// - Parameters:
    ///   - count: The total number of requests.
    ///   - concurrency: The number of requests in flight at a time.
    ///   - expectedByteCount: The required length of each body; nil for any.
    ///   - request: Starts one request.
    package init(
        count: Int, concurrency: Int, expectedByteCount: Int? = nil, request: @escaping Request
    ) {
        self.count = count
        self.concurrency = concurrency
        self.request = request
        let tally = LoopTally(count: count, expectedByteCount: expectedByteCount)
        state = Locked(State(tally: tally))
    }

    /// Runs the loop once and blocks the thread until it ends.
    ///
    /// Returns the total bytes of all bodies.
    @discardableResult
    package func runBlocking() throws -> Int {
        guard count > 0 else { return 0 }
        let done = DispatchSemaphore(value: 0)
        start { done.signal() }
        done.wait()
        return try result.get()
    }

    /// Runs the loop once.
    ///
    /// Returns the total bytes of all bodies.
    @discardableResult
    package func run() async throws -> Int {
        guard count > 0 else { return 0 }
        await withCheckedContinuation { continuation in
            start { continuation.resume() }
        }
        return try result.get()
    }

    private func start(_ whenOver: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenOver = whenOver }
        for _ in 0..<min(count, concurrency) { startNext() }
    }

    private var result: Result<Int, any Error> {
        state.withLock { state in
            state.tally.failure.map { .failure($0) } ?? .success(state.tally.byteCount)
        }
    }

    private func startNext() {
        if let number = state.withLock({ $0.tally.begin() }) { request(number, complete) }
    }

    private func complete(_ outcome: Outcome) {
        let (next, whenOver) = state.withLock { state -> (Int?, (@Sendable () -> Void)?) in
            guard !finish(outcome, &state.tally) else { return (nil, state.whenOver.take()) }
            return (state.tally.begin(), nil)
        }
        if let next { request(next, complete) }
        whenOver?()
    }

    /// Counts an outcome and returns whether the loop is over.
    private func finish(_ outcome: Outcome, _ tally: inout LoopTally) -> Bool {
        switch outcome {
        case .failure(let description):
            tally.fail(LoopFailure(description))
        case .response(let status, _) where status != 200:
            tally.fail(LoopFailure("status \(status) instead of 200"))
        case .response(_, let received):
            tally.finish(byteCount: received)
        }
    }
}
