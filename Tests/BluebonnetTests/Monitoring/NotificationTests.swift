import Foundation
import Testing

import Bluebonnet

@Suite("Notifications of tasks", .timeLimit(.minutes(5)))
struct NotificationTests {
    @Test("only real changes are reported, in the order resume, suspend, cancel, complete")
    func order() async {
        let rig = SessionRig()
        let task = rig.task()
        task.suspend()
        task.resume()
        task.resume()
        let exchange = await rig.stub.exchange()
        task.suspend()
        task.suspend()
        task.resume()
        task.suspend()
        task.cancel()
        task.cancel()
        await rig.expectOneCompletion()
        let heard = rig.log.all.filter { $0 != "handler" }
        #expect(
            heard == [
                "suspend", "resume", "suspend", "resume", "suspend", "cancel", "complete",
            ])
        #expect(exchange.controls == [.suspend, .resume, .suspend, .cancel])
    }

    @Test("an observer on a suspended queue does not stop handlers")
    func undrained() async {
        let suspended = OperationQueue()
        suspended.isSuspended = true
        let rig = SessionRig(answer: { $0.reply() })
        // Other tests post, too, and only this manager's poster must be blocked.
        let first = rig.manager.dataTask(method: .get, path: "first", completionHandler: nil)
        let tokens = [SessionTask.didResumeNotification, SessionTask.didCompleteNotification].map {
            name in
            NotificationCenter.default.addObserver(forName: name, object: first, queue: suspended) {
                _ in
            }
        }
        first.resume()
        for _ in 0..<20 { rig.task().resume() }
        #expect(await rig.responses.wait(for: 20).allSatisfy { $0.error == nil })
        await rig.group.left()
        suspended.isSuspended = false
        await rig.completed.wait(for: 21)
        tokens.forEach(NotificationCenter.default.removeObserver)
    }

    @Test("blocking handlers do not delay the redirects and parsing of other tasks")
    func blockedHandlers() async {
        let rig = SessionRig(answer: {
            $0.exchange.url.hasSuffix("/hop") ? $0.redirect(to: "/other") : $0.reply()
        })
        rig.manager.completionQueue = nil
        let seconds = Recorder<Double>()
        await onOwnThread {
            let (gate, parsed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            for _ in 0..<16 { rig.manager.get("blocked") { _ in gate.wait() } }
            let start = Date()
            for _ in 0..<20 {
                rig.manager.get("hop", serializer: ProbeSerializer { parsed.signal() }) { _ in }
            }
            for _ in 0..<20 { parsed.wait() }
            seconds.add(-start.timeIntervalSinceNow)
            for _ in 0..<16 { gate.signal() }
        }
        await rig.group.left()
        // A pool that grew by one thread per second would take five seconds.
        #expect(seconds.all[0] < 3)
    }
}
