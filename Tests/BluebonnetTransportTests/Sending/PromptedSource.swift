import BluebonnetTransport
import Foundation

/// A body source with answers prepared by the test, and `.later` if there are none.
final class PromptedSource: BodySource {
    typealias Answer = Result<Exchange.BodyPiece, Exchange.Failure>

    private struct State {
        var answers = FIFO<Answer>()
        var wakes: [@Sendable () -> Void] = []
        var laterCount = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        /// How often to wake the reader during an answer.
        var earlyWakes = 0

        /// Counts a `.later` answer, and returns the continuations that waited for it.
        mutating func noteLater() -> [CheckedContinuation<Void, Never>] {
            laterCount += 1
            let count = laterCount
            defer { waiting.removeAll { $0.count <= count } }
            return waiting.filter { $0.count <= count }.map(\.continuation)
        }
    }

    private let state: Locked<State>

    /// Creates a source that wakes its reader `earlyWakes` times before a `.later` is returned.
    init(earlyWakes: Int = 0) {
        state = Locked(State(earlyWakes: earlyWakes))
    }

    /// Returns a stream with this source, which can be opened once.
    func stream(length: Int64? = nil, mayBlock: Bool = false) -> Exchange.BodyStream {
        var stream = Exchange.BodyStream(length: length, isReplayable: false) { self }
        stream.mayBlock = mayBlock
        return stream
    }

    func next(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Exchange.BodyPiece {
        let answer = state.withLock { state in
            // Each wake-up can add another closure, so keeping all would never end.
            if state.wakes.count < 32 { state.wakes.append(wake) }
            return state.answers.pop()
        }
        if let answer { return try answer.get() }
        let (wakesNow, ready) = state.withLock { state in
            defer { state.earlyWakes -= 1 }
            return (state.earlyWakes > 0, state.noteLater())
        }
        if wakesNow { wake() }
        for continuation in ready { continuation.resume() }
        return .later
    }

    /// Prepares answers without waking the reader.
    func prepare(_ answers: Answer...) {
        state.withLock { state in
            for answer in answers { state.answers.append(answer) }
        }
    }

    /// Prepares answers and wakes the reader.
    func give(_ answers: Answer...) {
        state.withLock { state in
            for answer in answers { state.answers.append(answer) }
        }
        wake()
    }

    /// Wakes the reader this often, through each closure that it has passed.
    func wake(times: Int = 1) {
        let wakes = state.withLock { $0.wakes }
        for _ in 0..<times {
            for wake in wakes { wake() }
        }
    }

    /// The number of `.later` answers.
    var laterCount: Int { state.withLock { $0.laterCount } }

    /// Waits for this number of `.later` answers.
    func later(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.laterCount < count { state.waiting.append((count, continuation)) }
                return state.laterCount >= count
            }
            if isThere { continuation.resume() }
        }
    }
}

extension PromptedSource.Answer {
    static func bytes(_ bytes: UInt8...) -> Self { .success(.bytes(Data(bytes))) }
    static var end: Self { .success(.end) }
}
