import BluebonnetTransport
import Foundation

/// Serializes a task's body, and delivers the response to its receiver.
final class Responder<Serializer: ResponseSerializer>: TaskResponder {
    typealias Value = Serializer.Value

    enum Receiver: Sendable {
        /// A handler, which runs on its own queue, the task's completion queue or, without either,
        /// in the pool.
        ///
        /// It is nil if nothing receives the response.
        case handler((@Sendable (Response<Value>) -> Void)?, on: DispatchQueue? = nil)
        /// A Swift task that awaits the response.
        case awaiting(PendingResponse<Value>)
    }

    private let serializer: Serializer
    private let receiver: Receiver
    let maximumBodySize: Int?

    init(serializer: Serializer, receiver: Receiver) {
        self.serializer = serializer
        self.receiver = receiver
        // Read once, because it can be the caller's code and is needed under the task's lock.
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

    // Not inlined, or its types would be created before the choice of a specialization.
    @inline(never)
    private func deliver(
        _ outcome: consuming TaskOutcome, of delegate: TaskDelegate, as turn: TaskResponders.Turn
    ) {
        let response = Response(outcome, serializedBy: serializer) { delegate.errorContext }
        if delegate.isHeard(.serialized) { delegate.emit(.serialized(response, response.error)) }
        let delivery = DeliveryStage(delegate)
        switch receiver {
        case .handler(let handler?, let own):
            let wanted = own ?? delegate.setup.completionQueue
            let queue = ProcessFork.hasLostThreads ? nil : wanted
            let isInPool = queue == nil
            let job = delegate.session.work.counting { [serializer] in
                handler(response)
                delivery.responderDidReturn(turn, fromPool: isInPool) {
                    Self.content(of: response, by: serializer)
                }
            }
            if let queue { queue.async(execute: job) } else { delivery.runInPool(job) }
        case .handler(nil, _):
            delivery.responderDidReturn(turn) { Self.content(of: response, by: serializer) }
        case .awaiting(let pending):
            // Not in the pool, where it could wait behind handlers that block.
            pending.fulfil(response)
            delivery.responderDidReturn(turn) { Self.content(of: response, by: serializer) }
        }
    }

    private static func content(
        of response: Response<Value>, by serializer: Serializer
    ) -> CompletionContent {
        CompletionContent(
            response.parts,
            object: response.object,
            error: response.error,
            // The serializer that the caller has set.
            serializer: (serializer as? ManagerResponseSerializer)?.known ?? serializer
        )
    }
}
