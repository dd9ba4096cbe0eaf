import BluebonnetTransport

/// Performs what was decided under the task's lock, outside of it and on any thread.
struct EffectStage: TaskStage {
    let delegate: TaskDelegate

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
        case .limitBody(let number): limitBody(ofExchange: number)
        case .tell(let event): tell(event)
        case .endAttempt(let ended): InterceptionStage(delegate).end(ended)
        case .endWork: session.work.end()
        case .release: DeliveryStage(delegate).release()
        case .comeBack(let event): delegate.comeBack(with: event)
        }
    }

    /// Reports an event to monitors and observers when its turn has come.
    private func tell(_ event: PendingEvent) {
        // The task can be released already, for example if a handler is added after the end.
        let task = event.task ?? state.withLock { $0.knownTask } ?? delegate.makeTask()
        session.audience.tell(
            TaskEvent(
                kind: event.kind, task: task, attempt: event.attempt, date: event.date,
                isAfterValidation: event.isAfterValidation),
            event.content)
    }

    /// Cancels an exchange, and continues without its end if the transport does not report one.
    private func end(_ transfer: any Transfer) {
        // Read before the cancel, because the end of the exchange can start another one.
        let number = state.withLock { $0.run.transfer === transfer ? $0.exchange.number : nil }
        transfer.cancel()
        guard let number else { return }
        time(
            .endIsMissing(ofExchange: number), after: Self.longestEnding, ofExchange: number)
    }

    private func limitBody(ofExchange number: Int) {
        guard let seconds = ExchangeBuilder.usable(session.configuration.errorBodyTimeout) else {
            return
        }
        time(
            .bodyIsLate(ofExchange: number), after: Duration(delayInSeconds: seconds),
            ofExchange: number)
    }

    /// Sends an event after a delay, unless the exchange ends or is timed again before.
    private func time(
        _ event: TaskRun.Event, after delay: Duration, ofExchange number: Int
    ) {
        let timer = session.clock.schedule(after: delay) { [weak delegate] in
            delegate?.comeBack(with: event)
        }
        let unwanted = state.withLock { state in
            guard state.exchange.number == number, !state.exchange.hasEnded else {
                return timer as (any SessionTimer)?
            }
            defer { state.rare.exchangeTimer = timer }
            return state.rare.exchangeTimer
        }
        unwanted?.cancel()
    }

    /// Tells others what an event brings.
    func tell(_ told: Told) {
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
                delegate.emit(.receivedData(chunk.withUnsafeBytes { Data($0) }))
            }
        case .delivery(let delivery):
            switch delivery.receiver {
            case .stream(let channel): channel.receive(delivery.chunks, from: delivery.transfer)
            case .file(let file): file.write(delivery)
            }
        case .hook(let kind): delegate.callHook(for: kind)
        case .becameDownload: becomeDownload()
        case .unusable(let file): file.remove(completion: {})
        case .former: break
        }
    }

    /// Moves the task to its number as a download, and gives it a handle of that class.
    private func becomeDownload() {
        guard let former = task as? DataTask else { return }
        let taskIdentifier = delegate.taskIdentifier
        session.map.withLock { $0.move(delegate, to: taskIdentifier) }
        let task = DownloadTask(delegate: delegate, taskIdentifier: taskIdentifier)
        state.withLock { $0.held?.task = task }
        delegate.emit(.becameDownload(from: former))
    }

    /// The time that a transport has to report the end of a canceled exchange.
    private static let longestEnding = Duration.seconds(1)
}
