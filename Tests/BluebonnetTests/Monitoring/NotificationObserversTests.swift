import Foundation
import Testing

@testable import Bluebonnet

@Suite("Whether anybody observes", .timeLimit(.minutes(5)))
struct NotificationObserversTests {
    private let center = NotificationCenter()
    private let name = Notification.Name("observers-test")

    @Test("a center that nobody observes is known not to be observed")
    func nobody() {
        center.post(name: name, object: center)
        #expect(!NotificationObservers(of: center).mayExist)
    }

    @Test(
        "an observer is noticed, whatever its name and object, and also when it is gone",
        arguments: [true, false], [true, false]
    )
    func observer(isNamed: Bool, hasObject: Bool) {
        let observers = NotificationObservers(of: center)
        let token = center.addObserver(
            forName: isNamed ? name : nil, object: hasObject ? Subject() : nil, queue: nil
        ) { _ in }
        #expect(observers.mayExist)
        center.removeObserver(token)
        #expect(observers.mayExist)
    }

    @Test("an observer of messages is noticed, with a subject and without")
    func messages() {
        let other = NotificationCenter()
        let tokens = [
            center.addObserver(of: Subject(), for: Message.self) { _ in },
            other.addObserver(of: Subject.self, for: .inProcess) { _ in },
        ]
        #expect(NotificationObservers(of: center).mayExist)
        #expect(NotificationObservers(of: other).mayExist)
        zip([center, other], tokens).forEach { $0.removeObserver($1) }
    }

    @Test("while there is an observer it is never missed, whoever else comes and goes")
    func churn() async {
        let (center, name) = (center, name)
        let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in }
        let observers = NotificationObservers(of: center)
        let (isOver, misses) = (Locked(false), Locked(0))
        async let watcher: Void = onOwnThread {
            while !isOver.withLock({ $0 }) {
                if !observers.mayExist { misses.withLock { $0 += 1 } }
            }
        }
        for number in 0..<5000 {
            let name = number % 2 == 0 ? name : Notification.Name("observers-test.\(number)")
            center.removeObserver(
                center.addObserver(forName: name, object: nil, queue: nil) { _ in })
        }
        isOver.withLock { $0 = true }
        await watcher
        #expect(misses.withLock { $0 } == 0)
        center.removeObserver(token)
    }

    @Test(
        "where the place of the observers is not known, they are taken to exist",
        arguments: [nil, 0, 8, 16]
    )
    func unknownPlace(offset: Int?) {
        #expect(NotificationObservers(of: center, offset: offset).mayExist)
    }

    @Test("a center of a class of its own is taken to be observed")
    func ownClass() {
        final class OwnCenter: NotificationCenter, @unchecked Sendable {}
        #expect(NotificationObservers(of: OwnCenter()).mayExist)
    }

    @Test("who observes everything of a task hears of all that happens to it")
    func everything() async {
        let rig = SessionRig(answer: { $0.reply() })
        let task = rig.manager.dataTask(method: .get, path: "all", completionHandler: nil)
        let heard = Recorder<Notification.Name>()
        let token = NotificationCenter.default.addObserver(
            forName: nil, object: task, queue: nil
        ) { heard.add($0.name) }
        task.resume()
        #expect(
            await heard.wait(for: 2)
                == [SessionTask.didResumeNotification, SessionTask.didCompleteNotification])
        NotificationCenter.default.removeObserver(token)
    }

    @Test("who begins to observe in a handler hears of that completion, and of nothing before")
    func inHandler() async {
        // A process of its own: in this one other tests observe.
        await #expect(processExitsWith: .success) {
            let manager = HTTPSessionManager(
                baseURL: URL(string: "http://stub.test/"),
                transport: StubTransport(answer: { $0.reply() })
            )
            // What is posted early would be heard late.
            let queue = manager.notifications.dispatchQueue
            queue.suspend()
            let serializer = HTTPResponseSerializer()
            for _ in 0..<3 {
                _ = await manager.response(method: .get, path: "unheard", serializer: serializer)
            }
            #expect(!NotificationObservers.ofDefaultCenter.mayExist)
            let heard = Recorder<[String]>()
            manager.get("heard") { _ in
                _ = NotificationCenter.default.addObserver(forName: nil, object: nil, queue: nil) {
                    let keys = $0.userInfo?.keys.compactMap { $0 as? String } ?? []
                    heard.add([$0.name.rawValue] + keys)
                }
                queue.resume()
            }
            let notification = await heard.wait(for: 1)[0]
            #expect(notification.first == SessionTask.didCompleteNotification.rawValue)
            #expect(notification.contains(SessionTask.NotificationKey.responseData))
        }
    }

    @Test("tasks that nobody observes end on every path, and are freed")
    func unobserved() async {
        await #expect(processExitsWith: .success) {
            for path in LifetimeTests.Path.allCases {
                let remains = await LifetimeTests.live(path)
                #expect(await until { remains.count == 0 }, "\(path): \(remains)")
            }
            let (group, files) = (DispatchGroup(), Recorder<URL?>())
            let manager = HTTPSessionManager(transport: StubTransport(answer: { $0.reply() }))
            manager.completionGroup = group
            let request = URLRequest(url: try #require(URL(string: "http://stub.test/file")))
            manager.downloadTask(with: request) { response in
                files.add(response.value)
            }.resume()
            manager.dataTask(with: request, completionHandler: nil).resume()
            await group.left()
            let file = try #require(await files.wait(for: 1)[0])
            #expect(await until { !FileManager.default.fileExists(atPath: file.path) })
            #expect(!NotificationObservers.ofDefaultCenter.mayExist)
        }
    }
}

private final class Subject: Sendable {}

private struct Message: NotificationCenter.AsyncMessage {
    typealias Subject = BluebonnetTests.Subject

    static var name: Notification.Name { Notification.Name("observers-test.message") }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<OtherMessage> {
    fileprivate static var inProcess: Self { .init() }
}

private struct OtherMessage: NotificationCenter.MainActorMessage {
    typealias Subject = BluebonnetTests.Subject

    static var name: Notification.Name { Notification.Name("observers-test.other") }
}
