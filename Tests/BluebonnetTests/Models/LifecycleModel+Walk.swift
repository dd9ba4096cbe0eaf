import BluebonnetTransport
import BluebonnetTestSupport

@testable import Bluebonnet

// A run: events in a random order, then everything to its end.
extension LifecycleModel {
    enum Event: CaseIterable {
        case resume, suspend, cancel, act, holder, queue, deliver, end, handle, consume, answer
    }

    static func run(seed: UInt64, logs: Bool) throws(RandomWalks.Failure) -> Int {
        var model = LifecycleModel(seed: seed, logs: logs)
        let count = 10 + model.random.next() % 40
        // Some tasks are hardly ever cancelled, or few would get far.
        let cancelsSeldom = model.chance(2)
        while model.steps < count, model.fault == nil {
            let event = Event.allCases.randomElement(using: &model.random) ?? .act
            if event == .cancel, cancelsSeldom || !model.chance(4), !model.chance(30) { continue }
            model.take(event)
        }
        while model.fault == nil, let event = model.nextToTheEnd() { model.take(event) }
        model.expectEnd()
        guard let fault = model.fault else { return model.steps }
        throw RandomWalks.Failure(reason: fault, events: model.verdict.events)
    }

    /// Lets something happen, if it can.
    private mutating func take(_ event: Event) {
        guard canHappen(event) else { return }
        verdict.note("\(event)")
        steps += 1
        switch event {
        case .resume: resume()
        case .suspend: suspend()
        case .cancel: cancel()
        case .act: act()
        case .holder: holder = advance(holder)
        case .queue: queue = advance(queue)
        case .deliver: deliver()
        case .end: endTransfer()
        case .handle: handle()
        case .consume:
            guard let transfer = transfers.first(where: { $0.unreadCount > 0 }) else { return }
            consume(transfer.unreadCount, of: transfer)
            transfer.unreadCount = 0
        case .answer: answer()
        }
        expectConsistency()
    }

    private func canHappen(_ event: Event) -> Bool {
        switch event {
        case .resume, .suspend, .cancel: true
        case .act: isActing
        case .holder: if case .idle = holder { false } else { true }
        case .queue: !isQueueIdle
        case .deliver: transfers.contains(where: canDeliver)
        case .end: transfers.contains { !$0.isEnded }
        case .handle: isQueueIdle && !messages.isEmpty
        case .consume: transfers.contains { $0.unreadCount > 0 }
        case .answer: !answers.isEmpty
        }
    }

    private func canDeliver(_ transfer: ModelTransfer) -> Bool {
        !transfer.isEnded && !transfer.isSuspended && transfer.chunkCount < 4
    }

    private mutating func deliver() {
        guard let transfer = transfers.first(where: canDeliver) else { return }
        transfer.chunkCount += 1
        messages.append(.chunk(transfer, 1 + Int(random.next() % 9)))
    }

    private mutating func endTransfer() {
        guard let transfer = transfers.first(where: { !$0.isEnded }) else { return }
        transfer.isEnded = true
        let isFailure = transfer.cancelCount > 0 || transfer.isSuspended || chance(8)
        messages.append(.end(transfer, isFailure: isFailure))
    }

    private mutating func answer() {
        let index = Int(random.next() % UInt64(answers.count))
        messages.append(.answer(answers.remove(at: index)))
    }

    // MARK: The end

    /// What is left to happen by itself; nil when nothing is.
    private mutating func nextToTheEnd() -> Event? {
        let order: [Event] = [.act, .holder, .queue, .handle, .consume]
        if let event = order.first(where: canHappen) { return event }
        expectNothingLost()
        guard phase != .completed else { return nil }
        if phase == .suspended { return .resume }
        if canHappen(.end) { return .end }
        // A hook that is asked on behalf of a cancelled task may never answer.
        if phase == .canceling { answers.removeAll { $0 == .goOn || $0 == .stop } }
        return canHappen(.answer) ? .answer : nil
    }

    private func expectEnd() {
        guard phase != .new else { return expect(completionCount == 0, "a new task completed") }
        expect(completionCount == 1, "a \(phase) task has \(completionCount) completions")
        expect(startCount <= 1, "\(startCount) starts")
    }

    /// Once nobody is about to do anything, no transfer of an ended task goes on.
    private func expectNothingLost() {
        guard phase == .completed || phase == .canceling else { return }
        expect(phase == .canceling || life.transfer == nil, "an ended task holds a transfer")
        for transfer in transfers where !transfer.isEnded {
            expect(transfer.cancelCount > 0, "a transfer of a \(phase) task goes on")
        }
    }

    private func expectConsistency() {
        for transfer in transfers { expectConsistency(of: transfer) }
        expect(life.phase == phase, "the task is \(life.phase) instead of \(phase)")
    }

    private func expectConsistency(of transfer: ModelTransfer) {
        let reasons =
            transfer.giveUpCount + (transfer.isTaskCancelled ? 1 : 0)
            + (phase == .completed ? 1 : 0)
        expect(transfer.cancelCount <= reasons, "a transfer is cancelled too often")
        expect(
            transfer.toldCount <= transfer.consumedCount,
            "a transfer is told of \(transfer.toldCount) of \(transfer.consumedCount) bytes")
        guard transfer.isReported, !transfer.isEndHandled, phase != .completed else { return }
        expect(
            transfer.toldCount == transfer.owedCount,
            "a transfer is told of \(transfer.toldCount) instead of \(transfer.owedCount) bytes")
        guard !isActing, !transfer.isEnded else { return }
        expect(
            transfer.giveUpCount == 0 || transfer.cancelCount > 0,
            "a transfer that was given up is not cancelled")
        // Who is cancelled need not be paused.
        switch phase {
        case .running where transfer.giveUpCount == 0, .suspended where transfer.giveUpCount == 0:
            expect(
                transfer.isSuspended == (phase == .suspended),
                "the transfer of a \(phase) task is \(transfer.isSuspended ? "" : "not ")paused")
        case .canceling: expect(transfer.cancelCount > 0, "a transfer is not cancelled")
        case .new, .running, .suspended, .committed, .completed: break
        }
    }
}
