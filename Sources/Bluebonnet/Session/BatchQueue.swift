import BluebonnetTransport
import Foundation

/// A serial queue that takes many small messages in few hops.
///
/// However many come while it is busy, one drain is pending at most. Where nobody waits for a
/// message, a delay lets more of them share one.
final class BatchQueue<Message: Sendable>: Sendable {
    let dispatchQueue: DispatchQueue
    private let delay: DispatchTimeInterval?
    private let inbox = Locked<[Message]>([])
    private let handle: @Sendable (Message) -> Void
    private let endOfBatch: (@Sendable () -> Void)?

    init(
        label: String,
        delay: DispatchTimeInterval? = nil,
        endOfBatch: (@Sendable () -> Void)? = nil,
        handle: @escaping @Sendable (Message) -> Void
    ) {
        dispatchQueue = DispatchQueue(label: label)
        self.delay = delay
        self.endOfBatch = endOfBatch
        self.handle = handle
    }

    func send(_ message: Message) {
        let isFirst = inbox.withLock { inbox in
            inbox.append(message)
            return inbox.count == 1
        }
        guard isFirst else { return }
        if let delay {
            dispatchQueue.asyncAfter(deadline: .now() + delay) { [self] in drain() }
        } else {
            dispatchQueue.async { [self] in drain() }
        }
    }

    private func drain() {
        let messages = inbox.withLock { inbox in
            defer { inbox = [] }
            return inbox
        }
        for message in messages { handle(message) }
        endOfBatch?()
    }
}
