/// Calls a closure with the outcome of a task, without serializing the body.
final class OutcomeResponder: TaskResponder {
    private let tell: @Sendable (TaskOutcome, TaskDelegate) -> Void

    init(_ tell: @escaping @Sendable (TaskOutcome, TaskDelegate) -> Void) {
        self.tell = tell
    }

    func respond(
        to outcome: consuming TaskOutcome, of delegate: TaskDelegate, as turn: TaskResponders.Turn
    ) {
        let outcome = outcome
        tell(outcome, delegate)
        DeliveryStage(delegate).responderDidReturn(turn) {
            CompletionContent(
                ResponseParts(outcome, unacceptedBody: nil), object: nil, error: outcome.error,
                serializer: nil)
        }
    }
}
