import BluebonnetTransport
import Foundation
import FoundationNetworking

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

    private func take(_ finding: HeadFinding, _ rest: Arrival.Rest) {
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
        perform(work(after: decision))
    }

    /// Performs everything of a decision but its work, which it returns.
    ///
    /// The rest is released before the work begins.
    private func work(after decision: consuming TaskDecision) -> TaskWork {
        if let effects = decision.effects.take() { EffectStage(self).act(effects) }
        for told in decision.told { tell(told) }
        if !decision.beginsWork { session.work.end() }
        return decision.work
    }

    /// Tells others what an event brings.
    private func tell(_ told: Told) {
        switch told {
        case .timer(let timer): timer.cancel()
        case .question(let question): question.end()
        case .request(let handlers): for tell in handlers { tell() }
        case .progress(let report): report.handler(report.progress)
        case .consumed(let transfer, let count): transfer.didConsume(count)
        case .streamHead(let channel, let head): channel.receive(head)
        case .data(let chunks):
            for chunk in chunks {
                // A copy, because an observer could change the body through data that shares its
                // memory.
                emit(.receivedData(chunk.withUnsafeBytes { Data($0) }))
            }
        case .delivery(let delivery):
            switch delivery.receiver {
            case .stream(let channel): channel.receive(delivery.chunks, from: delivery.transfer)
            case .file(let file): file.write(delivery)
            }
        case .hook(let kind): callHook(for: kind)
        case .becameDownload: becomeDownload()
        case .unusable(let file): file.remove(completion: {})
        case .former: break
        }
    }

    /// Moves the task to its number as a download, and gives it a handle of that class.
    private func becomeDownload() {
        guard let former = task as? DataTask else { return }
        let taskIdentifier = taskIdentifier
        session.map.withLock { $0.move(self, to: taskIdentifier) }
        let task = DownloadTask(delegate: self, taskIdentifier: taskIdentifier)
        state.withLock { $0.held?.task = task }
        emit(.becameDownload(from: former))
    }

    /// Performs a step, and continues with the event that results if it is known at once.
    private func perform(_ work: consuming TaskWork) {
        switch consume work {
        case .none: break
        case .prepare(let preparation):
            take(known: PreparationStage(self).prepare(consume preparation))
        case .send(let outgoing): SendingStage(self).send(outgoing)
        case .share(let other): take(known: SharedOutcomeStage(self).wait(for: other))
        case .find(let inquiry, let rest): take(inquiry.finding(), rest)
        case .ask(let question, let head): take(known: ask(question, about: head))
        case .decide(let failure): take(known: FailureStage(self).decide(failure))
        case .complete(let file, let number):
            DownloadStage(self).complete(file, ofExchange: number)
        case .judge(let judges, let whole, let lack, let doubt):
            take(known: judged(consume judges, consume whole, lack, doubt))
        case .askRetriers(let failed): take(known: InterceptionStage(self).askRetriers(failed))
        case .keep(let file, let isUsable): DownloadStage(self).keep(file, isUsable: isUsable)
        case .wait(let delay): QuestionStage(self).wait(QuestionLimit(time: delay) { _ in .due })
        case .settle(let settlement): take(known: DownloadStage(self).settle(consume settlement))
        case .move(let file, let place): DownloadStage(self).move(file, to: place)
        case .finish(let ending): finish(ending)
        }
    }

    private func judged(
        _ judges: Judges, _ whole: Judges.Whole?, _ lack: BluebonnetError?,
        _ doubt: BluebonnetError?
    ) -> TaskRun.Event {
        if let error = lack ?? whole.flatMap({ judges.error(of: $0) }) {
            return .judged(.refused(error))
        }
        return .judged(doubt.map { .doubted($0) } ?? .accepted)
    }

    /// Continues with the event that results from a step, if it is known at once.
    private func take(known event: TaskRun.Event?) {
        guard let event else { return }
        take(event)
        // Held across the lock, because the deinit of a caller's error can use the task.
        withExtendedLifetime(event) {}
    }

    private func ask(
        _ question: Reception.Question, about head: ResponseHead?
    ) -> TaskRun.Event? {
        switch question {
        case .turn(.redirect): return RedirectStage(self).decide()
        case .turn(.challenge): return ChallengeStage(self).decide()
        case .handler(let handler):
            guard let head else { return .keepResponse }
            QuestionStage(self).ask {
                await handler(head)
            } then: { _, disposition in
                if case .cancel = disposition { .cancel(.hook) } else { .keepResponse }
            }
            return nil
        case .doubt: return nil
        }
    }

    /// Sends an event to the task on the callback queue, or handles it if that has no threads.
    func comeBack(with event: TaskRun.Event) {
        guard !ProcessFork.hasLostThreads else { return take(event) }
        session.send(.happening(event), to: address)
    }
}
