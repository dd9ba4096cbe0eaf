import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

/// A manager on a stub, with a download directory and recorders for its tasks.
final class Downloads<Wire: Transport>: Sendable {
    let stub: Wire
    let manager: HTTPSessionManager
    let directory: TemporaryDirectory
    let responses = Recorder<Response<URL>>()
    /// The names of move notifications, and the complete notification with its keys.
    let notified = Recorder<String>()
    /// The calls of the destination closure.
    let asked = Recorder<Int>()
    nonisolated(unsafe) private var observers: [any NSObjectProtocol] = []

    init(on transport: Wire, _ configuration: SessionConfiguration = .init()) throws {
        stub = transport
        manager = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), configuration: configuration,
            transport: transport)
        directory = try TemporaryDirectory()
        let names = [
            DownloadTask.didMoveFileNotification: "moved",
            DownloadTask.didFailToMoveFileNotification: "not moved",
            SessionTask.didCompleteNotification: "complete",
        ]
        observers = names.map { name, text in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                [notified, queue = manager.notifications] notification in
                let task = notification.object as? SessionTask
                guard task?.delegate.session.audience.notifications === queue else { return }
                let keys = (notification.userInfo ?? [:]).keys.compactMap { $0 as? String }
                let ends = keys.compactMap { $0.split(separator: ".").last.map(String.init) }
                    .sorted()
                notified.add(([text] + ends).joined(separator: " "))
            }
        }
    }

    deinit {
        observers.forEach(NotificationCenter.default.removeObserver)
    }

    static var tagged: [String: String] { ["ETag": #""v1""#] }

    func request(_ method: String = "GET") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/file")))
        request.httpMethod = method
        return request
    }

    var destination: @Sendable (ResponseHead) -> URL? {
        { [asked, directory] head in
            asked.add(head.statusCode)
            return directory.file("result")
        }
    }

    var handler: @Sendable (Response<URL>) -> Void {
        { [responses] in responses.add($0) }
    }

    func task(
        method: String = "GET", options: DownloadOptions = [], progress: ProgressHandler? = nil
    ) throws -> DownloadTask {
        manager.downloadTask(
            with: try request(method), destination: destination, options: options,
            progress: progress, completionHandler: handler
        )
    }

    /// Returns a task on a file system that can fail.
    func task(on fileSystem: FileSystem) throws -> DownloadTask {
        try task(on: fileSystem, destination: destination)
    }

    /// Returns a task on a file system that can fail, with or without a destination.
    func task(
        on fileSystem: FileSystem, destination: (@Sendable (ResponseHead) -> URL?)?,
        options: DownloadOptions = []
    ) throws -> DownloadTask {
        manager.makeTask(
            .made(.success(try request())),
            Responder(
                serializer: DownloadSerializer(judge: HeadJudge(serializer: .json)),
                receiver: .handler(handler, on: nil)
            ),
            flow: .file(
                Download(
                    destination: destination, options: options, isKeptAfterFailure: true,
                    fileSystem: fileSystem)
            )
        )
    }

    func task(
        resuming data: Data, request: URLRequest? = nil, progress: ProgressHandler? = nil
    ) -> DownloadTask {
        manager.downloadTask(
            withResumeData: data, request: request, destination: destination,
            progress: progress, completionHandler: handler
        )
    }

    var response: Response<URL> {
        get async { await responses.wait(for: 1)[0] }
    }

    /// Waits until the directory contains exactly these names.
    func leaves(_ names: [String]) async -> Bool {
        await until { (try? directory.names) == names }
    }

    /// Waits until the callback queue and the notifications are idle.
    func settle() async {
        await manager.callbacks.flush()
        await manager.notifications.flush()
    }
}

/// On a transport that the test controls.
typealias DownloadRig = Downloads<ManualTransport>

extension Downloads where Wire == ManualTransport {
    convenience init(answer: ManualTransport.Answer? = nil) throws {
        try self.init(on: ManualTransport(answer: answer))
    }

    /// Downloads the start of a file, breaks off, and returns the resume data.
    func resumeData(
        after bytes: [UInt8], of total: Int, fields: [String: String] = tagged
    ) async throws -> Data {
        let (count, responded) = (stub.exchanges.count, responses.count)
        let task = try task()
        task.resume()
        let exchange = await stub.exchange(count)
        exchange.respond(200, fields.merging(["Content-Length": "\(total)"]) { own, _ in own })
        exchange.send(bytes)
        exchange.fail(.lost)
        return try #require(await responses.wait(for: responded + 1).last?.error?.resumeData)
    }
}

extension String {
    /// Returns a `Content-Range` value from an offset to the end.
    static func range(_ offset: Int, of total: Int) -> String {
        "bytes \(offset)-\(total - 1)/\(total)"
    }
}
