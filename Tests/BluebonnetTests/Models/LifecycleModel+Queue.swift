import BluebonnetTransport

@testable import Bluebonnet

// What the callback queue does, one message at a time, as the delegate does it.
extension LifecycleModel {
    var isQueueIdle: Bool {
        if case .idle = queue { true } else { false }
    }

    mutating func handle() {
        let message = messages.removeFirst()
        // It has left the map.
        guard phase != .completed else { return }
        switch message {
        case .chunk(let transfer, let count): receive(count, of: transfer)
        case .end(let transfer, let isFailure): end(transfer, isFailure)
        case .failure: complete()
        case .answer(let answer): take(answer)
        }
    }

    private mutating func receive(_ count: Int, of transfer: ModelTransfer) {
        guard !startsOver, !hasEnough, phase != .canceling else {
            return consume(count, of: transfer)
        }
        switch transfer.role {
        case .memory where chance(6): abort(transfer)
        case .memory, .question: consume(count, of: transfer)
        case .stream, .file: transfer.unreadCount += count
        case .redirect:
            if chance(3) {
                hasEnough = true
                giveUp(transfer)
            }
            consume(count, of: transfer)
        case .stale:
            guard !transfer.hasHead else { return }
            transfer.hasHead = true
            // The file that is opened first does not answer at once.
            if chance(2) { answers.append(.startOver) } else { startOver() }
        }
    }

    mutating func consume(_ count: Int, of transfer: ModelTransfer) {
        transfer.consumedCount += count
        if !transfer.isEndHandled, phase != .completed { transfer.owedCount += count }
        life.consumed(count)?.didConsume(count)
    }

    @discardableResult
    private mutating func giveUp(_ transfer: ModelTransfer) -> Bool {
        transfer.giveUpCount += 1
        switch life.giveUpExchange() {
        case .cancel(let told):
            expect(told == nil || told as? ModelTransfer === transfer, "another is given up")
            expect(!transfer.isEndHandled, "an exchange that has ended is given up")
            told?.cancel()
            return false
        case .over:
            expect(transfer.isEndHandled, "an exchange under way is said to be over")
            return true
        }
    }

    private mutating func abort(_ transfer: ModelTransfer) {
        giveUp(transfer)
        complete()
    }

    private mutating func startOver() {
        guard let current, !startsOver else { return }
        startsOver = true
        if giveUp(current) { goOn() }
    }

    private mutating func end(_ transfer: ModelTransfer, _ isFailure: Bool) {
        life.exchangeDidEnd()
        transfer.isEndHandled = true
        guard phase != .canceling else { return complete() }
        if startsOver { return goOn() }
        if isFailure, !hasEnough { return complete() }
        switch transfer.role {
        case .memory, .stream: complete()
        case .file: answers.append(.commit)
        case .redirect: goOn()
        case .question: answers.append(chance(3) ? .stop : .goOn)
        case .stale: if !isStartingOver { complete() }
        }
    }

    /// Whether it is going to be found that a download has to begin anew.
    private var isStartingOver: Bool {
        answers.contains { $0 == .startOver }
            || messages.contains { if case .answer(.startOver) = $0 { true } else { false } }
    }

    private mutating func take(_ answer: Answer) {
        switch answer {
        case .goOn: goOn()
        case .stop, .moved: complete()
        case .startOver: startOver()
        case .commit:
            let mayCommit = phase == .running || phase == .suspended
            let isCommitted = life.commit()
            expect(isCommitted == mayCommit, "commit of a \(phase) task: \(isCommitted)")
            guard isCommitted else { return complete() }
            phase = .committed
            answers.append(.moved)
        }
    }

    private mutating func goOn() {
        (startsOver, hasEnough) = (false, false)
        queue = .beginning(canFail: false)
    }

    private mutating func complete() {
        let completion = life.complete()
        switch completion {
        case .alreadyComplete: return expect(false, "a \(phase) task is said to be complete")
        case .cancelled: expect(phase == .canceling, "a \(phase) task completes as cancelled")
        case .regular:
            expect(phase != .canceling, "a cancelled task completes as though it were not")
        }
        completionCount += 1
        expect(completionCount == 1, "\(completionCount) completions")
        phase = .completed
    }
}
