import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("When notifications are posted", .timeLimit(.minutes(5)))
struct NotificationNamesTests {
    private final class Content: NotificationContent {
        let created = Recorder<Void>()

        var userInfo: [AnyHashable: Any] {
            created.add(())
            return ["key": "value"]
        }
    }

    private let names = NotificationNames()
    private let center = NotificationCenter()

    private func poster(postsAlways: Bool) -> NotificationPoster {
        NotificationPoster(postsAlways: postsAlways, names: names, center: center)
    }

    /// Returns a recorder of the raw names that the test's center posts.
    private func heard() -> Recorder<String> {
        let heard = Recorder<String>()
        // The center keeps the observer and is released with the test.
        _ = center.addObserver(forName: nil, object: nil, queue: nil) {
            heard.add($0.name.rawValue)
        }
        return heard
    }

    @Test("none is created until a name is read, and all are afterward")
    func read() async {
        let (poster, content, heard) = (poster(postsAlways: false), Content(), heard())
        poster.post(.taskDidComplete, of: content, content)
        await poster.flush()
        #expect(!poster.isNeeded && heard.count == 0 && content.created.count == 0)
        let name = names.read(.taskDidResume)
        #expect(name.rawValue == "com.bluebonnet.task.resume")
        #expect(poster.isNeeded)
        poster.post(.taskDidComplete, of: content, content)
        #expect(await heard.wait(for: 1) == ["com.bluebonnet.task.complete"])
        #expect(content.created.count == 1)
    }

    @Test("a poster that always posts reads no name, so that other posters stay silent")
    func always() async {
        let (always, other, heard) = (
            poster(postsAlways: true), poster(postsAlways: false), heard()
        )
        always.post(.taskDidCancel, of: names)
        #expect(await heard.wait(for: 1) == ["com.bluebonnet.task.cancel"])
        #expect(!names.wereRead && !other.isNeeded)
    }

    @Test("reading any of the public names is enough")
    func publicNames() async {
        let read: [@Sendable () -> Notification.Name] = [
            { SessionTask.didResumeNotification }, { SessionTask.didSuspendNotification },
            { SessionTask.didCancelNotification }, { SessionTask.didCompleteNotification },
            { DownloadTask.didMoveFileNotification },
            { DownloadTask.didFailToMoveFileNotification },
            { SessionManager.didInvalidateNotification },
        ]
        let names = Set(read.map { $0().rawValue })
        #expect(names.count == read.count)
        #expect(names.allSatisfy { NotificationNames.Event(rawValue: $0) != nil })
        #expect(NotificationNames.shared.wereRead)
    }

    @Test("an observer of all names receives nothing until a name is read, then everything")
    func untilRead() async {
        // In a separate process, because other tests read names in this one.
        await #expect(processExitsWith: .success) {
            let heard = Recorder<String>()
            _ = NotificationCenter.default.addObserver(forName: nil, object: nil, queue: nil) {
                if $0.object is SessionTask { heard.add($0.name.rawValue) }
            }
            let makeManager = {
                HTTPSessionManager(
                    baseURL: URL(string: "http://stub.test/"),
                    transport: ManualTransport(answer: { $0.reply() })
                )
            }
            let unheard = makeManager()
            for _ in 0..<3 {
                _ = await unheard.response(
                    .get, "unheard", serializer: HTTPResponseSerializer())
            }
            // Returns after the places that would post notifications.
            await unheard.shutdown()
            await unheard.notifications.flush()
            #expect(!NotificationNames.shared.wereRead && heard.count == 0)
            let manager = makeManager()
            let names = [
                SessionTask.didResumeNotification, SessionTask.didCompleteNotification,
            ]
            manager.dataTask(method: .get, path: "heard", completionHandler: nil).resume()
            #expect(await heard.wait(for: 2) == names.map(\.rawValue))
        }
    }

    @Test("with postsNotifications, an observer of all names receives all notifications of a task")
    func configured() async {
        await #expect(processExitsWith: .success) {
            var configuration = SessionConfiguration()
            #expect(!configuration.postsNotifications)
            configuration.postsNotifications = true
            let manager = HTTPSessionManager(
                baseURL: URL(string: "http://stub.test/"),
                configuration: configuration,
                transport: ManualTransport(answer: { $0.reply() })
            )
            let heard = Recorder<String>()
            let task = manager.dataTask(method: .get, path: "all", completionHandler: nil)
            let token = NotificationCenter.default.addObserver(
                forName: nil, object: task, queue: nil
            ) { heard.add($0.name.rawValue) }
            task.resume()
            #expect(
                await heard.wait(for: 2)
                    == ["com.bluebonnet.task.resume", "com.bluebonnet.task.complete"])
            #expect(!NotificationNames.shared.wereRead)
            NotificationCenter.default.removeObserver(token)
        }
    }

    @Test("an observer registered in a handler receives the notification of that completion")
    func inHandler() async {
        await #expect(processExitsWith: .success) {
            let manager = HTTPSessionManager(
                baseURL: URL(string: "http://stub.test/"),
                transport: ManualTransport(answer: { $0.reply() })
            )
            let heard = Recorder<Set<String>>()
            manager.get("heard") { _ in
                _ = NotificationCenter.default.addObserver(
                    forName: SessionTask.didCompleteNotification, object: nil, queue: nil
                ) { notification in
                    let keys = (notification.userInfo ?? [:]).keys
                    heard.add(Set(keys.compactMap { $0 as? String }))
                }
            }
            #expect(await heard.wait(for: 1)[0].contains(SessionTask.NotificationKey.responseData))
        }
    }

    @Test("tasks without observers end on every path and are released")
    func unobserved() async {
        await #expect(processExitsWith: .success) {
            for path in LifetimeTests.Path.allCases {
                let remains = await LifetimeTests.live(path)
                #expect(await until { remains.count == 0 }, "\(path): \(remains)")
            }
            let (group, files) = (DispatchGroup(), Recorder<URL?>())
            let manager = HTTPSessionManager(transport: ManualTransport(answer: { $0.reply() }))
            manager.completionGroup = group
            let request = URLRequest(url: try #require(URL(string: "http://stub.test/file")))
            manager.downloadTask(with: request) { response in
                files.add(response.value)
            }.resume()
            manager.dataTask(with: request, completionHandler: nil).resume()
            await group.left()
            let file = try #require(await files.wait(for: 1)[0])
            #expect(await until { !FileManager.default.fileExists(atPath: file.path) })
            #expect(!NotificationNames.shared.wereRead)
        }
    }

    @Test("posting starts no thread while the task's lock is held")
    func outsideLock() async throws {
        let delegates = Locked<TaskDelegate?>(nil)
        let locksAreFree = Recorder<Bool>()
        let pool = HandlerPool { body throws(ThreadNotStarted) in
            let isFree = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                _ = delegates.withLock { $0 }?.isNew
                isFree.signal()
            }
            locksAreFree.add(isFree.wait(timeout: .now() + 10) == .success)
            try NamedThread.startDetached("test", running: body)
        }
        let heard = heard()
        let session = SessionCore(
            configuration: .default,
            transport: ManualTransport(),
            cookies: nil,
            audience: TaskEventAudience(
                notifications: NotificationPoster(postsAlways: true, center: center, pool: pool)),
            owner: SessionOwner(),
            callbacks: SessionCore.Callback.makeQueue()
        )
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/")))
        let identities = ClientIdentities(anyHost: nil)
        let delegate = TaskDelegate(
            .data,
            taskIdentifier: 1,
            session: session,
            setup: TaskSetup(
                source: .made(.success(request)),
                defaults: SerializerDefaults(
                    serializer: JSONResponseSerializer(), decoder: JSONDecoder()),
                pools: session.makePools(SecurityPolicy(), [:], identities)
            ),
            responder: Responder(
                serializer: HTTPResponseSerializer(), receiver: .handler(nil, on: nil)),
            upload: nil,
            flow: .memory,
            uploadProgress: nil,
            downloadProgress: nil
        )
        delegates.withLock { $0 = delegate }
        session.map.withLock { $0.insert(delegate) }
        let task = delegate.makeTask()
        task.cancel()
        #expect(
            await heard.wait(for: 2)
                == ["com.bluebonnet.task.cancel", "com.bluebonnet.task.complete"])
        #expect(locksAreFree.all.allSatisfy { $0 } && locksAreFree.count > 0)
        // This breaks a retain cycle with the pool.
        delegates.withLock { $0 = nil }
    }
}
