import Bluebonnet
import BluebonnetTestSupport
import Foundation

/// A record of the tasks that were started and have ended, and of failed checks.
final class Ledger: Sendable {
    /// The required outcome of a task.
    enum Expectation: Sendable {
        /// A complete and correct response, whatever happens to other tasks.
        case success
        /// A complete and correct response, unless the server was disturbed or the task is excused.
        case successUndisturbed
        case failure
        case anything
    }

    struct Entry: Sendable {
        var kind: String
        var expectation: Expectation
        var start: Double
        /// Whether the task may fail, because it was canceled or its request could not be sent
        /// again.
        var isExcused = false
    }

    private struct State {
        var lastNumber = 0
        var open: [Int: Entry] = [:]
        var starts = 0
        var ends = 0
        var failures = 0
        var cancels = 0
        var kinds: [String: Int] = [:]
        var complaints: [String] = []
        var complaintCount = 0
        var lastDisturbance = 0.0
        var longest = 0.0
    }

    private let state = Locked(State())

    static var now: Double { MonotonicClock.seconds }

    /// Returns a number for a task that is about to start.
    func begin(_ kind: String, _ expectation: Expectation) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.starts += 1
            state.kinds[kind, default: 0] += 1
            state.open[state.lastNumber] = Entry(
                kind: kind, expectation: expectation, start: Self.now)
            return state.lastNumber
        }
    }

    func noteCancel(_ number: Int) {
        state.withLock { state in
            state.cancels += 1
            state.open[number]?.isExcused = true
        }
    }

    /// Excuses the failure of a task whose request was lost and must not be sent twice.
    func excuse(_ number: Int) { state.withLock { $0.open[number]?.isExcused = true } }

    /// Records a disturbance, during which a server is stopped or connections are closed.
    func disturb(_ body: () throws -> Void) rethrows {
        state.withLock { $0.lastDisturbance = .infinity }
        defer { state.withLock { $0.lastDisturbance = Self.now } }
        try body()
    }

    /// Ends a task and returns the seconds that it took.
    ///
    /// The failure is nil for a correct response.
    @discardableResult
    func end(_ number: Int, _ failure: String?) -> Double? {
        state.withLock { state in
            guard let entry = state.open.removeValue(forKey: number) else {
                complain("task \(number) completed twice", &state)
                return nil
            }
            state.ends += 1
            if failure != nil { state.failures += 1 }
            let seconds = Self.now - entry.start
            state.longest = max(state.longest, seconds)
            // A request can still meet a connection that was closed up to a second before it.
            let isDisturbed = state.lastDisturbance > entry.start - 1
            switch (entry.expectation, failure) {
            case (.success, let failure?):
                complain("\(entry.kind) failed: \(failure)", &state)
            case (.successUndisturbed, let failure?) where !isDisturbed && !entry.isExcused:
                complain("\(entry.kind) failed: \(failure)", &state)
            case (.failure, nil): complain("\(entry.kind) succeeded", &state)
            default: break
            }
            return seconds
        }
    }

    func complain(_ text: String) { state.withLock { complain(text, &$0) } }

    private func complain(_ text: String, _ state: inout State) {
        state.complaintCount += 1
        // The first complaints are the most useful ones.
        if state.complaints.count < 20 { state.complaints.append(text) }
    }

    // MARK: Results

    /// The number of open tasks, without the healthy ones.
    var openFaulty: Int {
        state.withLock { $0.open.values.count { $0.expectation != .success } }
    }

    struct Summary: Sendable {
        var starts, ends, failures, cancels, open, complaintCount: Int
        var complaints: [String]
        var kinds: [String: Int]
        var longest: Double
        /// The age and kind of the oldest open task.
        var oldest: (age: Double, kind: String)?
    }

    var summary: Summary {
        state.withLock { state in
            let oldest = state.open.values.min { $0.start < $1.start }
            return Summary(
                starts: state.starts, ends: state.ends, failures: state.failures,
                cancels: state.cancels, open: state.open.count,
                complaintCount: state.complaintCount, complaints: state.complaints,
                kinds: state.kinds, longest: state.longest,
                oldest: oldest.map { (Self.now - $0.start, $0.kind) })
        }
    }
}
