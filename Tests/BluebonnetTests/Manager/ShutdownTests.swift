import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Shutting down a manager", .timeLimit(.minutes(5)))
struct ShutdownTests {
    private let clock = ManualClock()

    private var rig: SessionRig {
        SessionRig.configured { [clock] in $0.clock = clock }
    }

    /// Shuts down in another Swift task, and records when it has returned.
    private func shutdown(
        _ rig: SessionRig, cancelingAfter grace: Duration? = nil
    ) -> (Task<Void, Never>, Recorder<Void>) {
        let isOver = Recorder<Void>()
        let task = Task {
            await rig.manager.shutdown(cancelingAfter: grace)
            isOver.add(())
        }
        return (task, isOver)
    }

    @Test("it returns at once without tasks, also the second time")
    func idle() async {
        let rig = rig
        await rig.manager.shutdown()
        await rig.manager.shutdown(cancelingAfter: .zero)
        rig.task().resume()
        guard case .sessionInvalidated? = await rig.response.error else {
            Issue.record("a task was sent by a session that had ended")
            return
        }
    }

    @Test("it waits for running tasks, their handlers and notifications")
    func underWay() async {
        let rig = rig
        let gate = DispatchSemaphore(value: 0)
        let ends = Recorder<String>()
        rig.manager.sessionDidBecomeInvalid = { _ in ends.add("invalid") }
        let task = rig.manager.dataTask(method: .get, path: "a") { _ in
            gate.wait()
            ends.add("handler")
        }
        task.resume()
        let exchange = await rig.stub.exchange()
        let (_, isOver) = shutdown(rig)
        exchange.reply()
        #expect(await until { task.state == .completed })
        #expect(isOver.count == 0)
        gate.signal()
        await isOver.wait(for: 1)
        #expect(Set(ends.all) == ["invalid", "handler"])
        #expect(rig.completed.count == 1)
    }

    @Test("it cancels tasks that are still running after the grace period")
    func grace() async {
        let rig = rig
        rig.task().resume()
        _ = await rig.stub.exchange()
        let (_, isOver) = shutdown(rig, cancelingAfter: .seconds(5))
        #expect(await until { clock.pendingCount == 1 })
        await clock.advance(by: .milliseconds(4999))
        await rig.settle()
        #expect(isOver.count == 0 && rig.responses.count == 0)
        await clock.advance(by: .milliseconds(1))
        #expect(await rig.response.error?.isCancelled == true)
        await isOver.wait(for: 1)
    }

    @Test("it ends the grace period when all tasks have ended")
    func graceIsOver() async {
        let rig = rig
        rig.task().resume()
        let exchange = await rig.stub.exchange()
        let (_, isOver) = shutdown(rig, cancelingAfter: .seconds(5))
        #expect(await until { clock.pendingCount == 1 })
        exchange.reply()
        await isOver.wait(for: 1)
        #expect(clock.pendingCount == 0)
    }

    @Test("it waits for observers of notifications")
    func observers() async {
        let rig = rig
        let gate = DispatchSemaphore(value: 0)
        let hasBegun = Recorder<Void>()
        let observer = NotificationCenter.default.addObserver(
            forName: SessionTask.didCompleteNotification, object: nil, queue: nil
        ) { [poster = rig.manager.notifications] notification in
            let task = notification.object as? SessionTask
            guard task?.delegate.session.audience.notifications === poster else { return }
            hasBegun.add(())
            gate.wait()
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        rig.task().resume()
        await rig.stub.exchange().reply()
        await hasBegun.wait(for: 1)
        let (_, isOver) = shutdown(rig)
        await rig.manager.callbacks.flush()
        #expect(isOver.count == 0)
        gate.signal()
        await isOver.wait(for: 1)
    }

    @Test("it ends the grace period when the waiting Swift task is canceled")
    func cancelled() async {
        let rig = rig
        rig.task().resume()
        _ = await rig.stub.exchange()
        let (task, isOver) = shutdown(rig)
        task.cancel()
        #expect(await rig.response.error?.isCancelled == true)
        await isOver.wait(for: 1)
    }

    @Test("it cancels tasks that were never resumed")
    func unresumed() async {
        let rig = rig
        let task = rig.task()
        await rig.manager.shutdown()
        #expect(await rig.response.error?.isCancelled == true)
        #expect(task.state == .cancelled)
    }

    @Test("it releases the connections")
    func connections() async {
        let rig = rig
        weak let pool = rig.manager.settings.withLock {
            try? $0.pools.pool(
                for: URLRequest(url: URL(filePath: "/")), hasLeftOrigin: false, route: nil)
        }
        await rig.manager.shutdown()
        #expect(pool == nil)
    }
}
