import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Lifetimes", .timeLimit(.minutes(5)))
struct LifetimeTests {
    enum Path: CaseIterable, Sendable {
        case success, failure, cancelBefore, cancelDuring, dropped, badRequest, invalidated
        case managerGone, redirect, noHandler, redirectRefused, queueUsedLater
    }

    /// Weak references to the parts of a task.
    struct Remains {
        weak var manager: SessionManager?
        weak var task: SessionTask?
        weak var delegate: TaskDelegate?
        weak var queue: SerialOperationQueue?
        weak var session: SessionCore?
        weak var pool: Exchange.Pool?
        weak var token: Token?

        var count: Int {
            let all: [AnyObject?] = [manager, task, delegate, queue, session, pool, token]
            return all.count { $0 != nil }
        }
    }

    /// An object that only the handler holds.
    final class Token: Sendable {}

    @Test("a delegate has its task until the task is released")
    func delegateWithoutTask() async {
        let rig = SessionRig()
        var task: DataTask? = rig.task()
        let delegate = task?.delegate
        #expect(delegate?.task === task && task != nil)
        task?.resume()
        await rig.stub.exchange().reply()
        await rig.expectOneCompletion()
        #expect(delegate?.task === task)
        task = nil
        #expect(await until { delegate?.task == nil })
        // The task was released before its resume, so a substitute completes it.
        let unused = rig.task().delegate
        #expect(await rig.responses.wait(for: 2).last?.error?.isCancelled == true)
        #expect(await until { unused.task == nil })
    }

    @Test(
        "manager, task, delegate, queue and handler are released on every path",
        arguments: Path.allCases)
    func freed(path: Path) async {
        let remains = await Self.live(path)
        #expect(await until { remains.count == 0 }, "\(remains)")
    }

    static func live(_ path: Path) async -> Remains {
        let (stub, over) = (ManualTransport(), Recorder<Void>())
        var manager: HTTPSessionManager? = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test"), transport: stub
        )
        let token = Token()
        let box = Locked<SessionTask?>(nil)
        let handler: @Sendable (Response<any Sendable>) -> Void = { _ in
            // The handler captures its own task, as user code does.
            withExtendedLifetime((token, box)) {}
            over.add(())
        }
        if path == .redirectRefused {
            manager?.taskWillPerformHTTPRedirection = { _, _, _ in nil }
        }
        if path == .invalidated {
            manager?.invalidate(cancelingTasks: true, resetSession: false)
        }
        var task = manager?.dataTask(
            method: .get, path: path == .badRequest ? "ftp://x/" : "a",
            completionHandler: path == .noHandler ? nil : handler
        )
        var remains = Remains()
        remains.manager = manager
        remains.task = task
        remains.delegate = task?.delegate
        remains.queue = task?.delegate.queue
        remains.session = task?.delegate.session
        let request = task?.originalRequest
        remains.pool = request.flatMap { request in
            try? task?.delegate.setup.pools.pool(for: request, hasLeftOrigin: false, route: nil)
        }
        remains.token = token
        if path != .dropped { box.withLock { $0 = task } }
        // The queue must be resumed on every path, or this never runs.
        task?.delegate.queue.addOperation { over.add(()) }
        if path == .managerGone { manager = nil }
        switch path {
        case .cancelBefore: task?.cancel()
        case .dropped: task = nil
        default: task?.resume()
        }
        switch path {
        case .success, .noHandler, .queueUsedLater: await stub.exchange().reply()
        case .failure: await stub.exchange().fail(.lost)
        case .cancelDuring:
            _ = await stub.exchange()
            task?.cancel()
        case .redirect:
            await stub.exchange().redirect(to: "/b")
            await stub.exchange(1).reply()
        case .redirectRefused: await stub.exchange().redirect(to: "/b")
        default: break
        }
        let count = path == .noHandler ? 1 : 2
        await over.wait(for: count)
        if path == .queueUsedLater {
            task?.delegate.queue.addOperation(BlockOperation { over.add(()) })
            await over.wait(for: count + 1)
        }
        return remains
    }

    @Test("dropped managers with hooks and an operation queue are released")
    func managers() async {
        let alive = Locked(0)
        final class Counted: HTTPSessionManager, @unchecked Sendable {
            var onDeinit: (@Sendable () -> Void)?
            deinit { onDeinit?() }
        }
        for _ in 0..<100 {
            let manager = Counted(transport: ManualTransport())
            alive.withLock { $0 += 1 }
            manager.onDeinit = { alive.withLock { $0 -= 1 } }
            _ = manager.operationQueue
            manager.taskDidComplete = { _, _ in }
        }
        #expect(await until { alive.withLock { $0 } == 0 })
    }
}
