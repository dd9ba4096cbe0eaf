import BluebonnetTransport
import Foundation

/// Serializes a task's body, and brings the response to its receiver.
final class Responder<Serializer: ResponseSerializer>: TaskResponder {
    typealias Value = Serializer.Value

    enum Receiver: Sendable {
        /// A handler, on a queue of its own, the task's or, where there is neither, in the pool. Nil where
        /// nothing receives the response.
        case handler((@Sendable (Response<Value>) -> Void)?, on: DispatchQueue? = nil)
        /// A Swift task, which goes on on a thread of its own.
        case awaiting(PendingResponse<Value>)
    }

    private let serializer: Serializer
    private let receiver: Receiver
    let maximumBodySize: Int?

    init(serializer: Serializer, receiver: Receiver) {
        self.serializer = serializer
        self.receiver = receiver
        // Once, since it may be the caller's code, and is needed under the task's lock.
        maximumBodySize = serializer.maximumBodySize
    }

    func validate(_ head: ResponseHead) throws(BluebonnetError) { try serializer.validate(head) }

    func isCheap(byteCount: Int) -> Bool { serializer.isCheap(byteCount: byteCount) }

    @specialized(where Serializer == HTTPResponseSerializer)
    @specialized(where Serializer == ManagerResponseSerializer)
    func respond(
        to outcome: consuming TaskOutcome, of delegate: TaskDelegate, as turn: TaskResponders.Turn
    ) {
        deliver(outcome, of: delegate, as: turn)
    }

    // Not inlined, or its types would be made before it is known whether it is specialized.
    @inline(never)
    private func deliver(
        _ outcome: consuming TaskOutcome, of delegate: TaskDelegate, as turn: TaskResponders.Turn
    ) {
        let response = Response(outcome, serializedBy: serializer) { delegate.errorContext }
        if delegate.isHeard(.serialized) { delegate.emit(.serialized(response, response.error)) }
        switch receiver {
        case .handler(let handler?, let own):
            guard let queue = own ?? delegate.setup.completionQueue else {
                let job = delegate.session.work.counting { [serializer] in
                    handler(response)
                    delegate.responderDidReturn(turn, fromPool: true) {
                        Self.content(of: response, by: serializer)
                    }
                }
                return delegate.runInPool(job)
            }
            let job = delegate.session.work.counting { [serializer] in
                handler(response)
                delegate.responderDidReturn(turn) { Self.content(of: response, by: serializer) }
            }
            queue.async(execute: job)
        case .handler(nil, _):
            delegate.responderDidReturn(turn) { Self.content(of: response, by: serializer) }
        case .awaiting(let pending):
            // At once: as a job of the pool it could wait behind handlers that block.
            pending.fulfil(response)
            delegate.responderDidReturn(turn) { Self.content(of: response, by: serializer) }
        }
    }

    private static func content(
        of response: Response<Value>, by serializer: Serializer
    ) -> CompletionContent {
        CompletionContent(
            response.parts,
            object: response.object,
            error: response.error,
            // The one that the caller knows.
            serializer: (serializer as? ManagerResponseSerializer)?.known ?? serializer
        )
    }
}
