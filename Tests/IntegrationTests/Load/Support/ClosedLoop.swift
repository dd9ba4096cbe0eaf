import Bluebonnet
import BluebonnetFixtureServer
import Foundation
import BluebonnetTestSupport

/// Keeps a number of requests under way until all have completed, and counts completions by task.
final class ClosedLoop: Sendable {
    private struct State {
        var next = 0
        var completions: [Int]
        var cancelled = 0
        var random: SeededGenerator
        var remaining: Int
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let manager: HTTPSessionManager
    private let path: String
    private let cancelShare: Int
    private let state: Locked<State>

    /// Makes a loop that cancels one of `cancelShare` tasks at a random moment; 0 for none.
    init(
        _ manager: HTTPSessionManager, path: String, count: Int, cancelShare: Int, seed: UInt64 = 7
    ) {
        self.manager = manager
        self.path = path
        self.cancelShare = cancelShare
        state = Locked(
            State(
                completions: Array(repeating: 0, count: count),
                random: SeededGenerator(seed: seed),
                remaining: count
            )
        )
    }

    /// How often each task's handler was called so far, and how many were cancelled.
    var result: (completions: [Int], cancelled: Int) {
        state.withLock { ($0.completions, $0.cancelled) }
    }

    /// Returns when every task has completed.
    func run(concurrency: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.continuation = continuation }
            for _ in 0..<concurrency { startNext() }
        }
    }

    private func startNext() {
        let plan: (number: Int, fate: Int)? = state.withLock { state in
            guard state.next < state.completions.count else { return nil }
            state.next += 1
            guard cancelShare > 0, Int.random(in: 0..<cancelShare, using: &state.random) == 0 else {
                return (state.next - 1, -1)
            }
            return (state.next - 1, Int.random(in: 0..<3, using: &state.random))
        }
        guard let (number, fate) = plan else { return }
        let task = manager.dataTask(method: .get, path: path) { [self] response in
            completed(number, response.error?.isCancelled == true)
        }
        if fate == 0 { task.cancel() }
        task.resume()
        if fate == 1 { task.cancel() }
        if fate == 2 { DispatchQueue.global().async { task.cancel() } }
    }

    private func completed(_ number: Int, _ wasCancelled: Bool) {
        let ended: CheckedContinuation<Void, Never>? = state.withLock { state in
            state.completions[number] += 1
            state.cancelled += wasCancelled ? 1 : 0
            state.remaining -= 1
            guard state.remaining == 0 else { return nil }
            defer { state.continuation = nil }
            return state.continuation
        }
        if let ended { ended.resume() } else { startNext() }
    }
}
