import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The judgement of a response by the task's validators: of its head as soon as that has arrived, and of
/// the whole at the end of the attempt.
struct JudgementStage: TaskStage {
    let delegate: TaskDelegate

    init(_ delegate: TaskDelegate) {
        self.delegate = delegate
    }

    /// Asks the validators about a head, up to the first that refuses it; its error.
    func judge(_ head: ResponseHead) -> BluebonnetError? {
        let validators = validators(added: state.withLock { $0.validators })
        for index in 0..<validators.count {
            guard let error = headError(validators[index], head) else { continue }
            note(error, judgedCount: index + 1)
            return error
        }
        note(nil, judgedCount: validators.count)
        return nil
    }

    private func note(_ verdict: BluebonnetError?, judgedCount: Int) {
        state.withLock { state in
            state.exchange.verdict = verdict
            state.exchange.judgedCount = judgedCount
        }
    }

    /// What is wrong with the response, by the first validator that refuses it; nil for a good one.
    func judge() -> BluebonnetError? {
        let (lack, exchange, added) = state.withLock { state in
            (state.exchange.lackOfMemory(), Judged(state.exchange), state.validators)
        }
        if let lack { return lack }
        guard let head = exchange.head else { return nil }
        let validators = validators(added: added)
        for index in 0..<validators.count {
            let refusal =
                if index == exchange.judgedCount - 1 {
                    exchange.verdict
                } else if index >= exchange.judgedCount {
                    headError(validators[index], head)
                } else {
                    BluebonnetError?.none
                }
            if let error = refusal?.relevant(toBodyOf: exchange.bodyCount) { return error }
            if let error = bodyError(validators[index], head) { return error }
        }
        return nil
    }

    /// What the end of an attempt takes of an exchange.
    private struct Judged {
        let head: ResponseHead?
        let verdict: BluebonnetError?
        let judgedCount: Int
        let bodyCount: Int

        init(_ exchange: TaskExchange) {
            head = exchange.head
            verdict = exchange.verdict
            judgedCount = exchange.judgedCount
            bodyCount = exchange.body.count
        }
    }

    /// A task's validators, in order: that of its serializer, and those that were added.
    private struct Validators {
        let own: ResponseValidator?
        let added: [ResponseValidator]

        var count: Int { (own == nil ? 0 : 1) + added.count }

        subscript(index: Int) -> ResponseValidator {
            guard let own else { return added[index] }
            return index == 0 ? own : added[index - 1]
        }
    }

    private func validators(added: [ResponseValidator]) -> Validators {
        Validators(own: delegate.setup.validator, added: added)
    }

    private func headError(
        _ validator: ResponseValidator, _ head: ResponseHead
    ) -> BluebonnetError? {
        switch validator.judgement {
        case .serializer(let serializer):
            do throws(BluebonnetError) {
                try serializer.validate(head)
                return nil
            } catch {
                return error
            }
        case .head(let judge): return error { try judge(head, delegate.currentRequest) }
        case .body, .file: return nil
        }
    }

    private func bodyError(
        _ validator: ResponseValidator, _ head: ResponseHead
    ) -> BluebonnetError? {
        switch validator.judgement {
        case .serializer, .head: return nil
        case .body(let judge):
            let data = state.withLock { state in
                if case .memory = state.flow { state.exchange.body.joined() } else { Data?.none }
            }
            return data.flatMap { data in error { try judge(data, head, delegate.currentRequest) } }
        case .file(let judge):
            let file = state.withLock { $0.download }?.completeFile
            return file.flatMap { file in error { try judge(file, head, delegate.currentRequest) } }
        }
    }

    private func error(_ judge: () throws -> Void) -> BluebonnetError? {
        do {
            try judge()
            return nil
        } catch let error as BluebonnetError {
            return error
        } catch {
            return .validation("\(error)", .init(underlying: error))
        }
    }
}

extension TaskExchange {
    /// What the task fails with when the system has no memory for its body in one piece.
    fileprivate mutating func lackOfMemory() -> BluebonnetError? {
        body.makeRoom() ? nil : .transport(.noMemory(forBodyOf: body.count), .init())
    }
}
