import Foundation
import Testing

@testable import Bluebonnet

@Suite("A queue that takes messages in batches", .timeLimit(.minutes(1)))
struct BatchQueueTests {
    let log = Recorder<Int>()

    @Test("messages are handled once and in order, from whatever batch", arguments: [false, true])
    func order(isDelayed: Bool) async {
        let queue = BatchQueue<Int>(label: "test", delay: isDelayed ? .milliseconds(1) : nil) {
            [log] in log.add($0)
        }
        for number in 0..<5000 { queue.send(number) }
        #expect(await log.wait(for: 5000) == Array(0..<5000))
    }

    @Test("what comes while a batch is handled is in the next")
    func reentrance() async {
        let ends = Recorder<Int>()
        let queue = Locked<BatchQueue<Int>?>(nil)
        let made = BatchQueue<Int>(
            label: "test",
            endOfBatch: { [log] in ends.add(log.count) },
            handle: { [log] number in
                log.add(number)
                if number < 10 { queue.withLock { $0 }?.send(number + 1) }
            }
        )
        queue.withLock { $0 = made }
        made.send(0)
        #expect(await log.wait(for: 11) == Array(0...10))
        #expect(await ends.wait(for: 11) == Array(1...11))
        queue.withLock { $0 = nil }
    }

    @Test("a message is let go when it has been handled")
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
