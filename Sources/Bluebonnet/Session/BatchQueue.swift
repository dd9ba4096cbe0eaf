import BluebonnetTransport
import Foundation

/// A serial queue that takes many small messages in few hops.
///
/// However many come while it is busy, one drain is pending at most.
final class BatchQueue<Message: Sendable>: Sendable {
    let dispatchQueue: DispatchQueue
    private let inbox = Locked<[Message]>([])
    private let handle: @Sendable (Message) -> Void

    init(label: String, handle: @escaping @Sendable (Message) -> Void) {
        dispatchQueue = DispatchQueue(label: label)
        self.handle = handle
    }

    func send(_ message: Message) {
        let isFirst = inbox.withLock { inbox in
            inbox.append(message)
            return inbox.count == 1
        }
        if isFirst { dispatchQueue.async { [self] in drain() } }
    }

    private func drain() {
        let messages = inbox.withLock { inbox in
            defer { inbox = [] }
            return inbox
        }
        for message in messages { handle(message) }
    }
}
