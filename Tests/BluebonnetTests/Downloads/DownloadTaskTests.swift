import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Download tasks", .timeLimit(.minutes(5)))
struct DownloadTaskTests {
    static let body = sampleBytes(5000)

    let clock = ManualClock()
    let rig: StubDownloadRig

    init() throws {
        rig = try StubDownloadRig(clock: clock)
    }

    /// Serves the body in three pieces.
    func serveBody() { rig.stub.on("/file", StubResponse.file(Self.body).inPieces(of: 2000)) }

    @Test("the body is at the destination, which was requested once, and no other file is left")
    func success() async throws {
        rig.stub.on(
            "/file",
            StubResponse.file(Self.body).after(.seconds(1)).inPieces(of: 2500, every: .seconds(1)))
        let task = try rig.task()
        task.resume()
        await clock.idle()
        #expect(rig.asked.count == 0)
        #expect(try rig.directory.names.isEmpty)
        await clock.advance(by: .seconds(2))
        #expect(task.progress.completedUnitCount == 2500)
        let running = try rig.directory.names
        #expect(running.count == 1 && running[0].hasPrefix(".bluebonnet-"))
        await clock.advance(by: .seconds(1))
        let response = await rig.response
        #expect(response.value == rig.directory.file("result"))
        #expect(response.fileURL == rig.directory.file("result"))
        #expect(response.data == nil)
        #expect(try rig.directory.file("result").bytes == Self.body)
        #expect(try rig.directory.names == ["result"])
        #expect(rig.asked.all == [200])
        #expect(task.progress.fractionCompleted == 1)
        #expect(task.delegate.data.isEmpty)
    }

    @Test("observers get the move and then the completion, with the path and without data")
    func notifications() async throws {
        serveBody()
        try rig.task().resume()
        let complete = "complete assetPath metrics responseSerializer serializedResponse"
        #expect(await rig.notified.wait(for: 2) == ["moved", complete])
    }

    @Test("the progress closure and the hook get all progress up to the end")
    func progress() async throws {
        let (calls, heard) = (Recorder<Int64>(), Recorder<[Int64]>())
        rig.manager.downloadTaskDidWriteData = { _, bytes, total, expected in
            heard.add([bytes, total, expected])
        }
        rig.stub.on(
            "/file", StubResponse.file(Array(repeating: 7, count: 20_000)).inPieces(of: 10))
        try rig.task { calls.add($0.completedUnitCount) }.resume()
        _ = await rig.response
        #expect(calls.all.last == 20000)
        #expect(calls.all == Set(calls.all).sorted())
        #expect(heard.all.reduce(0) { $0 + $1[0] } == 20000)
        #expect(heard.all.last.map { [$0[1], $0[2]] } == [20000, 20000])
    }

    @Test("all written bytes are reported to the transport")
    func consumed() async throws {
        let rig = try DownloadRig()
        try rig.task().resume()
        let exchange = await rig.stub.exchange()
        #expect(exchange.exchange.receiveWindow == 1024 * 1024)
        #expect(!exchange.exchange.keepsBody)
        exchange.respond()
        exchange.send(Self.body)
        #expect(await until { exchange.calls.all.reduce(0) { $1.count + $0 } == 5000 })
        exchange.end()
        #expect(await rig.response.error == nil)
    }

    // MARK: Destinations

    @Test("the hook's destination has priority, and the body is complete when it is called")
    func hook() async throws {
        let other = rig.directory.file("other")
        rig.manager.downloadTaskDidFinishDownloading = { _, location in
            #expect((try? location.bytes) == Self.body)
            return other
        }
        serveBody()
        try rig.task().resume()
        #expect(await rig.response.value == other)
        #expect(try rig.directory.names == ["other"])
    }

    @Test("a hook that returns nil keeps the task's destination")
    func hookWithoutAnswer() async throws {
        rig.manager.downloadTaskDidFinishDownloading = { _, _ in nil }
        serveBody()
        try rig.task().resume()
        #expect(await rig.response.value == rig.directory.file("result"))
    }

    @Test(
        "without a destination the file exists in the handler and is removed after it",
        arguments: [true, false])
    func noDestination(hasClosure: Bool) async throws {
        let seen = Recorder<[UInt8]?>()
        let nowhere: @Sendable (ResponseHead) -> URL? = { _ in nil }
        let task = rig.manager.downloadTask(
            with: try rig.request(), destination: hasClosure ? nowhere : nil
        ) { [responses = rig.responses] response in
            seen.add(try? response.fileURL?.bytes)
            responses.add(response)
        }
        serveBody()
        task.resume()
        let path = try #require(await rig.response.value).path
        #expect(seen.all == [Self.body])
        #expect(await until { !FileManager.default.fileExists(atPath: path) })
    }

    @Test("an existing file at the destination fails the task early and is unchanged")
    func exists() async throws {
        let rig = try DownloadRig()
        _ = try rig.directory.write([1], to: "result")
        try rig.task().resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Length": "5000"])
        let error = try #require(await rig.response.error)
        guard case .file(let failure, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.systemErrorNumber == EEXIST)
        #expect(failure.path == rig.directory.file("result").path)
        #expect(await rig.notified.wait(for: 2).first == "not moved error")
        #expect(exchange.controls == [.cancel])
        #expect(try rig.directory.names == ["result"])
        #expect(try rig.directory.file("result").bytes == [1])
    }

    @Test("removePreviousFile replaces an existing file")
    func replaced() async throws {
        _ = try rig.directory.write([1], to: "result")
        serveBody()
        try rig.task(options: .removePreviousFile).resume()
        #expect(await rig.response.error == nil)
        #expect(try rig.directory.file("result").bytes == Self.body)
        #expect(try rig.directory.names == ["result"])
    }

    @Test("a destination that cannot be replaced fails the task early", arguments: Special.allCases)
    func special(special: Special) async throws {
        let rig = try DownloadRig()
        try special.make(at: rig.directory.file("result").path)
        try rig.task(options: .removePreviousFile).resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Length": "5000"])
        let error = try #require(await rig.response.error)
        guard case .file(let failure, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.systemErrorNumber == special.errorNumber, "\(error)")
        #expect(exchange.controls == [.cancel])
        #expect(try rig.directory.names == ["result"])
    }

    @Test(
        "a missing directory fails the task unless the option creates it",
        arguments: [true, false])
    func missingDirectory(isMade: Bool) async throws {
        let place = rig.directory.url.appendingPathComponent("a/b/result")
        let task = rig.manager.downloadTask(
            with: try rig.request(), destination: { _ in place },
            options: isMade ? .createIntermediateDirectories : [], completionHandler: rig.handler
        )
        serveBody()
        task.resume()
        guard isMade else {
            guard case .file(let failure, _)? = await rig.response.error else {
                Issue.record("no failure of a file")
                return
            }
            #expect(failure.operation == .create && failure.systemErrorNumber == ENOENT)
            #expect(failure.path == place.path, "\(failure)")
            let parent = place.deletingLastPathComponent().path
            #expect(failure.message.contains("its directory \"\(parent)\""), "\(failure)")
            #expect(await rig.notified.wait(for: 2).first == "not moved error")
            #expect(try rig.directory.names.isEmpty)
            return
        }
        #expect(await rig.response.value == place)
        #expect(try place.bytes == Self.body)
    }

    @Test("a failed move is the task's error and posts a notification")
    func moveFails() async throws {
        // The last byte arrives one second after the others were written.
        rig.stub.on(
            "/file", StubResponse.file(Self.body).inPieces(of: 4999, every: .seconds(1)))
        let task = try rig.task()
        task.resume()
        await clock.advance(by: .seconds(1))
        #expect(task.progress.completedUnitCount == 4999)
        _ = try rig.directory.write([1], to: "result")
        await clock.advance(by: .seconds(1))
        let response = await rig.response
        guard case .file(let failure, _)? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(failure.operation == .move && response.fileURL == nil)
        #expect(
            await rig.notified.wait(for: 2) == [
                "not moved error", "complete error metrics responseData responseSerializer",
            ])
        #expect(await rig.leaves(["result"]))
        #expect(try rig.directory.file("result").bytes == [1])
    }

    // MARK: Bodies

    @Test(
        "an error status leaves no file, asks for no destination and keeps its body")
    func errorStatus() async throws {
        rig.stub.on("/file", .text("not here", type: "text/plain", status: 404))
        try rig.task().resume()
        let response = await rig.response
        guard case .unacceptableStatus(404, let context)? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(response.data == Data("not here".utf8) && context.data == response.data)
        #expect(response.fileURL == nil && context.resumeData == nil)
        #expect(rig.asked.count == 0)
        #expect(try rig.directory.names.isEmpty)
    }

    @Test("an error body over the limit for memory is cut, and its exchange canceled")
    func hugeErrorBody() async throws {
        var configuration = SessionConfiguration()
        configuration.maximumResponseBodySize = 1000
        let rig = try DownloadRig()
        let manager = SessionManager(configuration: configuration, transport: rig.stub)
        let task = manager.downloadTask(
            with: try rig.request(), destination: rig.destination, completionHandler: rig.handler)
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(500)
        exchange.send(Array(repeating: 1, count: 900))
        exchange.send(Array(repeating: 1, count: 900))
        let context = try #require(await rig.response.error?.context)
        #expect(context.head?.statusCode == 500 && context.isDataCut)
        #expect(context.data == Data(repeating: 1, count: 1000))
        #expect(exchange.calls.all.contains(.cancel))
        #expect(rig.asked.count == 0)
    }

    @Test("an empty body, and the response to HEAD, is an empty file", arguments: ["GET", "HEAD"])
    func empty(method: String) async throws {
        let length = method == "HEAD" ? "5000" : "0"
        rig.stub.on("/file", .file([], ["Content-Length": length]))
        try rig.task(method: method).resume()
        #expect(await rig.response.value == rig.directory.file("result"))
        #expect(try rig.directory.file("result").bytes == [])
    }

    @Test("bodies of redirects are not part of the file")
    func redirected() async throws {
        rig.stub.on("/file", .moved(to: "/b"))
        rig.stub.on("/b", .file(Self.body))
        try rig.task().resume()
        #expect(await rig.response.error == nil)
        #expect(try rig.directory.file("result").bytes == Self.body)
    }
}

extension ManualTransfer.Call {
    /// The byte count of a `didConsume` call.
    var count: Int { if case .didConsume(let count) = self { count } else { 0 } }
}
