import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

/// A manager on a transport, with a log of all callbacks for its tasks.
final class Rig<Wire: Transport>: Sendable {
    /// The content of a complete notification.
    struct Completion: Sendable {
        var keys: Set<String>
        var error: BluebonnetError?
        var data: Data?
        var object: [String: Int]?
        var serializer: String?
        var hasMetrics: Bool

        init(_ notification: Notification) {
            let userInfo = notification.userInfo ?? [:]
            keys = Set(userInfo.keys.compactMap { $0 as? String })
            error = userInfo[SessionTask.NotificationKey.error] as? BluebonnetError
            data = userInfo[SessionTask.NotificationKey.responseData] as? Data
            object = userInfo[SessionTask.NotificationKey.serializedResponse] as? [String: Int]
            serializer = userInfo[SessionTask.NotificationKey.responseSerializer]
                .map { "\(type(of: $0))" }
            hasMetrics = userInfo[SessionTask.NotificationKey.metrics] is TaskMetrics
        }
    }

    let stub: Wire
    let manager: HTTPSessionManager
    let log = Recorder<String>()
    let responses = Recorder<Response<any Sendable>>()
    let completed = Recorder<Completion>()
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "rig")
    nonisolated(unsafe) private var observers: [any NSObjectProtocol] = []

    init(
        baseURL: String = "http://stub.test/", on transport: Wire,
        manager make: (URL?, Wire) -> HTTPSessionManager
    ) {
        stub = transport
        manager = make(URL(string: baseURL), transport)
        manager.completionGroup = group
        manager.completionQueue = queue
        observers = observe(manager.notifications)
    }

    deinit {
        observers.forEach(NotificationCenter.default.removeObserver)
    }

    private func observe(_ poster: NotificationPoster) -> [any NSObjectProtocol] {
        let names = [
            SessionTask.didResumeNotification: "resume",
            SessionTask.didSuspendNotification: "suspend",
            SessionTask.didCancelNotification: "cancel",
            SessionTask.didCompleteNotification: "complete",
        ]
        return names.map { name, text in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                [log, completed] notification in
                // Tasks of other tests post notifications, too.
                let task = notification.object as? SessionTask
                guard task?.delegate.session.audience.notifications === poster else { return }
                if text == "complete" { completed.add(Completion(notification)) }
                log.add(text)
            }
        }
    }

    /// Returns a new task whose handler is logged.
    func task(_ path: String = "a", parameters: Parameters? = nil) -> DataTask {
        manager.dataTask(method: .get, path: path, parameters: parameters) {
            [log, responses] response in
            log.add("handler")
            responses.add(response)
        }
    }

    /// Starts a task whose handler is logged.
    @discardableResult
    func start(
        _ url: String = "http://a.test/one/two?q",
        _ change: (inout URLRequest) -> Void = { _ in },
        progress: ProgressHandler? = nil
    ) throws -> DataTask {
        var request = URLRequest(url: try #require(URL(string: url)))
        change(&request)
        let task = manager.dataTask(with: request, downloadProgress: progress) {
            [log, responses] response in
            log.add("handler")
            responses.add(response)
        }
        task.resume()
        return task
    }

    /// Only the notifications, because they have no order with handlers on another queue.
    var notified: [String] { log.all.filter { $0 != "handler" } }

    /// The response of the only task.
    var response: Response<any Sendable> {
        get async { await responses.wait(for: 1)[0] }
    }

    /// Waits until everything under way has arrived.
    func settle() async {
        for _ in 0..<3 {
            await manager.callbacks.flush()
            for number in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                await DrainLane.of(number).dispatchQueue.fence()
            }
            await queue.fence()
            await manager.notifications.flush()
        }
    }

    /// Expects one call of the handler, one leave of the group and one complete notification.
    func expectOneCompletion(_ location: SourceLocation = #_sourceLocation) async {
        await completed.wait(for: 1)
        await settle()
        let heard = log.all
        #expect(heard.count { $0 == "handler" } == 1, sourceLocation: location)
        #expect(heard.count { $0 == "complete" } == 1, sourceLocation: location)
        // A second leave would have trapped, and a missing one would time out here.
        await group.left()
        #expect(manager.tasks.isEmpty, sourceLocation: location)
    }
}

/// A rig on a transport that the test controls.
typealias SessionRig = Rig<ManualTransport>

extension Rig where Wire == ManualTransport {
    convenience init(
        baseURL: String = "http://stub.test/",
        manager make: (URL?, ManualTransport) -> HTTPSessionManager = {
            HTTPSessionManager(baseURL: $0, transport: $1)
        },
        answer: ManualTransport.Answer? = nil
    ) {
        self.init(baseURL: baseURL, on: ManualTransport(answer: answer), manager: make)
    }

    /// Returns a rig whose manager has its own configuration.
    static func configured(
        baseURL: String = "http://stub.test/",
        _ change: (inout SessionConfiguration) -> Void
    ) -> SessionRig {
        var configuration = SessionConfiguration()
        change(&configuration)
        return SessionRig(
            baseURL: baseURL,
            manager: {
                HTTPSessionManager(baseURL: $0, configuration: configuration, transport: $1)
            }
        )
    }
}

extension NotificationPoster {
    /// Waits until all earlier notifications are posted.
    func flush() async { await queue.flush() }
}

extension DispatchQueue {
    /// Waits, without blocking a thread, until all earlier work is done.
    func fence() async {
        await withCheckedContinuation { continuation in
            async { continuation.resume() }
        }
    }
}

extension DispatchGroup {
    /// Waits, without blocking a thread, until the group is empty.
    ///
    /// The suite's time limit applies.
    func left() async {
        await withCheckedContinuation { continuation in
            notify(queue: .global()) { continuation.resume() }
        }
    }
}
