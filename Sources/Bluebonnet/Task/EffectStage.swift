import BluebonnetTransport
import Foundation

/// Performs what was decided under the task's lock, outside of it and on any thread.
struct EffectStage: TaskStage {
    let delegate: TaskDelegate

    init(_ delegate: TaskDelegate) {
        self.delegate = delegate
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
        case .limitBody(let number): limitBody(ofExchange: number)
        case .tell(let event): delegate.tell(event)
        case .endAttempt(let ended): InterceptionStage(delegate).end(ended)
        case .endWork: session.work.end()
        case .release: DeliveryStage(delegate).release()
        case .comeBack(let event): delegate.comeBack(with: event)
        }
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

    /// The time that a transport has to report the end of a canceled exchange.
    private static let longestEnding = Duration.seconds(1)
}
