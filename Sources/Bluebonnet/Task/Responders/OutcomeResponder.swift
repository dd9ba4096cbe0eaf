/// Calls a closure with the outcome of a task, without serializing the body.
final class OutcomeResponder: TaskResponder {
    private let tell: @Sendable (TaskOutcome) -> Void

    init(_ tell: @escaping @Sendable (TaskOutcome) -> Void) {
        self.tell = tell
    }

    func respond(
        to outcome: consuming TaskOutcome, of delegate: TaskDelegate, as turn: TaskResponders.Turn
    ) {
        let outcome = outcome
        tell(outcome)
        DeliveryStage(delegate).responderDidReturn(turn) {
            CompletionContent(outcome)
        }
    }
}
