import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What answers an attempt in place of the manager's transport.
enum AttemptAnswer: Sendable {
    /// Another transport.
    case transport(any Transport)
    /// Another task, whose outcome becomes this one's.
    case outcome(of: TaskDelegate)
}

extension TaskDelegate {
    /// Has the attempt that is being prepared answered by something else, for adapters.
    func answer(by answer: AttemptAnswer) {
        state.withLock { $0.attempt.answer = answer }
    }
}

/// The wait for another task whose outcome becomes this one's: nothing is sent, judged or retried.
struct SharedOutcomeStage: TaskStage {
    let delegate: TaskDelegate

    init(_ delegate: TaskDelegate) {
        self.delegate = delegate
    }

    func wait(for leader: TaskDelegate) -> TaskRun.Event {
        delegate.ask {
            await withCheckedContinuation { continuation in
                leader.add(
                    OutcomeResponder { outcome, _ in continuation.resume(returning: outcome) })
            }
        } then: {
            SharedOutcomeStage($0).take($1)
        }
        return .adapting
    }

    private func take(_ outcome: TaskOutcome) -> TaskRun.Event {
        // Who cancelled the other task has not cancelled this one; a hook would cancel this one, too.
        if let error = outcome.error, error.isExplicitlyCancelledError,
            error.context.cancellation == nil
        {
            delegate.endAttempt(.failure(error))
            return .startOver(error)
        }
        state.withLock { state in
            state.attempt.request = outcome.request ?? state.attempt.request
            state.exchange.head = outcome.head
            state.exchange.trailers = outcome.trailers
            if let data = outcome.data { state.exchange.body.append([Exchange.Chunk(data)]) }
        }
        return .answered(outcome.error)
    }
}
