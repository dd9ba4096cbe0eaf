import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Invalidating a session", .timeLimit(.minutes(5)))
struct InvalidationTests {
    /// Logs the hook and the notification of a manager's end.
    static func watch(_ rig: SessionRig) -> (Recorder<String>, any NSObjectProtocol) {
        let ends = Recorder<String>()
        rig.manager.sessionDidBecomeInvalid = { ends.add($0 == nil ? "hook" : "error") }
        let identity = ObjectIdentifier(rig.manager)
        let token = NotificationCenter.default.addObserver(
            forName: SessionManager.didInvalidateNotification, object: nil, queue: nil
        ) { notification in
            guard (notification.object as? SessionManager).map(ObjectIdentifier.init) == identity
            else { return }
            ends.add("notification")
        }
        return (ends, token)
    }

    @Test("without tasks, the hook and then the notification are called at once, only once")
    func idle() async {
        let rig = SessionRig()
        let (ends, token) = Self.watch(rig)
        rig.manager.invalidate(cancelingTasks: false, resetSession: false)
        rig.manager.invalidate(cancelingTasks: true, resetSession: false)
        await ends.wait(for: 2)
        await rig.settle()
        #expect(ends.all == ["hook", "notification"])
        NotificationCenter.default.removeObserver(token)
    }

    @Test("a task created or resumed afterward fails without being sent", arguments: [true, false])
    func afterwards(cancelingTasks: Bool) async throws {
        let rig = SessionRig()
        rig.manager.invalidate(cancelingTasks: cancelingTasks, resetSession: false)
        rig.task().resume()
        let error = try #require(await rig.response.error)
        guard case .sessionInvalidated(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.request?.url?.path == "/a")
        #expect(!error.isCancelled)
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.isEmpty)
    }

    @Test(
        "a manager that only its last task holds still reports its end",
        arguments: [true, false])
    func letGo(hasHandler: Bool) async throws {
        let (stub, ends) = (ManualTransport(), Recorder<String>())
        var manager: SessionManager? = SessionManager(transport: stub)
        let identity = manager.map(ObjectIdentifier.init)
        let token = NotificationCenter.default.addObserver(
            forName: SessionManager.didInvalidateNotification, object: nil, queue: nil
        ) { notification in
            guard (notification.object as? SessionManager).map(ObjectIdentifier.init) == identity
            else { return }
            ends.add("notification")
        }
        manager?.sessionDidBecomeInvalid = { _ in ends.add("hook") }
        // Its delivery is immediate and, without a handler, uses no other thread.
        let handler: @Sendable (Response<Data>) -> Void = { _ in }
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/")))
        var task = manager?.dataTask(
            with: request, serializer: HTTPResponseSerializer(),
            completionHandler: hasHandler ? handler : nil
        )
        task?.resume()
        task = nil
        manager?.invalidate(cancelingTasks: false, resetSession: false)
        manager = nil
        await stub.exchange().reply()
        #expect(await ends.wait(for: 2) == ["hook", "notification"])
        NotificationCenter.default.removeObserver(token)
    }

    @Test("a task that was not resumed is canceled in either case", arguments: [true, false])
    func unresumed(cancelingTasks: Bool) async {
        let rig = SessionRig()
        let (ends, token) = Self.watch(rig)
        let task = rig.task()
        rig.manager.invalidate(cancelingTasks: cancelingTasks, resetSession: false)
        #expect(await rig.response.error?.isCancelled == true)
        task.resume()
        await rig.expectOneCompletion()
        #expect(await ends.wait(for: 2) == ["hook", "notification"])
        #expect(rig.stub.exchanges.isEmpty)
        NotificationCenter.default.removeObserver(token)
    }

    @Test(
        "running tasks are canceled or awaited, as requested", arguments: [true, false])
    func running(cancelingTasks: Bool) async {
        let rig = SessionRig()
        let (ends, token) = Self.watch(rig)
        rig.task().resume()
        let exchange = await rig.stub.exchange()
        rig.manager.invalidate(cancelingTasks: cancelingTasks, resetSession: false)
        if !cancelingTasks {
            await rig.settle()
            #expect(ends.count == 0 && rig.responses.count == 0)
            exchange.reply()
        }
        #expect((await rig.response.error?.isCancelled ?? false) == cancelingTasks)
        await rig.expectOneCompletion()
        #expect(await ends.wait(for: 2) == ["hook", "notification"])
        NotificationCenter.default.removeObserver(token)
    }

    @Test("after a reset, new tasks use new connections while the old tasks end")
    func reset() async {
        let rig = SessionRig()
        let (ends, token) = Self.watch(rig)
        rig.task("old").resume()
        let old = await rig.stub.exchange(0)
        rig.manager.invalidate(cancelingTasks: false, resetSession: true)
        rig.task("new").resume()
        let new = await rig.stub.exchange(1)
        #expect(old.exchange.pool !== new.exchange.pool)
        new.reply()
        #expect(await rig.response.error == nil)
        await rig.settle()
        #expect(ends.count == 0)
        old.reply()
        #expect(await rig.responses.wait(for: 2).allSatisfy { $0.error == nil })
        #expect(await ends.wait(for: 2) == ["hook", "notification"])
        NotificationCenter.default.removeObserver(token)
    }

    @Test("a task whose manager is released before the resume fails with an explanation")
    func goneBefore() async throws {
        let responses = Recorder<BluebonnetError?>()
        let (stub, completed, group) = (ManualTransport(), Recorder<Void>(), DispatchGroup())
        var manager: HTTPSessionManager? = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test"), transport: stub
        )
        manager?.completionGroup = group
        let notifications = manager?.notifications
        let task = manager?.dataTask(method: .get, path: "a") { responses.add($0.error) }
        manager = nil
        let identity = task.map(ObjectIdentifier.init)
        let token = NotificationCenter.default.addObserver(
            forName: SessionTask.didCompleteNotification, object: nil, queue: nil
        ) { notification in
            let task = notification.object as? SessionTask
            if task.map(ObjectIdentifier.init) == identity { completed.add(()) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        task?.resume()
        let error = try #require(await responses.wait(for: 1)[0])
        guard case .sessionInvalidated = error else {
            Issue.record("\(error)")
            return
        }
        #expect(stub.exchanges.isEmpty)
        await completed.wait(for: 1)
        await group.left()
        await notifications?.flush()
        #expect(completed.count == 1 && responses.count == 1)
    }
}
