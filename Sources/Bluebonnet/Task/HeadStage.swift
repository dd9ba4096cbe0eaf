import BluebonnetTransport
import Foundation

/// What a task's own handler makes of the head of the response, before anything of the body is delivered.
enum HeadHandler: Sendable {
    case tell(@Sendable (ResponseHead) -> Void)
    /// It is asked what becomes of the response, which waits for the answer.
    case ask(@Sendable (ResponseHead) async -> ResponseDisposition)
}

/// The question what becomes of a response, once an attempt.
struct HeadStage: TaskStage {
    let delegate: TaskDelegate

    init(_ delegate: TaskDelegate) {
        self.delegate = delegate
    }

    /// Tells the handler of a head; true if it has to be asked.
    func tell(_ handler: HeadHandler, of head: ResponseHead) -> Bool {
        state.withLock { $0.exchange.isHeadTold = true }
        switch handler {
        case .tell(let tell):
            tell(head)
            return false
        case .ask:
            state.withLock { $0.exchange.role = .held }
            return true
        }
    }

    /// Asks the handler; what it answers comes back later.
    func ask() -> TaskRun.Event? {
        guard
            case (let head?, .ask(let ask)?) = state.withLock({ ($0.exchange.head, $0.headHandler) }
            )
        else { return .deliver }
        delegate.ask {
            await ask(head)
        } then: { delegate, disposition in
            guard case .cancel = disposition else { return .deliver }
            delegate.noteCancellation(.hook)
            return .cancel
        }
        return nil
    }
}
