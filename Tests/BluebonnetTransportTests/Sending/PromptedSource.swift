import BluebonnetTransport
import Foundation

/// A body source that answers what a test has prepared, and "later" while there is nothing.
final class PromptedSource: BodySource {
    typealias Answer = Result<Exchange.BodyPiece, Exchange.Failure>

    private struct State {
        var answers = FIFO<Answer>()
        var wakes: [@Sendable () -> Void] = []
        var laterCount = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        /// How often to wake the reader from within an answer.
        var earlyWakes = 0

        /// Counts an answer of "later", and returns those who waited for it.
        mutating func noteLater() -> [CheckedContinuation<Void, Never>] {
            laterCount += 1
            let count = laterCount
            defer { waiting.removeAll { $0.count <= count } }
            return waiting.filter { $0.count <= count }.map(\.continuation)
        }
    }

    private let state: Locked<State>

    /// Wakes its reader `earlyWakes` times before an answer of "later" has returned.
    init(earlyWakes: Int = 0) {
        state = Locked(State(earlyWakes: earlyWakes))
    }

    /// Makes a stream with this source, which can be opened once.
    func stream(length: Int64? = nil, mayBlock: Bool = false) -> Exchange.BodyStream {
        var stream = Exchange.BodyStream(length: length, isReplayable: false) { self }
        stream.mayBlock = mayBlock
        return stream
    }

    func next(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Exchange.BodyPiece {
        let answer = state.withLock { state in
            // Each wake-up may bring another closure: with all of them there would be no end.
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

    /// Prepares answers, and wakes nobody.
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

    /// Wakes the reader as often as that, by each closure that it has given.
    func wake(times: Int = 1) {
        let wakes = state.withLock { $0.wakes }
        for _ in 0..<times {
            for wake in wakes { wake() }
        }
    }

    /// How often it has answered "later".
    var laterCount: Int { state.withLock { $0.laterCount } }

    /// Waits until it has answered "later" that many times.
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
