import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet
@testable import BluebonnetTransport

@Suite("Swift tasks on handler threads", .timeLimit(.minutes(5)))
struct HandlerExecutorTests {
    /// The name of the calling thread, which is the task's until it suspends.
    private static func threadName() -> String {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .newlines) ?? ""
    }

    @Test("a task that waited for a response continues in the pool, with its child tasks")
    func threads() async throws {
        let rig = SessionRig(answer: { $0.reply() })
        let request = try AsyncTests.request(rig)
        let names = await withTaskExecutorPreference(.bluebonnet) {
            async let child = Self.threadName()
            _ = await rig.manager.response(for: request, serializer: .http)
            return [Self.threadName(), await child]
        }
        #expect(names == ["bluebonnet-work", "bluebonnet-work"])
        #expect(Self.threadName() != "bluebonnet-work")
    }

    @Test("a task that blocks its thread does not delay other tasks and handlers")
    func blocking() async {
        let pool = HandlerPool(maximumHandlers: 4)
        let executor = HandlerExecutor(pool)
        let gate = DispatchSemaphore(value: 0)
        let log = Recorder<Int>()
        Task(executorPreference: executor) { gate.waitBlocking() }
        for number in 0..<10 {
            Task(executorPreference: executor) {
                await Task.yield()
                log.add(number)
            }
        }
        pool.async { log.add(10) }
        #expect(await log.wait(for: 11).sorted() == Array(0...10))
        gate.signal()
    }

    @Test("jobs start in the order of their arrival")
    func order() async {
        // One worker at a time.
        let pool = HandlerPool(maximumHandlers: 1, coreCount: 1)
        let executor = HandlerExecutor(pool)
        let log = Recorder<Int>()
        let gate = DispatchSemaphore(value: 0)
        pool.async { gate.wait() }
        for number in 0..<50 { Task(executorPreference: executor) { log.add(number) } }
        gate.signal()
        #expect(await log.wait(for: 50) == Array(0..<50))
    }
}

extension DispatchSemaphore {
    /// Blocks the thread, which Swift forbids directly in async code.
    fileprivate func waitBlocking() { wait() }
}
