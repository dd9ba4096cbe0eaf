import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The serializer and the validators that judge a task's response, in order.
///
/// They judge the head as soon as it has arrived, and the whole response at the end of the attempt,
/// on the callback queue and outside the task's lock.
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
    func error(of whole: Whole) -> BluebonnetError? {
        let (head, judgement) = (whole.head, whole.judgement)
        for index in 0...validators.count {
            let validator = index == 0 ? nil : validators[index - 1]
            let refusal =
                if index < judgement.judgedCount {
                    index == judgement.judgedCount - 1 ? judgement.verdict : nil
                } else {
                    validator.map { headError($0, head) } ?? serializerError(head)
                }
            if let error = refusal?.relevant(toBodyOf: whole.bodyCount) { return error }
            if let validator, let error = bodyError(validator, whole) { return error }
        }
        return nil
    }

    /// Returns the error with which the task's original serializer refuses a head.
    private func serializerError(_ head: ResponseHead) -> BluebonnetError? {
        do throws(BluebonnetError) {
            try serializer?.validate(head)
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
        case .head(let judge): error = self.error { try judge(head, request) }
        case .body, .file: return nil
        }
        return told(error, head)
    }

    private func bodyError(_ validator: ResponseValidator, _ whole: Whole) -> BluebonnetError? {
        let head = whole.head
        switch validator.judgement {
        case .serializer, .head: return nil
        case .body(let judge):
            return whole.data.flatMap { data in
                told(error { try judge(data, head, request) }, head)
            }
        case .file(let judge):
            return whole.file.flatMap { file in
                told(error { try judge(file, head, request) }, head)
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
