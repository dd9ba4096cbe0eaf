import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Dispositions of a response", .timeLimit(.minutes(5)))
struct ResponseDispositionTests {
    let rig = SessionRig()
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    func request() throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "http://stub.test/a")))
    }

    @Test("the hook is called once with the head, before any of the body")
    func asked() async throws {
        let heard = Recorder<String>()
        rig.manager.dataTaskDidReceiveResponse = { task, head in
            heard.add("\(head.statusCode) \(task.delegate.data.count)")
            return .allow
        }
        rig.manager.dataTaskDidReceiveData = { heard.add("\($1.count)") }
        rig.task().resume()
        await rig.stub.exchange().redirect(to: "/b")
        await rig.stub.exchange(1).reply()
        await rig.expectOneCompletion()
        #expect(heard.all == ["200 0", "7"])
    }

    @Test(
        "cancel ends the task as canceled, and none of the body is delivered",
        arguments: [true, false])
    func cancel(isUpload: Bool) async throws {
        let data = Recorder<Data>()
        rig.manager.dataTaskDidReceiveResponse = { _, _ in .cancel }
        rig.manager.dataTaskDidReceiveData = { data.add($1) }
        let handler: @Sendable (Response<any Sendable>) -> Void = {
            [log = rig.log, responses = rig.responses] in
            log.add("handler")
            responses.add($0)
        }
        let task: DataTask =
            isUpload
            ? rig.manager.uploadTask(
                with: try request(), from: Data([1]), completionHandler: handler)
            : rig.manager.dataTask(with: try request(), completionHandler: handler)
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Type": "application/json"], ["[1"])
        await rig.expectOneCompletion()
        let response = await rig.response
        #expect(response.error?.isCancelled == true && response.head?.statusCode == 200)
        #expect(response.data?.isEmpty != false && data.count == 0)
        #expect(exchange.calls.all.contains(.cancel))
    }

    @Test("the progress object of a released data task controls the download")
    func controlledByProgress() async throws {
        rig.manager.dataTaskDidReceiveResponse = { _, _ in .becomeDownload }
        let became = Recorder<Void>()
        rig.manager.dataTaskDidBecomeDownloadTask = { _, _ in became.add(()) }
        let (progress, former) = {
            let task = rig.task()
            task.resume()
            return (task.progress, Weak(task))
        }()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Type": "application/json"], ["[1"])
        _ = await became.wait(for: 1)
        #expect(await until { former.value == nil })
        progress.cancel()
        await rig.expectOneCompletion()
        #expect(await rig.response.error?.isCancelled == true)
    }

    @Test(
        "a data task becomes a download with a new identifier, and its handler gets the file",
        arguments: [true, false])
    func becomesDownload(isUpload: Bool) async throws {
        let place = directory.file("result")
        let became = Recorder<[Int]>()
        let seen = Recorder<[Int]>()
        rig.manager.dataTaskDidReceiveResponse = { _, _ in .becomeDownload }
        rig.manager.dataTaskDidBecomeDownloadTask = { [manager = Weak(rig.manager)] former, task in
            became.add([former.taskIdentifier, task.taskIdentifier])
            seen.add(manager.value?.downloadTasks.map(\.taskIdentifier) ?? [])
            seen.add(manager.value?.tasks.map(\.taskIdentifier) ?? [])
        }
        rig.manager.downloadTaskDidFinishDownloading = { _, _ in place }
        let handler: @Sendable (Response<any Sendable>) -> Void = {
            [log = rig.log, responses = rig.responses] in
            log.add("handler")
            responses.add($0)
        }
        let task: DataTask =
            isUpload
            ? rig.manager.uploadTask(
                with: try request(), from: Data([1]), completionHandler: handler)
            : rig.manager.dataTask(with: try request(), completionHandler: handler)
        let identifier = task.taskIdentifier
        task.resume()
        await rig.stub.exchange().reply(200, ["Content-Type": "application/json"], "[1,2]")
        await rig.expectOneCompletion()
        let response = await rig.response
        #expect(response.fileURL == place && response.object as? URL == place)
        #expect(try place.bytes == Array("[1,2]".utf8))
        #expect(try directory.names == ["result"])
        let new = became.all[0][1]
        #expect(new != identifier && became.count == 1)
        #expect(became.all[0][0] == identifier && task.taskIdentifier == identifier)
        #expect(seen.all == [[new], [new]])
        #expect(rig.completed.all[0].keys.contains(SessionTask.NotificationKey.assetPath))
    }

    @Test(
        "a download that a data task became can be canceled through either, once",
        arguments: [true, false])
    func cancelAfter(isFormer: Bool) async throws {
        rig.manager.dataTaskDidReceiveResponse = { _, _ in .becomeDownload }
        let downloads = Recorder<DownloadTask>()
        rig.manager.dataTaskDidBecomeDownloadTask = { downloads.add($1) }
        let task = rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Type": "application/json"], ["[1"])
        let download = await downloads.wait(for: 1)[0]
        if isFormer { task.cancel() } else { download.cancel() }
        await rig.expectOneCompletion()
        #expect(await rig.response.error?.isCancelled == true)
        #expect(task.state == .cancelled && download.state == .cancelled)
    }

    @Test("a body of any content type can become a file, and the handler can read its data")
    func anyType() async throws {
        rig.manager.dataTaskDidReceiveResponse = { _, _ in .becomeDownload }
        let place = directory.file("result")
        rig.manager.downloadTaskDidFinishDownloading = { _, _ in place }
        let binary = ["Content-Type": "application/octet-stream"]
        rig.task().resume()
        await rig.stub.exchange(0).reply(200, binary, "bytes")
        #expect(await rig.response.object as? URL == place)
        rig.manager.downloadTaskDidFinishDownloading = nil
        let response = Task { [manager = rig.manager, request = try request()] in
            await manager.response(for: request, serializer: HTTPResponseSerializer())
        }
        await rig.stub.exchange(1).reply(200, binary, "bytes")
        #expect(await response.value.value == Data("bytes".utf8))
    }

    @Test("the body of a refused response stays in memory")
    func unacceptable() async throws {
        rig.manager.dataTaskDidReceiveResponse = { _, _ in .becomeDownload }
        rig.task().resume()
        await rig.stub.exchange().reply(404, ["Content-Type": "application/json"], #"{"e":1}"#)
        await rig.expectOneCompletion()
        let response = await rig.response
        #expect(response.fileURL == nil && response.data == Data(#"{"e":1}"#.utf8))
    }

    @Test("the limit for bodies in memory does not apply to a file")
    func limits() async throws {
        var configuration = SessionConfiguration()
        configuration.maximumResponseBodySize = 1000
        let stub = ManualTransport()
        let manager = SessionManager(configuration: configuration, transport: stub)
        let responses = Recorder<Response<Data>>()
        let place = directory.file("result")
        manager.downloadTaskDidFinishDownloading = { _, _ in place }
        for (number, disposition) in [ResponseDisposition.becomeDownload, .allow].enumerated() {
            manager.dataTaskDidReceiveResponse = { _, _ in disposition }
            manager.dataTask(with: try request(), serializer: HTTPResponseSerializer()) {
                responses.add($0)
            }.resume()
            let exchange = await stub.exchange(number)
            #expect(exchange.exchange.limits.bodySize == .max)
            exchange.respond(200, ["Content-Length": "2000"])
            if disposition == .becomeDownload {
                exchange.send(Array(repeating: 1, count: 2000))
                exchange.end()
            }
            _ = await responses.wait(for: number + 1)
        }
        #expect(responses.all[0].fileURL == place)
        #expect(try place.bytes.count == 2000)
        #expect(responses.all[1].error?.urlError.code == .dataLengthExceedsMaximum)
    }

    @Test("a task that became a download leaves nothing behind", arguments: [true, false])
    func lifetime(isReleased: Bool) async throws {
        weak var manager: SessionManager?
        weak var delegate: TaskDelegate?
        weak var former: DataTask?
        weak var download: DownloadTask?
        let (stub, responses) = (ManualTransport(), Recorder<Response<Data>>())
        let downloads = Recorder<Int>()
        let place = directory.file("result")
        do {
            let made = SessionManager(transport: stub)
            made.dataTaskDidReceiveResponse = { _, _ in .becomeDownload }
            made.dataTaskDidBecomeDownloadTask = { _, task in downloads.add(task.taskIdentifier) }
            made.downloadTaskDidFinishDownloading = { _, _ in place }
            let task = made.dataTask(with: try request(), serializer: HTTPResponseSerializer()) {
                responses.add($0)
            }
            (manager, delegate, former) = (made, task.delegate, task)
            task.resume()
        }
        let exchange = await stub.exchange()
        exchange.respond()
        await downloads.wait(for: 1)
        download = delegate?.task as? DownloadTask
        #expect(download != nil)
        #expect(await until { former == nil })
        if isReleased { exchange.end() } else { exchange.fail(.lost) }
        await responses.wait(for: 1)
        #expect(await until { manager == nil && delegate == nil && download == nil })
    }
}

/// A weak reference, for closures that a manager holds.
// @unchecked: it is only read after its creation.
final class Weak<Value: AnyObject & Sendable>: @unchecked Sendable {
    private(set) weak var value: Value?
    init(_ value: Value) { self.value = value }
}
