import BluebonnetTransport

/// A source of an attempt's response other than the manager's transport.
package enum AttemptAnswer: Sendable {
    /// Another transport.
    case transport(any Transport)
    /// Another task, whose outcome also becomes the outcome of this task.
    case outcome(of: TaskDelegate)
}

extension TaskDelegate {
    /// Sets the source of the response for the attempt that adapters are preparing.
    package func answer(by answer: AttemptAnswer) {
        state.withLock { $0.attempt.rare.answer = answer }
    }
}

/// Waits for another task, and adopts its outcome.
///
/// Nothing is sent, judged or retried.
struct SharedOutcomeStage: TaskStage {
    let delegate: TaskDelegate

    func wait(for leader: TaskDelegate) -> TaskRun.Event {
        QuestionStage(delegate).ask {
            await withCheckedContinuation { continuation in
                leader.add(
                    OutcomeResponder { outcome in continuation.resume(returning: outcome) })
            }
        } then: {
            SharedOutcomeStage($0).take($1)
        }
        return .adapting
    }

    private func take(_ outcome: TaskOutcome) -> TaskRun.Event {
        // If a caller canceled the other task, this one continues. A hook would cancel this one
        // too.
        if let error = outcome.error, case .cancelled = error, error.context.cancellation == nil {
            return .startOver(error)
        }
        return .answered(outcome)
    }
}
