import BluebonnetTransport
import Foundation
import FoundationNetworking

// Events and steps of a task, outside its lock.
extension TaskDelegate {
    /// Applies an event to the task, and performs the steps that follow.
    ///
    /// The first `resume()` or cancel keeps the task alive until its end is delivered.
    func take(_ event: TaskRun.Event, holding task: SessionTask? = nil) {
        var next = advance(with: event, holding: task)
        while let event = next.take() { next = advance(with: event) }
    }

    private func advance(
        with event: TaskRun.Event, holding task: SessionTask? = nil
    ) -> TaskRun.Event? {
        let interests = session.audience.monitored
        let date = interests.isEmpty ? nil : session.clock.date
        // Counted before the decision: see `TaskDelegate.noteWork`.
        session.work.begin()
        let decision = state.withLock { state in
            state.run.effects.interests = interests
            if let date { state.run.effects.date = date }
            if let task { state.hold(task, of: self) }
            return state.take(event, of: self)
        }
        if let effects = decision.effects { act(effects) }
        tell(decision.told)
        if !decision.beginsWork { session.work.end() }
        withExtendedLifetime(decision.former) {}
        return perform(decision.work)
    }

    /// Tells others what an event brings, before its step.
    private func tell(_ told: consuming Told) {
        told.timer?.cancel()
        told.question?.end()
        for tell in told.requestHandlers { tell() }
        if let report = told.sent { report.handler(report.progress) }
        if let (transfer, count) = told.consumed { transfer.didConsume(count) }
        if told.becomesDownload { becomeDownload() }
        if let report = told.received { report.handler(report.progress) }
        if let (channel, head) = told.streamHead { channel.receive(head) }
        for chunk in told.data {
            // A copy, because an observer could change the body through data that shares its
            // memory.
            emit(.receivedData(chunk.withUnsafeBytes { Data($0) }))
        }
        // Last, because the reader of a stream can change the data that it receives.
        if let delivery = told.delivery { deliver(delivery) }
        if let kind = told.kind { callHook(for: kind) }
        told.unusable?.remove(completion: {})
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

    private func deliver(_ delivery: Delivery) {
        switch delivery.receiver {
        case .stream(let channel): channel.receive(delivery.chunks, from: delivery.transfer)
        case .file(let file): file.write(delivery)
        }
    }

    /// Performs a step, and returns the event that results from it if it is known at once.
    private func perform(_ work: TaskWork) -> TaskRun.Event? {
        switch work {
        case .none: return nil
        case .prepare(let preparation): return prepare(preparation)
        case .send(let sending): return send(sending)
        case .share(let other): return SharedOutcomeStage(self).wait(for: other)
        case .find(let inquiry, let rest): return .found(inquiry.finding(), rest: rest)
        case .ask(let question, let head): return ask(question, about: head)
        case .decide(let failure): return FailureStage(self).decide(failure)
        case .complete(let file, let number):
            DownloadStage(self).complete(file, ofExchange: number)
        case .judge(let judges, let whole, let lack, let doubt):
            if let error = lack ?? whole.flatMap({ judges.error(of: $0) }) {
                return .judged(.refused(error))
            }
            return .judged(doubt.map { .doubted($0) } ?? .accepted)
        case .askRetriers(let failed): return InterceptionStage(self).askRetriers(failed)
        case .keep(let file, let isUsable): DownloadStage(self).keep(file, isUsable: isUsable)
        case .wait(let delay): wait(QuestionLimit(time: delay) { _ in .due })
        case .settle(let settlement): return DownloadStage(self).settle(settlement)
        case .move(let file, let place): DownloadStage(self).move(file, to: place)
        case .finish(let ending): finish(ending)
        }
        return nil
    }

    private func ask(
        _ question: Reception.Question, about head: ResponseHead?
    ) -> TaskRun.Event? {
        switch question {
        case .turn(.redirect): return RedirectStage(self).decide()
        case .turn(.challenge): return ChallengeStage(self).decide()
        case .handler(let handler):
            guard let head else { return .keepResponse }
            ask {
                await handler(head)
            } then: { _, disposition in
                if case .cancel = disposition { .cancel(.hook) } else { .keepResponse }
            }
            return nil
        case .doubt: return nil
        }
    }

    /// Performs effects in the order in which they were decided.
    func act(_ effects: consuming TaskEffects.Batch) {
        var batch: TaskEffects.Batch? = effects
        while let effects = batch.take() {
            if let first = effects.first { perform(first) }
            for effect in effects.rest { perform(effect) }
            batch = state.withLock { $0.run.effects.next() }
        }
    }

    private func perform(_ effect: TaskEffect) {
        switch effect {
        case .begin(let transfer): transfer.begin()
        case .pause(let transfer): transfer.suspend()
        case .unpause(let transfer): transfer.resume()
        case .abort(let transfer): transfer.abort()
        case .end(let transfer): end(transfer)
        case .tell(let event): tell(event)
        case .endAttempt(let ended): InterceptionStage(self).end(ended)
        case .endWork: session.work.end()
        case .release: release()
        case .comeBack(let event): comeBack(with: event)
        }
    }

    /// Cancels an exchange, and continues without its end if the transport does not report one.
    private func end(_ transfer: any Transfer) {
        // Read before the cancel, because the end of the exchange can start another one.
        let number = state.withLock { $0.run.transfer === transfer ? $0.exchange.number : nil }
        transfer.cancel()
        guard let number else { return }
        let timer = session.clock.schedule(after: Self.longestEnding) { [weak self] in
            self?.comeBack(with: .endIsMissing(ofExchange: number))
        }
        let hasEnded = state.withLock { state in
            guard state.exchange.number == number, !state.exchange.hasEnded else { return true }
            state.rare.endTimer = timer
            return false
        }
        if hasEnded { timer.cancel() }
    }

    /// The time that a transport has to report the end of a canceled exchange.
    private static let longestEnding = Duration.seconds(1)

    /// Sends an event to the task on the callback queue, or handles it if that has no threads.
    func comeBack(with event: TaskRun.Event) {
        guard !ProcessFork.hasLostThreads else { return take(event) }
        session.send(.happening(event), to: address)
    }
}
