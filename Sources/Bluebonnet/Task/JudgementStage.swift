import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Applies the serializer and the validators of a task to a response.
///
/// The head is judged as soon as it has arrived, and the whole response at the end of the attempt.
struct JudgementStage: TaskStage {
    let delegate: TaskDelegate

    init(_ delegate: TaskDelegate) {
        self.delegate = delegate
    }

    /// Applies the serializer to a head, and then the validators, until one refuses it.
    ///
    /// The result is the error of the refusal, if any, and the number of judges that were applied.
    func judge(_ head: ResponseHead) -> (verdict: BluebonnetError?, judgedCount: Int) {
        let (judge, added) = state.withLock { ($0.responders.judge, $0.validators) }
        var (verdict, judgedCount) = (error(of: judge, head), 1)
        while verdict == nil, judgedCount <= added.count {
            verdict = headError(added[judgedCount - 1], head)
            judgedCount += 1
        }
        return (verdict, judgedCount)
    }

    /// Returns the error of the first judge that refuses the response; nil if it is accepted.
    func judge() -> BluebonnetError? {
        let (lack, judged, judge, added) = state.withLock { state in
            (
                state.exchange.lackOfMemory(), Judged(state.exchange), state.responders.judge,
                state.validators
            )
        }
        if let lack { return lack }
        guard let head = judged.head else { return nil }
        for index in 0...added.count {
            let validator = index == 0 ? nil : added[index - 1]
            let refusal =
                if index < judged.count {
                    index == judged.count - 1 ? judged.verdict : nil
                } else {
                    validator.map { headError($0, head) } ?? error(of: judge, head)
                }
            if let error = refusal?.relevant(toBodyOf: judged.bodyCount) { return error }
            if let validator, let error = bodyError(validator, head) { return error }
        }
        return nil
    }

    /// The parts of an exchange that are needed at the end of an attempt.
    private struct Judged {
        let head: ResponseHead?
        let verdict: BluebonnetError?
        let count: Int
        let bodyCount: Int

        init(_ exchange: TaskExchange) {
            head = exchange.head
            verdict = exchange.verdict
            count = exchange.judgedCount
            bodyCount = exchange.body.count
        }
    }

    /// Returns the error with which the task's original serializer refuses a head.
    private func error(
        of judge: (any TaskResponder)?, _ head: ResponseHead
    ) -> BluebonnetError? {
        do throws(BluebonnetError) {
            try judge?.validate(head)
            return nil
        } catch {
            return error
        }
    }

    private func headError(
        _ validator: ResponseValidator, _ head: ResponseHead
    ) -> BluebonnetError? {
        let error: BluebonnetError?
        switch validator.judgement {
        case .serializer(let serializer): error = self.error { try serializer.validate(head) }
        case .head(let judge): error = self.error { try judge(head, delegate.currentRequest) }
        case .body, .file: return nil
        }
        return told(error, head)
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
            return data.flatMap { data in
                told(error { try judge(data, head, delegate.currentRequest) }, head)
            }
        case .file(let judge):
            let file = state.withLock { $0.download }?.completeFile
            return file.flatMap { file in
                told(error { try judge(file, head, delegate.currentRequest) }, head)
            }
        }
    }

    /// Reports a validator's verdict to monitors, and returns it.
    private func told(_ error: BluebonnetError?, _ head: ResponseHead) -> BluebonnetError? {
        if delegate.isHeard(.validated) { delegate.emit(.validated(head, error)) }
        return error
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
    /// Returns the error of a body for which the system has no contiguous memory.
    fileprivate mutating func lackOfMemory() -> BluebonnetError? {
        body.makeRoom() ? nil : .transport(.noMemory(forBodyOf: body.count), .init())
    }
}
