import BluebonnetChain
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Task objects", .timeLimit(.minutes(1)))
struct SessionTaskTests {
    /// A way to create a task.
    enum Way: CaseIterable {
        case data, upload, download, request, uploadRequest, downloadRequest, streamRequest

        func make(by manager: HTTPSessionManager) throws -> SessionTask {
            let url = try #require(URL(string: "http://h/a"))
            var post = URLRequest(url: url)
            post.httpMethod = "POST"
            let body = Data("b".utf8)
            return switch self {
            case .data: manager.dataTask(with: URLRequest(url: url), completionHandler: nil)
            case .upload: manager.uploadTask(with: post, from: body, completionHandler: nil)
            case .download: manager.downloadTask(with: URLRequest(url: url), completionHandler: nil)
            case .request: manager.request(url)
            case .uploadRequest: manager.upload(body, to: url)
            case .downloadRequest: manager.download(url)
            case .streamRequest: manager.streamRequest(url)
            }
        }

        var names: [String] {
            switch self {
            case .data, .request: ["DataRequest"]
            case .upload, .uploadRequest: ["DataRequest", "UploadRequest"]
            case .download, .downloadRequest: ["DownloadRequest"]
            case .streamRequest: ["DataStreamRequest"]
            }
        }
    }

    /// Records the requests that it receives.
    private struct Observer: RequestInterceptor {
        let seen = Recorder<Request>()

        func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState
        ) async throws -> URLRequest {
            seen.add(state.request)
            return urlRequest
        }
    }

    private let transport = ManualTransport()
    private let manager: HTTPSessionManager

    init() {
        manager = HTTPSessionManager(transport: transport)
    }

    private static func names(of request: Request) -> [String] {
        var names: [String] = []
        if request is DataRequest { names.append("DataRequest") }
        if request is UploadRequest { names.append("UploadRequest") }
        if request is DownloadRequest { names.append("DownloadRequest") }
        if request is DataStreamRequest { names.append("DataStreamRequest") }
        return names
    }

    @Test("interceptors and monitors receive the task itself", arguments: Way.allCases)
    func classes(way: Way) async throws {
        let observer = Observer()
        let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "monitor"))
        monitor.requestDidResume = { [seen = observer.seen] in seen.add($0) }
        manager.interceptors = [observer]
        manager.addMonitor(monitor)
        let task = try way.make(by: manager).resume()
        for request in await observer.seen.wait(for: 2) {
            #expect(request === task)
            #expect(Self.names(of: request) == way.names)
        }
        task.cancel()
    }

    @Test("withAllRequests passes on the tasks, of their classes")
    func allRequests() async throws {
        let tasks = try Way.allCases.map { try $0.make(by: manager) }
        let found = Recorder<Set<Request>>()
        manager.withAllRequests { found.add($0) }
        #expect(await found.wait(for: 1) == [Set(tasks)])
        let kinds = (manager.dataTasks, manager.uploadTasks, manager.streamTasks)
        #expect(kinds.0.count == 2 && kinds.1.count == 2 && kinds.2.count == 1)
        #expect(manager.downloadTasks.count == 2)
    }

    @Test("a task passes through its states in order", arguments: Way.allCases)
    func states(way: Way) async throws {
        let task = try way.make(by: manager)
        #expect(task.state == .initialized && task.isInitialized)
        #expect(task.suspend().state == .suspended)
        #expect(task.resume().state == .running && task.state == .resumed)
        await transport.exchange().replyAtOnce(200, ["Content-Type": "application/json"], "[]")
        if let stream = task as? DataStreamRequest {
            // Until it has received the end, a stream can still be canceled.
            let ended = Recorder<Void>()
            stream.responseStream { if $0.completion != nil { ended.add(()) } }
            await ended.wait(for: 1)
        }
        #expect(await until { task.state == .completed })
        #expect(task.cancel().state == .finished)
    }

    @Test("a canceled task stays canceled", arguments: Way.allCases, [true, false])
    func cancelled(way: Way, isNew: Bool) async throws {
        let task = try way.make(by: manager)
        if !isNew { task.resume() }
        #expect(task.cancel().state == .cancelled && task.state == .canceling)
        #expect(await until { task.delegate.hasEnded })
        #expect(task.state == .cancelled && task.error?.isCancelled == true)
        #expect(task.resume().state == .cancelled)
    }

    @Test("a stream that was read to its end stays completed when it is released")
    func readStream() async throws {
        let request = URLRequest(url: try #require(URL(string: "http://h/a")))
        let manager = manager
        async let made = manager.stream(for: request)
        await transport.exchange().replyAtOnce(200, [:], "b")
        var stream: ResponseStream? = try await made
        let task: DataStreamRequest = try #require(stream?.task)
        if let stream { for try await piece in stream { #expect(piece == Data("b".utf8)) } }
        stream = nil
        #expect(await until { task.state == .completed })
        #expect(task.cancel().state == .completed && task.error == nil)
    }

    @Test("a task has an error while retriers are asked, and when it has failed")
    func errorOfRetriers() async throws {
        let rig = StubRig()
        rig.answer(.init(503), .init(503), .good)
        let codes = Recorder<[Int?]>()
        rig.manager.interceptors = [
            Adapter(async: { request, _ in request }),
            Retrier(async: { request, _, error in
                let asked = error as? BluebonnetError
                codes.add([request.error?.responseCode, asked?.responseCode])
                return .retry
            }),
        ]
        let task = rig.task()
        #expect(task.error == nil)
        task.resume()
        #expect(await rig.response.error == nil)
        #expect(codes.all == [[503, 503], [503, 503]])
        #expect(task.error == nil && task.retryCount == 2)
    }

    @Test("before a running task fails or is retried, it has no error")
    func noErrorYet() async throws {
        manager.interceptors = [Retrier(async: { _, _, _ in .doNotRetry })]
        let task = try Way.data.make(by: manager).resume()
        let transfer = await transport.exchange()
        transfer.respond(503, [:], ["b"])
        #expect(await until { task.head != nil })
        #expect(task.error == nil && task.data != nil)
        transfer.end()
        #expect(await until { task.state == .completed })
        #expect(task.error?.responseCode == 503)
    }

    @Test("the hooks for head and data are called for streams", arguments: [true, false])
    func hooksOfStreams(isChain: Bool) async throws {
        let log = Recorder<String>()
        manager.dataTaskDidReceiveResponse = { task, head in
            log.add("\(type(of: task)) \(head.statusCode)")
            return .becomeDownload
        }
        manager.dataTaskDidReceiveData = { log.add("\(type(of: $0)) \($1.count)") }
        manager.dataTaskDidBecomeDownloadTask = { _, _ in log.add("download") }
        let (manager, ended) = (manager, Recorder<Bool>())
        if isChain {
            manager.streamRequest("http://h/a").responseStream {
                if $0.completion != nil { ended.add(true) }
            }
        } else {
            Task {
                var count = 0
                let request = URLRequest(url: try #require(URL(string: "http://h/a")))
                for try await piece in try await manager.stream(for: request) {
                    count += piece.count
                }
                ended.add(count == 3)
            }
        }
        await transport.exchange().replyAtOnce(200, [:], "abc")
        #expect(await ended.wait(for: 1) == [true])
        #expect(log.all == ["StreamTask 200", "StreamTask 3"])
    }

    @Test("the hooks for head and data are not called for downloads")
    func hooksOfDownloads() async throws {
        let log = Recorder<String>()
        manager.dataTaskDidReceiveResponse = { _, _ in
            log.add("head")
            return .cancel
        }
        manager.dataTaskDidReceiveData = { _, _ in log.add("data") }
        let task = try Way.download.make(by: manager).resume()
        await transport.exchange().replyAtOnce(200, [:], "abc")
        #expect(await until { task.state == .completed })
        #expect(log.count == 0 && task.error == nil)
    }

    private final class Witness: Sendable {
        let onDeinit: @Sendable () -> Void
        init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
        deinit { onDeinit() }
    }

    private enum WitnessKey: TaskAttributeKey { static var defaultValue: Witness? { nil } }

    @Test("an attribute can look at its task when it is released")
    func releasedAttribute() throws {
        let task = try Way.data.make(by: manager)
        let seen = Recorder<SessionTask.State?>()
        task.attributes[WitnessKey.self] = Witness { [weak task] in seen.add(task?.state) }
        task.attributes[WitnessKey.self] = nil
        #expect(seen.all == [.initialized])
    }

    @Test("objects of one task are equal")
    func equality() throws {
        let (task, other) = (try Way.data.make(by: manager), try Way.data.make(by: manager))
        let same = task.delegate.makeTask()
        #expect(task == same && task !== same && task.id == same.id)
        #expect(task != other && Set([task, same, other]).count == 2)
    }

    @Test("the first handler starts requests of chains, however it is added")
    func firstHandler() async throws {
        let (started, waiting) = (manager.request("http://h/a"), try Way.data.make(by: manager))
        #expect(started.isInitialized)
        started.addResponseHandler(serializer: .http) { _ in }
        waiting.addResponseHandler(serializer: .http) { _ in }
        #expect(started.state == .running && waiting.state == .initialized)
        started.cancel()
    }
}
