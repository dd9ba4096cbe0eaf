import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Passwords in printed text", .timeLimit(.minutes(5)))
struct HiddenPasswordTests {
    @Test("no printed text of a task, manager, response or notification has a password")
    func hidden() async throws {
        let rig = SessionRig()
        let text = Recorder<String>()
        let encoded = Data("user:hunter2".utf8).base64EncodedString()
        let add: @Sendable (Any) -> Void = { value in
            var dumped = ""
            dump(value, to: &dumped)
            text.add(dumped + "\(value)" + String(reflecting: value))
        }
        rig.manager.didReceiveChallenge = { task, challenge in
            add(challenge)
            add(task)
            return .useCredential(.test("user", "hunter2"))
        }
        rig.manager.taskDidComplete = { task, error in
            add(task)
            add(task.delegate)
            if let error { add(error) }
        }
        let observer = NotificationCenter.default.addObserver(
            forName: SessionTask.didCompleteNotification, object: nil, queue: nil
        ) { [notifications = rig.manager.notifications] notification in
            let task = notification.object as? SessionTask
            guard task?.delegate.session.audience.notifications === notifications else { return }
            add(notification.userInfo as Any)
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        for status in [200, 401, 500] {
            let count = rig.stub.exchanges.count
            try rig.start("http://a\(status).test/")
            await rig.stub.exchange(count).challenge("Basic realm=r")
            let answered = await rig.stub.exchange(count + 1)
            #expect(answered.value(of: "Authorization") == "Basic \(encoded)")
            add(rig.manager)
            if status == 401 {
                answered.challenge("Basic realm=r")
                await rig.stub.exchange(count + 2).challenge("Basic realm=r")
                await rig.stub.exchange(count + 3).challenge("Basic realm=r")
            } else {
                answered.reply(status)
            }
            let responses = await rig.responses.wait(for: rig.responses.count)
            if let last = responses.last { add(last) }
        }
        for response in await rig.responses.wait(for: 3) { add(response) }
        await rig.completed.wait(for: 3)
        await rig.settle()
        add(rig.manager)
        #expect(text.all.count > 12)
        for printed in text.all {
            #expect(!printed.contains("hunter2") && !printed.contains(encoded))
        }
    }
}
