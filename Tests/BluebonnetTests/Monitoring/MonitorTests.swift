import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Monitors", .timeLimit(.minutes(5)))
struct MonitorTests {
    private let stub = ManualTransport(answer: { $0.reply() })
    private let manager: HTTPSessionManager

    init() {
        manager = HTTPSessionManager(baseURL: URL(string: "http://stub.test/"), transport: stub)
    }

    private func get(_ path: String = "a") async {
        _ = await manager.response(.get, path, serializer: HTTPResponseSerializer())
    }

    struct Written: TaskEventMonitor {
        let heard = Recorder<String>()
        var interests: TaskEvent.Interests = [.started, .completed]
        var queue: DispatchQueue?

        func tasksDidEmit(_ events: [TaskEvent]) {
            if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
            for event in events {
                heard.add("\(event.kind) \(event.task.originalRequest?.url?.path ?? "")")
            }
        }
    }

    @Test("they receive the events they are interested in, each on its own queue")
    func interests() async {
        let (some, all) = (Written(queue: DispatchQueue(label: "own")), Recorder<String>())
        manager.addMonitor(some)
        manager.addMonitor { events in for event in events { all.add("\(event.kind)") } }
        await get("a")
        await get("b")
        await manager.shutdown()
        #expect(some.heard.all == ["started /a", "completed /a", "started /b", "completed /b"])
        #expect(all.count == 24)
    }

    @Test("they receive nothing after a cancel of their subscription, even events under way")
    func cancelled() async {
        let queue = DispatchQueue(label: "held")
        let (heard, other) = (Recorder<TaskEvent>(), Recorder<TaskEvent>())
        let subscription = manager.addMonitor(on: queue) { $0.forEach(heard.add) }
        manager.addMonitor(of: .completed) { $0.forEach(other.add) }
        queue.suspend()
        await get()
        await other.wait(for: 1)
        subscription.cancel()
        subscription.cancel()
        queue.resume()
        await get()
        await other.wait(for: 2)
        await queue.fence()
        #expect(heard.count == 0)
    }

    @Test("they are released with their subscription and with their manager")
    func released() async {
        final class Kept: Sendable {}
        weak var first: Kept?
        weak var second: Kept?
        weak var third: Recorder<TaskEvent>?
        do {
            let manager = HTTPSessionManager(
                baseURL: URL(string: "http://stub.test/"), transport: stub)
            let (one, two, events) = (Kept(), Kept(), Recorder<TaskEvent>())
            (first, second, third) = (one, two, events)
            let subscription = manager.addMonitor { _ in withExtendedLifetime(one) {} }
            manager.addMonitor { _ in withExtendedLifetime(two) {} }
            // The events hold the session, which would hold the monitor.
            manager.addMonitor { $0.forEach(events.add) }
            subscription.cancel()
            _ = await manager.response(
                .get, "a", serializer: HTTPResponseSerializer())
            await events.wait(for: 12)
        }
        #expect(first == nil)
        #expect(await until { second == nil })
        #expect(await until { third == nil })
    }

    @Test("they receive everything before shutdown returns, even on a concurrent queue")
    func shutdown() async {
        let heard = Recorder<TaskEvent.Interests>()
        manager.addMonitor(on: .global()) { for event in $0 { heard.add(event.kind.interest) } }
        for _ in 0..<20 {
            manager.dataTask(method: .get, path: "a", completionHandler: nil).resume()
        }
        await manager.shutdown()
        #expect(heard.all.count { $0 == .delivered } == 20)
        #expect(heard.count == 240)
    }

    @Test("they receive the later events of tasks that are already running")
    func late() async {
        let (stub, heard) = (ManualTransport(), Recorder<String>())
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), transport: stub)
        let task = manager.dataTask(method: .get, path: "a", completionHandler: nil)
        task.resume()
        let exchange = await stub.exchange()
        manager.addMonitor { for event in $0 { heard.add("\(event.kind)") } }
        exchange.reply(204, [:], "")
        #expect(
            await heard.wait(for: 5).prefix(5) == [
                "receivedHead 204", "endedAttempt", "collectedMetrics of 1 exchanges",
                "completed", "serialized",
            ])
    }

    @Test("they get everything that happened during a call in one batch")
    func batches() async {
        let (queue, batches) = (DispatchQueue(label: "held"), Recorder<Int>())
        manager.addMonitor(on: queue) { batches.add($0.count) }
        queue.suspend()
        for _ in 0..<5 { await get() }
        queue.resume()
        await manager.shutdown()
        #expect(batches.all.reduce(0, +) == 60)
        #expect(batches.count <= 2)
    }

    @Test("they receive each task's events in order, from any threads")
    func order() async {
        let heard = Recorder<TaskEvent>()
        manager.addMonitor(on: DispatchQueue(label: "own")) { $0.forEach(heard.add) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 { group.addTask { await get("\(number)") } }
        }
        await manager.shutdown()
        let orders = Dictionary(grouping: heard.all) { ObjectIdentifier($0.task) }
            .mapValues { $0.map(\.kind.interest) }
        let expected: [TaskEvent.Interests] = [
            .created, .resumed, .started, .preparedRequest, .sentRequest, .receivedHead,
            .receivedData, .endedAttempt, .collectedMetrics, .completed, .serialized, .delivered,
        ]
        #expect(orders.count == 200)
        #expect(orders.values.allSatisfy { $0 == expected })
    }

    @Test("they receive the call of a handler that is added after the end")
    func lateHandler() async {
        let heard = Recorder<String>()
        manager.addMonitor(of: [.serialized, .delivered]) {
            for event in $0 { heard.add("\(event.kind)") }
        }
        let task = manager.dataTask(method: .get, path: "a", completionHandler: nil)
        task.resume()
        await heard.wait(for: 2)
        _ = await task.response(serializer: HTTPResponseSerializer())
        #expect(await heard.wait(for: 3) == ["serialized", "delivered", "serialized"])
    }

    @Test("they receive the events of a task that is released without a resume")
    func letGo() async {
        // Not the events themselves, because each holds its task.
        let heard = Recorder<(kind: TaskEvent.Interests, isData: Bool)>()
        manager.addMonitor { events in
            for event in events { heard.add((event.kind.interest, event.task is DataTask)) }
        }
        _ = manager.dataTask(method: .get, path: "a", completionHandler: nil)
        let kinds = await heard.wait(for: 5).map(\.kind)
        #expect(kinds == [.created, .cancelled, .completed, .serialized, .delivered])
        #expect(heard.all.allSatisfy { $0.isData })
    }

    @Test("they can cancel a task and their own subscription during a call")
    func reentrant() async {
        let stub = ManualTransport()
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), transport: stub)
        let own = Locked<TaskEventSubscription?>(nil)
        let subscription = manager.addMonitor(of: .sentRequest) { events in
            events.first?.task.cancel()
            own.withLock { $0.take() }?.cancel()
        }
        own.withLock { $0 = subscription }
        let response = await manager.response(
            .get, "a", serializer: HTTPResponseSerializer())
        #expect(response.error?.isCancelled == true)
    }

    @Test("events have their attempt and the time of the configuration's clock")
    func times() async {
        let clock = ManualClock()
        var configuration = SessionConfiguration()
        configuration.clock = clock
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), configuration: configuration,
            transport: stub)
        let heard = Recorder<TaskEvent>()
        manager.addMonitor(of: [.created, .completed]) { $0.forEach(heard.add) }
        manager.dataTask(method: .get, path: "a", completionHandler: nil).resume()
        let events = await heard.wait(for: 2)
        #expect(events.map(\.attempt) == [0, 1])
        #expect(events.allSatisfy { $0.date == clock.date })
    }

    @Test("descriptions of events contain no secrets")
    func printed() async throws {
        let heard = Recorder<TaskEvent>()
        manager.addMonitor { $0.forEach(heard.add) }
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/a?key=secret")))
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        _ = await manager.response(for: request, serializer: HTTPResponseSerializer())
        await manager.shutdown()
        #expect(heard.count == 12)
        for event in heard.all {
            var dumped = ""
            dump(event, to: &dumped)
            #expect(!"\(event) \(String(reflecting: event)) \(dumped)".contains("secret"))
        }
    }
}
