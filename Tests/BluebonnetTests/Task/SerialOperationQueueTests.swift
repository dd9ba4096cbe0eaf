import Foundation
import Testing

@testable import Bluebonnet

@Suite("The queue of a task", .timeLimit(.minutes(5)))
struct SerialOperationQueueTests {
    let queue = SerialOperationQueue(lane: .of(3))
    let log = Recorder<Int>()

    /// An operation that ends on request.
    final class Asynchronous: Operation, @unchecked Sendable {
        private let isOver = Locked(false)
        let began = Recorder<Void>()
        override var isAsynchronous: Bool { true }
        override var isFinished: Bool { isOver.withLock { $0 } }
        override func start() { began.add(()) }
        func end() {
            willChangeValue(forKey: "isFinished")
            isOver.withLock { $0 = true }
            didChangeValue(forKey: "isFinished")
        }
    }

    @Test("nothing runs before the release, and then everything in order")
    func order() async {
        for number in 0..<100 { queue.addOperation { [log] in log.add(number) } }
        #expect(queue.isSuspended)
        #expect(queue.operationCount == 100)
        await DrainLane.of(3).dispatchQueue.fence()
        #expect(log.count == 0)
        queue.release()
        #expect(!queue.isSuspended)
        #expect(await log.wait(for: 100) == Array(0..<100))
    }

    @Test("operations added while the queue drains, or later, run too")
    func later() async {
        queue.addOperation { [queue, log] in
            queue.addOperation { log.add(2) }
            log.add(1)
        }
        queue.release()
        await log.wait(for: 2)
        queue.addOperation { [log] in log.add(3) }
        #expect(await log.wait(for: 3) == [1, 2, 3])
    }

    @Test("concurrent additions are all kept and run one at a time")
    func contention() async {
        queue.release()
        let running = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 2_000) { number in
            queue.addOperation { [log] in
                let others = running.withLock {
                    $0 += 1; return $0 - 1
                }
                log.add(others)
                running.withLock { $0 -= 1 }
            }
        }
        #expect(await log.wait(for: 2_000).allSatisfy { $0 == 0 })
    }

    @Test("the next operation waits for an asynchronous one")
    func asynchronous() async {
        let operation = Asynchronous()
        queue.addOperation(operation)
        queue.addOperation { [log] in log.add(1) }
        queue.release()
        await operation.began.wait(for: 1)
        #expect(log.count == 0)
        operation.end()
        await log.wait(for: 1)
    }

    @Test("operations wait for their dependencies, and canceled ones are skipped")
    func dependencies() async {
        let elsewhere = BlockOperation { [log] in log.add(1) }
        let dependent = BlockOperation { [log] in log.add(2) }
        dependent.addDependency(elsewhere)
        let cancelled = BlockOperation { [log] in log.add(-1) }
        cancelled.cancel()
        queue.addOperation(dependent)
        queue.addOperation(cancelled)
        queue.addOperation { [log] in log.add(3) }
        queue.release()
        OperationQueue().addOperation(elsewhere)
        #expect(await log.wait(for: 3) == [1, 2, 3])
    }

    @Test("releasing an empty queue, or a queue twice, is harmless")
    func emptyRelease() async {
        queue.release()
        queue.release()
        queue.addOperation { [log] in log.add(1) }
        await log.wait(for: 1)
    }

    @Test("queue and operations are freed after use, released or not")
    func lifetime() async {
        weak var released: SerialOperationQueue?
        weak var suspended: SerialOperationQueue?
        weak var operation: Operation?
        do {
            let first = SerialOperationQueue(lane: .of(1))
            let second = SerialOperationQueue(lane: .of(2))
            let work = BlockOperation { [log] in log.add(1) }
            (released, suspended, operation) = (first, second, work)
            first.addOperation(work)
            first.addOperation { [log] in log.add(2) }
            second.addOperation(BlockOperation {})
            first.release()
            await log.wait(for: 2)
        }
        #expect(await until { released == nil && suspended == nil && operation == nil })
    }
}
