import BluebonnetTransport
import Foundation

/// A task's own handler for the head of the response, called before any of the body is delivered.
enum HeadHandler: Sendable {
    case tell(@Sendable (ResponseHead) -> Void)
    /// Decides what becomes of the response, which waits for the answer.
    case ask(@Sendable (ResponseHead) async -> ResponseDisposition)
}

/// Asks a task's own handler, once per attempt, what becomes of a response.
struct HeadStage: TaskStage {
    let delegate: TaskDelegate

    init(_ delegate: TaskDelegate) {
        self.delegate = delegate
    }

    /// Calls the handler with a head, and returns true if the handler must be asked for a decision.
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

    /// Asks the handler, whose answer arrives as a later event.
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
