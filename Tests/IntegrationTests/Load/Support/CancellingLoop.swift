import Bluebonnet
import BluebonnetTestSupport
import Dispatch

/// A closed loop of a manager's tasks that cancels some, and counts completions by task.
final class CancellingLoop: Sendable {
    private struct State {
        var completions: [Int]
        var cancelled = 0
        var random: SeededGenerator
    }

    /// When a task is canceled.
    private enum Moment: CaseIterable {
        case beforeResume, afterResume, fromAnotherThread
    }

    private let manager: HTTPSessionManager
    private let path: String
    private let count: Int
    private let cancelShare: Int
    private let state: Locked<State>

    /// Creates a loop that cancels one of `cancelShare` tasks at a random moment, or none if that
    /// is 0.
    init(
        _ manager: HTTPSessionManager, path: String, count: Int, cancelShare: Int, seed: UInt64 = 7
    ) {
        self.manager = manager
        self.path = path
        self.count = count
        self.cancelShare = cancelShare
        state = Locked(
            State(
                completions: Array(repeating: 0, count: count),
                random: SeededGenerator(seed: seed)))
    }

    /// How often each task's handler has been called, and how many tasks were canceled.
    var result: (completions: [Int], cancelled: Int) {
        state.withLock { ($0.completions, $0.cancelled) }
    }

    /// Returns when every task has completed.
    func run(concurrency: Int) async throws {
        let loop = ClosedLoop(count: count, concurrency: concurrency) { [self] number, completion in
            start(number, completion)
        }
        try await loop.run()
    }

    private func start(_ number: Int, _ completion: @escaping ClosedLoop.Completion) {
        let moment: Moment? = state.withLock { state in
            guard cancelShare > 0, Int.random(in: 0..<cancelShare, using: &state.random) == 0 else {
                return nil
            }
            return Moment.allCases.randomElement(using: &state.random)
        }
        let task = manager.dataTask(method: .get, path: path) { [state] response in
            state.withLock { state in
                state.completions[number] += 1
                state.cancelled += response.error?.isCancelled == true ? 1 : 0
            }
            completion(.response(status: 200, byteCount: 0))
        }
        if moment == .beforeResume { task.cancel() }
        task.resume()
        if moment == .afterResume { task.cancel() }
        if moment == .fromAnotherThread { DispatchQueue.global().async { task.cancel() } }
    }
}
