import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

/// One possible life of a task, from creation to end, which is the same in each run.
struct Scenario: Sendable, CustomStringConvertible {
    enum Kind: Sendable { case data, upload, download, stream }

    /// What the caller does with the task before the network answers.
    enum Holder: Sendable {
        case resumes, cancelsAtOnce, suspendsAndResumes, invalidatesBefore
    }

    var name: String
    /// The expected end of the task, in the words of `Account`.
    var outcome: String
    var kind = Kind.data
    var holder = Holder.resumes
    var configure: @Sendable (inout SessionConfiguration) -> Void = { _ in }
    var request: @Sendable (inout URLRequest) -> Void = { _ in }
    var prepare: @Sendable (SessionTask) -> Void = { _ in }
    /// The last part of the path of the download's destination.
    var place = "result"
    /// The answers to the exchanges, in order.
    ///
    /// The last one repeats.
    private var answers: [ManualTransport.Answer] = []

    var description: String { name }

    init(
        _ name: String, _ outcome: String, _ kind: Kind = .data,
        change: (inout Scenario) -> Void = { _ in }
    ) {
        (self.name, self.outcome, self.kind) = (name, outcome, kind)
        change(&self)
        if answers.isEmpty { answer { $0.reply() } }
    }

    mutating func answer(_ answer: @escaping ManualTransport.Answer) { answers.append(answer) }

    mutating func post(_ body: String? = nil) {
        request = { request in
            request.httpMethod = "POST"
            request.httpBody = body.map { Data($0.utf8) }
        }
    }

    mutating func sendField(_ name: String, _ value: String) {
        request = { $0.setValue(value, forHTTPHeaderField: name) }
    }
}

/// The observers of a task.
enum Listening: CaseIterable, Sendable {
    /// Only the monitor that keeps the account.
    case monitor
    /// A subclass without overrides.
    case subclass
    /// All closures are set and return the default results.
    case closures

    final class Empty: HTTPSessionManager, @unchecked Sendable {}

    func manager(
        _ configuration: SessionConfiguration, _ transport: any Transport
    ) -> HTTPSessionManager {
        if self == .subclass {
            return Empty(baseURL: nil, configuration: configuration, transport: transport)
        }
        let manager = HTTPSessionManager(
            baseURL: nil, configuration: configuration, transport: transport)
        if self == .closures { manager.setAnsweringClosures() }
        return manager
    }
}

extension SessionManager {
    fileprivate func setAnsweringClosures() {
        willStart = { _ in }
        taskDidComplete = { _, _ in }
        taskDidFinishCollectingMetrics = { _, _ in }
        taskDidSendBodyData = { _, _, _, _ in }
        didReceiveChallenge = { _, _ in .performDefaultHandling }
        taskNeedsNewBodyStream = { _ in nil }
        dataTaskDidReceiveResponse = { _, _ in .allow }
        dataTaskDidBecomeDownloadTask = { _, _ in }
        dataTaskDidReceiveData = { _, _ in }
        downloadTaskDidFinishDownloading = { _, _ in nil }
        downloadTaskDidWriteData = { _, _, _, _ in }
        downloadTaskDidResume = { _, _, _ in }
        taskWillPerformHTTPRedirection = { _, _, request in request }
        dataTaskWillCacheResponse = { _, response in response }
        sessionDidBecomeInvalid = { _ in }
    }
}

/// Everything observable about one task, except its times.
struct Account: Equatable {
    /// The events that a monitor received, in order.
    var events: [String] = []
    var notifications: [String] = []
    /// The properties and calls of each exchange.
    var exchanges: [String] = []
    /// The consumed bytes of bodies in memory, by exchange.
    ///
    /// Disks and readers are left out, because their progress at the end depends on timing.
    var consumed: [Int] = []
    /// The bytes that arrived, by exchange.
    var sent: [Int] = []
    var response = ""
    var outcome = ""
    var metrics = ""
    var files: [String] = []
    var progress = ""

    /// The names of the events.
    var order: [String] { events.map { $0.prefix { !" :,".contains($0) }.description } }
}

extension Scenario {
    /// Runs the scenario and records everything.
    func account(for listening: Listening) async throws -> Account {
        let directory = try TemporaryDirectory()
        let number = Locked(0)
        let stub = ManualTransport { [answers] transfer in
            let index = number.withLock { number in
                defer { number += 1 }
                return number
            }
            answers[min(index, answers.count - 1)](transfer)
        }
        var configuration = SessionConfiguration()
        configuration.postsNotifications = true
        configure(&configuration)
        let manager = listening.manager(configuration, stub)
        let (events, notified) = (Recorder<TaskEvent>(), Recorder<String>())
        manager.addMonitor { batch in for event in batch { events.add(event) } }
        let observer = NotificationCenter.default.addObserver(
            forName: nil, object: nil, queue: nil
        ) { [poster = manager.notifications] notification in
            guard let task = notification.object as? SessionTask,
                task.delegate.session.audience.notifications === poster
            else { return }
            let keys = (notification.userInfo ?? [:]).keys.compactMap { $0 as? String }.sorted()
            notified.add("\(notification.name.rawValue): \(keys)")
        }
        defer { NotificationCenter.default.removeObserver(observer) }

        var account = Account()
        let (task, ended) = try start(on: manager, directory)
        (account.response, account.outcome) = await ended()
        // Waits for all remaining deliveries.
        await manager.shutdown()

        account.events = events.all.map { "\($0.kind), \($0.attempt)".hiding(directory) }
        account.notifications = notified.all
        for transfer in stub.exchanges {
            let (exchange, fields) = (transfer.exchange, transfer.exchange.fields)
            let body = transfer.bodyText.map { ", \($0.utf8.count) bytes" } ?? ""
            account.exchanges.append(
                """
                \(exchange.method) \(exchange.url) \(fields.map { "\($0.name): \($0.value)" }) \
                \(exchange.attempt) \(exchange.receiveWindow ?? -1) \(exchange.keepsBody) \
                \(exchange.limits.bodySize)\(body) \(transfer.effectiveControls)
                """)
            if kind == .download || kind == .stream { continue }
            account.sent.append(transfer.sentCount.value)
            account.consumed.append(transfer.calls.all.reduce(0) { $0 + $1.consumedCount })
        }
        let metrics = task.metrics
        account.metrics = "\(metrics?.exchanges.count ?? 0), \(metrics?.redirectCount ?? 0)"
        account.files = try directory.names.map { $0.hasPrefix(".") ? "temporary" : $0 }
        account.progress =
            "\(task.progress.completedUnitCount) \(task.progress.totalUnitCount) "
            + "\(task.uploadProgress.completedUnitCount) \(task.uploadProgress.totalUnitCount)"
        return account
    }

    private typealias End = @Sendable () async -> (response: String, outcome: String)

    /// Starts the task, and returns it with an object that waits for its end.
    private func start(
        on manager: HTTPSessionManager, _ directory: TemporaryDirectory
    ) throws -> (SessionTask, End) {
        var request = URLRequest(url: try #require(URL(string: "http://a.test/one")))
        self.request(&request)
        if holder == .invalidatesBefore {
            manager.invalidate(cancelingTasks: false, resetSession: false)
        }
        let ended = Recorder<(response: String, outcome: String)>()
        let task: SessionTask
        switch kind {
        case .data:
            task = manager.dataTask(with: request) { ended.add($0.words(directory)) }
        case .upload:
            task = manager.uploadTask(with: request, from: Data(count: 200_000)) {
                ended.add($0.words(directory))
            }
        case .download:
            let place = directory.file(place)
            task = manager.downloadTask(with: request, destination: { _ in place }) {
                ended.add($0.words(directory))
            }
        case .stream: return start(streamOf: request, on: manager)
        }
        act(on: task, of: manager)
        return (task, { await ended.wait(for: 1)[0] })
    }

    private func start(
        streamOf request: URLRequest, on manager: HTTPSessionManager
    ) -> (SessionTask, End) {
        let (serializer, channel) = (HTTPResponseSerializer(), ResponseChannel())
        let task: StreamTask = manager.makeTask(
            .made(.success(request)),
            StreamResponder(serializer: serializer, channel: channel),
            flow: .stream(channel))
        act(on: task, of: manager)
        return (
            task,
            {
                do {
                    var count = 0
                    let stream = ResponseStream(
                        head: try await channel.head.get(),
                        source: ResponseStream.Source(task: task, channel: channel))
                    for try await piece in stream { count += piece.count }
                    return ("\(count) bytes", "ok")
                } catch {
                    return ("\(error)", (error as? BluebonnetError)?.caseName ?? "other")
                }
            }
        )
    }

    private func act(on task: SessionTask, of manager: SessionManager) {
        prepare(task)
        switch holder {
        case .resumes, .invalidatesBefore: task.resume()
        case .cancelsAtOnce: task.cancel()
        case .suspendsAndResumes:
            task.resume()
            task.suspend()
            task.resume()
        }
    }
}

extension ManualTransfer {
    /// The calls without a cancel after the end, whose occurrence depends on timing.
    fileprivate var effectiveControls: [Call] {
        wasCutOff.withLock { $0 } ? controls : controls.filter { $0 != .cancel }
    }
}

extension ManualTransfer.Call {
    fileprivate var consumedCount: Int {
        if case .didConsume(let count) = self { count } else { 0 }
    }
}

extension Response {
    fileprivate func words(_ directory: TemporaryDirectory?) -> (response: String, outcome: String)
    {
        let text = "\(head?.statusCode ?? 0) \(data?.count ?? -1) \(result)"
        let status = error.map { _ in "" } ?? " \(head?.statusCode ?? 0)"
        return (text.hiding(directory), (error?.caseName ?? "ok") + status)
    }
}

extension BluebonnetError {
    fileprivate var caseName: String {
        switch self {
        case .invalidRequest: "invalidRequest"
        case .adaptation: "adaptation"
        case .retry: "retry"
        case .securityPolicy: "securityPolicy"
        case .sessionInvalidated: "sessionInvalidated"
        case .transport: "transport"
        case .requestBody: "requestBody"
        case .redirect: "redirect"
        case .authentication: "authentication"
        case .unacceptableStatus(let code, _): "status \(code)"
        case .unacceptableContentType: "type"
        case .validation: "validation"
        case .unreadableBody: "unreadable"
        case .file: "file"
        case .cancelled: "cancelled"
        }
    }
}

extension String {
    fileprivate func hiding(_ directory: TemporaryDirectory?) -> String {
        guard let directory else { return self }
        return replacingOccurrences(of: directory.url.path, with: "DIRECTORY")
    }
}
