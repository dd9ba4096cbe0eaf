import BluebonnetTransport
import Foundation

// Events and steps of a task, outside its lock.
extension TaskDelegate {
    /// Applies an event to the task, and performs the steps that follow.
    ///
    /// The first `resume()` or cancel keeps the task alive until its end is delivered.
    func take(_ event: consuming TaskRun.Event, holding task: SessionTask? = nil) {
        // Optional, so that the closure can take it without a copy.
        var event = Optional(event)
        change { state, decision in
            if let task { state.hold(task, of: self) }
            if let event = event.take() { state.take(event, of: self, &decision) }
        }
    }

    /// Applies a report of the transport.
    func take(_ report: consuming Exchange.Report, ofExchange number: Int) {
        var report = Optional(report)
        change { state, decision in
            guard let report = report.take() else { return }
            state.take(report, ofExchange: number, of: self, &decision)
        }
    }

    /// Begins an exchange.
    func take(_ made: consuming OutgoingRequest.Made) {
        var made = Optional(made)
        change { state, decision in
            if let made = made.take() { state.take(made, of: self, &decision) }
        }
    }

    func take(_ finding: HeadFinding, _ rest: Arrival.Rest) {
        change { state, decision in
            state.take(finding, rest, of: self, &decision)
        }
    }

    /// Changes the task under its lock, and performs what follows outside of it.
    @inline(__always)
    private func change(_ change: (inout TaskState, inout TaskDecision) -> Void) {
        let interests = session.audience.monitored
        let date = interests.isEmpty ? nil : session.clock.date
        // Counted before the decision: see `TaskDelegate.noteWork`.
        session.work.begin()
        var decision = TaskDecision()
        state.withLock { state in
            state.run.effects.interests = interests
            if let date { state.run.effects.date = date }
            decision.former = state.run.transfer
            change(&state, &decision)
            if session.work.isObserved { decision.beginsWork = state.noteWork() }
            decision.effects = state.run.effects.begin()
        }
        StepStage(self).perform(work(after: decision))
    }

    /// Performs everything of a decision but its work, which it returns.
    ///
    /// The rest is released before the work begins.
    private func work(after decision: consuming TaskDecision) -> TaskWork {
        let stage = EffectStage(self)
        if let effects = decision.effects.take() { stage.act(effects) }
        for told in decision.told { stage.tell(told) }
        if !decision.beginsWork { session.work.end() }
        return decision.work
    }

    /// Sends an event to the task on the callback queue, or handles it if that has no threads.
    func comeBack(with event: TaskRun.Event) {
        guard !ProcessFork.hasLostThreads else { return take(event) }
        session.send(.happening(event), to: address)
    }
}
