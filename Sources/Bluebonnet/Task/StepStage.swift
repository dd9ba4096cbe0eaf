import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Performs the work of a step, outside the task's lock.
struct StepStage: TaskStage {
    let delegate: TaskDelegate

    /// Performs the work of a step, and continues with the event that results if it is known at once.
    func perform(_ work: consuming TaskWork) {
        switch consume work {
        case .none: break
        case .prepare(let preparation):
            take(known: PreparationStage(delegate).prepare(consume preparation))
        case .send(let outgoing): SendingStage(delegate).send(outgoing)
        case .share(let other): take(known: SharedOutcomeStage(delegate).wait(for: other))
        case .find(let inquiry, let rest): delegate.take(inquiry.finding(), rest)
        case .ask(let question, let head): take(known: ask(question, about: head))
        case .decide(let failure): take(known: FailureStage(delegate).decide(failure))
        case .complete(let file, let number):
            DownloadStage(delegate).complete(file, ofExchange: number)
        case .judge(let judges, let whole, let lack, let doubt):
            take(known: judged(consume judges, consume whole, lack, doubt))
        case .askRetriers(let failed): take(known: InterceptionStage(delegate).askRetriers(failed))
        case .keep(let file, let isUsable): DownloadStage(delegate).keep(file, isUsable: isUsable)
        case .wait(let delay):
            QuestionStage(delegate).wait(QuestionLimit(time: delay) { _ in .due })
        case .settle(let settlement):
            take(known: DownloadStage(delegate).settle(consume settlement))
        case .move(let file, let place): DownloadStage(delegate).move(file, to: place)
        case .finish(let ending): finish(consume ending)
        }
    }

    private func judged(
        _ judges: Judges, _ whole: Judges.Whole, _ lack: BluebonnetError?,
        _ doubt: BluebonnetError?
    ) -> TaskRun.Event {
        if let error = lack ?? judges.error(of: whole) {
            return .judged(.refused(error))
        }
        return .judged(doubt.map { .doubted($0) } ?? .accepted)
    }

    /// Continues with the event that results from a step, if it is known at once.
    private func take(known event: TaskRun.Event?) {
        guard let event else { return }
        delegate.take(event)
        // Held across the lock, because the deinit of a caller's error can use the task.
        withExtendedLifetime(event) {}
    }

    private func ask(
        _ question: Reception.Question, about head: ResponseHead?
    ) -> TaskRun.Event? {
        switch question {
        case .turn(.redirect): return RedirectStage(delegate).decide()
        case .turn(.challenge): return ChallengeStage(delegate).decide()
        case .handler(let handler):
            guard let head else { return .keepResponse }
            QuestionStage(delegate).ask {
                await handler(head)
            } then: { _, disposition in
                if case .cancel = disposition { .cancel(.hook) } else { .keepResponse }
            }
            return nil
        case .doubt: return nil
        }
    }
}
