import Bluebonnet
import BluebonnetTestSupport
import Foundation

/// The tasks of one manager with the faulty server.
///
/// When a task ends, another one of a random kind follows, so the number of tasks stays constant.
final class Workload: Sendable {
    private struct State {
        var random: SeededGenerator
        var baseURLs: [String]
        var isOn = true
    }

    let manager: SessionManager
    let ledger: Ledger
    let directory: URL
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "soak.workload")

    init(
        _ manager: SessionManager, _ ledger: Ledger, directory: URL, baseURLs: [String],
        seed: UInt64
    ) {
        self.manager = manager
        self.ledger = ledger
        self.directory = directory
        state = Locked(State(random: SeededGenerator(seed: seed), baseURLs: baseURLs))
    }

    func draw(_ range: Range<Int>) -> Int {
        state.withLock { Int.random(in: range, using: &$0.random) }
    }

    /// The current URLs of the server.
    var baseURLs: [String] {
        get { state.withLock { $0.baseURLs } }
        set { state.withLock { $0.baseURLs = newValue } }
    }

    func start(_ count: Int) {
        for _ in 0..<count { startSoon() }
    }

    /// Starts no more tasks, but lets those in flight continue.
    func stop() { state.withLock { $0.isOn = false } }

    private func startSoon() {
        let pause = draw(0..<20)
        queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [self] in
            if state.withLock({ $0.isOn }) { startOne() }
        }
    }

    private func startOne() {
        // About half of the tasks meet a fault.
        if draw(0..<2) == 0 { startFault() } else { startGood() }
    }

    // MARK: Bookkeeping of one task

    /// Begins a task, and returns its number and a closure to call at its end.
    ///
    /// The argument of the closure is the failure, or nil for a correct response.
    func begin(
        _ kind: String, _ expectation: Ledger.Expectation
    ) -> (number: Int, end: @Sendable (String?) -> Void) {
        let number = ledger.begin(kind, expectation)
        return (
            number,
            { [self] failure in
                ledger.end(number, failure)
                startSoon()
            }
        )
    }

    /// Resumes a task and sometimes cancels or suspends it later, or changes its priority.
    func run(_ task: SessionTask, _ number: Int) {
        switch draw(0..<10) {
        case 0:
            after(draw(0..<60)) { [ledger] in
                ledger.noteCancel(number)
                task.cancel()
            }
        case 1:
            after(draw(0..<20)) { [self] in
                task.suspend()
                after(draw(0..<200)) { task.resume() }
            }
        case 2: task.priority = Float(draw(0..<5)) / 4
        default: break
        }
        task.resume()
    }

    private func after(_ milliseconds: Int, _ action: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: action)
    }

    func request(_ path: String, _ method: String = "GET") -> URLRequest? {
        let baseURLs = baseURLs
        guard let url = URL(string: baseURLs[draw(0..<baseURLs.count)] + path) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        return request
    }
}
