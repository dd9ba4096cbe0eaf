import Foundation
import FoundationNetworking

/// The serializer and the validators that judge a task's response, in order.
///
/// They judge the head as soon as it has arrived and, if there are validators, the whole response at
/// the end of the attempt, on the callback queue and outside the task's lock.
struct Judges {
    let delegate: TaskDelegate
    /// The task's original serializer; nil if it does not judge.
    let serializer: (any TaskResponder)?
    let validators: [ResponseValidator]
    let request: URLRequest?

    /// The parts of a response that are judged at its end.
    struct Whole {
        let head: ResponseHead
        let judgement: Reception.Judgement
        let bodyCount: Int
        /// The body in memory; nil for streams and files.
        let data: Data?
        let file: URL?
    }

    /// Applies the judges to a head until one refuses it.
    func judge(_ head: ResponseHead) -> Reception.Judgement {
        var judgement = Reception.Judgement(verdict: serializerError(head), judgedCount: 1)
        while judgement.verdict == nil, judgement.judgedCount <= validators.count {
            judgement.verdict = headError(validators[judgement.judgedCount - 1], head)
            judgement.judgedCount += 1
        }
        return judgement
    }

    /// Returns the error of the first judge that refuses the response; nil if it is accepted.
    ///
    /// Reports the verdict of each validator to monitors, up to the first refusal.
    func error(of whole: Whole) -> BluebonnetError? {
        for index in 0...validators.count {
            let validator = index == 0 ? nil : validators[index - 1]
            let error =
                headError(validator, at: index, whole)
                ?? validator.flatMap { bodyError($0, whole) }
            if let validator, validator.judges(whole) { tell(error, whole.head) }
            if let error { return error }
        }
        return nil
    }

    /// Returns the error with which a judge refuses the head, if it applies to the body; the head
    /// may have been judged before.
    private func headError(
        _ validator: ResponseValidator?, at index: Int, _ whole: Whole
    ) -> BluebonnetError? {
        let (head, judgement) = (whole.head, whole.judgement)
        let refusal =
            if index < judgement.judgedCount {
                index == judgement.judgedCount - 1 ? judgement.verdict : nil
            } else {
                validator.map { headError($0, head) } ?? serializerError(head)
            }
        return refusal?.relevant(toBodyOf: whole.bodyCount)
    }

    /// Returns the error with which the task's original serializer refuses a head.
    private func serializerError(_ head: ResponseHead) -> BluebonnetError? {
        error { try serializer?.validate(head) }
    }

    private func headError(
        _ validator: ResponseValidator, _ head: ResponseHead
    ) -> BluebonnetError? {
        switch validator.judgement {
        case .serializer(let serializer): error { try serializer.validate(head) }
        case .head(let judge): error { try judge(head, request) }
        case .body, .file: nil
        }
    }

    private func bodyError(_ validator: ResponseValidator, _ whole: Whole) -> BluebonnetError? {
        switch validator.judgement {
        case .serializer, .head: nil
        case .body(let judge):
            whole.data.flatMap { data in error { try judge(data, whole.head, request) } }
        case .file(let judge):
            whole.file.flatMap { file in error { try judge(file, whole.head, request) } }
        }
    }

    /// Reports a validator's verdict to monitors.
    private func tell(_ error: BluebonnetError?, _ head: ResponseHead) {
        if delegate.isHeard(.validated) { delegate.emit(.validated(head, error)) }
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

extension ResponseValidator {
    /// Whether the validator judges a response of this kind.
    fileprivate func judges(_ whole: Judges.Whole) -> Bool {
        switch judgement {
        // The rest of a file continues a response that was judged before.
        case .serializer, .head: whole.judgement.judgedCount != .max
        case .body: whole.data != nil
        case .file: whole.file != nil
        }
    }
}
