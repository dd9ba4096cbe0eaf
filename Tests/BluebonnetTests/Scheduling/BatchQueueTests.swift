import Foundation
import Testing

@testable import Bluebonnet

@Suite("Batch queues of messages", .timeLimit(.minutes(5)))
struct BatchQueueTests {
    let log = Recorder<Int>()

    @Test(
        "messages are handled once and in order, in any batches",
        arguments: [BatchQueue<Int>.Urgency.low, .high]
    )
    func order(urgency: BatchQueue<Int>.Urgency) async {
        let queue = BatchQueue<Int>(label: "test", urgency: urgency) { [log] in log.add($0) }
        for number in 0..<5000 { queue.send(number) }
        #expect(await log.wait(for: 5000) == Array(0..<5000))
    }

    @Test(
        "messages that arrive while a batch is handled are in the next",
        arguments: [BatchQueue<Int>.Urgency.low, .high]
    )
    func reentrance(urgency: BatchQueue<Int>.Urgency) async {
        let queue = Locked<BatchQueue<Int>?>(nil)
        let made = BatchQueue<Int>(label: "test", urgency: urgency) { [log] number in
            log.add(number)
            if number < 10 { queue.withLock { $0 }?.send(number + 1) }
        }
        queue.withLock { $0 = made }
        made.send(0)
        #expect(await log.wait(for: 11) == Array(0...10))
        queue.withLock { $0 = nil }
    }

    @Test("a job that a message adds to its own pool runs on the same thread")
    func carriedOn() async {
        let pool = HandlerPool(maximumHandlers: 2)
        let threads = Recorder<pthread_t>()
        let queue = BatchQueue<Int>(label: "test", pool: pool) { _ in
            threads.add(pthread_self())
            pool.async { threads.add(pthread_self()) }
        }
        queue.send(0)
        let both = await threads.wait(for: 2)
        #expect(both[0] == both[1])
    }

    @Test("while a batch waits for its queue, other handlers run, and new messages wait with it")
    func blockedQueue() async {
        let pool = HandlerPool(maximumHandlers: 1)
        let gate = DispatchSemaphore(value: 0)
        let queue = BatchQueue<Int>(label: "test", pool: pool) { [log] in log.add($0) }
        queue.dispatchQueue.async { gate.wait() }
        for number in 1...3 { queue.send(number) }
        let others = Recorder<Int>()
        pool.async { others.add(1) }
        #expect(await others.wait(for: 1) == [1])
        #expect(log.count == 0)
        gate.signal()
        #expect(await log.wait(for: 3) == [1, 2, 3])
    }

    @Test("messages are handled once and in order, for any senders and handlers")
    func carriedOrder() async {
        let pool = HandlerPool(maximumHandlers: 2)
        let handled = Recorder<Int>()
        let queue = BatchQueue<Int>(label: "test", pool: pool) { [log] number in
            log.add(number)
            pool.async { handled.add(number) }
        }
        for number in 0..<5000 { queue.send(number) }
        #expect(await log.wait(for: 5000) == Array(0..<5000))
        #expect(await handled.wait(for: 5000).sorted() == Array(0..<5000))
    }

    @Test("a message is released when it has been handled")
    func lifetime() async {
        final class Message: Sendable {}
        let queue = BatchQueue<Message>(label: "test") { [log] _ in log.add(1) }
        weak var remains: Message?
        func send() {
            let message = Message()
            remains = message
            queue.send(message)
        }
        send()
        await log.wait(for: 1)
        await queue.flush()
        #expect(remains == nil)
    }
}
