import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Canceling downloads", .timeLimit(.minutes(5)))
struct DownloadCancelTests {
    enum Point: CaseIterable, Sendable {
        case beforeStart, beforeHead, inDestination, opening, written, ended, whileMoving, completed
    }

    static let body = sampleBytes(4000)

    let rig: DownloadRig

    init() throws {
        rig = try DownloadRig()
    }

    /// Runs a download up to a point and cancels it there.
    func play(
        _ point: Point, _ fields: [String: String] = DownloadRig.tagged,
        cancel: @escaping @Sendable (DownloadTask) -> Void
    ) async throws -> DownloadTask {
        let box = Locked<DownloadTask?>(nil)
        let place = rig.directory.file("result")
        let task = rig.manager.downloadTask(
            with: try rig.request(),
            destination: { _ in
                if point == .inDestination { box.withLock { $0 }.map(cancel) }
                return place
            },
            completionHandler: rig.handler
        )
        box.withLock { $0 = task }
        if point == .whileMoving {
            rig.manager.downloadTaskDidFinishDownloading = { task, _ in
                cancel(task)
                return nil
            }
        }
        if point == .beforeStart { cancel(task) }
        task.resume()
        guard point != .beforeStart else { return task }
        let exchange = await rig.stub.exchange()
        if point == .beforeHead { cancel(task) }
        exchange.respond(200, fields.merging(["Content-Length": "4000"]) { $1 })
        exchange.send(Array(Self.body.prefix(1000)))
        if point == .opening { cancel(task) }
        if point == .written {
            #expect(await until { task.progress.completedUnitCount == 1000 })
            cancel(task)
        }
        exchange.send(Array(Self.body.dropFirst(1000)))
        exchange.end()
        if point == .ended { cancel(task) }
        if point == .completed {
            _ = await rig.response
            cancel(task)
        }
        return task
    }

    @Test(
        "cancel() completes once at any point, and leaves the whole file or none",
        arguments: Point.allCases)
    func cancel(point: Point) async throws {
        let task = try await play(point) { $0.cancel() }
        let response = await rig.response
        await rig.settle()
        #expect(rig.responses.count == 1)
        #expect(task.state == (response.error == nil ? .completed : .cancelled))
        if point == .completed || (point == .ended && response.error == nil) {
            #expect(try rig.directory.file("result").bytes == Self.body)
        } else {
            #expect(response.error?.isCancelled == true && response.error?.resumeData == nil)
            #expect(await rig.leaves([]))
        }
        #expect(rig.manager.tasks.isEmpty)
        #expect(await until { rig.notified.all.count { $0.hasPrefix("complete") } == 1 })
    }

    @Test(
        "keepsPartialFile keeps the bytes, however the download is canceled",
        arguments: ["cancel", "Swift task", "shutdown"])
    func kept(way: String) async throws {
        let request = try rig.request()
        let place = rig.directory.file("result")
        let received = Recorder<Int64>()
        let download = Task { [manager = rig.manager] in
            await manager.download(
                for: request, destination: { _ in place }, options: .keepsPartialFile,
                progress: { received.add($0.completedUnitCount) })
        }
        let exchange = await rig.stub.exchange()
        exchange.respond(200, DownloadRig.tagged.merging(["Content-Length": "4000"]) { $1 })
        exchange.send(Array(Self.body.prefix(1000)))
        #expect(await until { received.all.last == 1000 })
        switch way {
        case "cancel": rig.manager.downloadTasks.first?.cancel()
        case "Swift task": download.cancel()
        default: await rig.manager.shutdown(cancelingAfter: .zero)
        }
        let error = try #require(await download.value.error)
        #expect(error.isCancelled)
        let record = try ResumeRecord(data: try #require(error.resumeData))
        #expect(record.offset == 1000)
        try DownloadTask.discard(resumeData: try #require(error.resumeData))
        #expect(try rig.directory.names == [])
    }

    @Test("keepsPartialFile keeps nothing that cannot be resumed")
    func keptInVain() async throws {
        let task = try rig.task(
            on: .linux, destination: rig.destination, options: .keepsPartialFile)
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Length": "4000"])
        exchange.send(Array(Self.body.prefix(1000)))
        #expect(await until { task.progress.completedUnitCount == 1000 })
        task.cancel()
        let error = try #require(await rig.response.error)
        #expect(error.isCancelled && error.resumeData == nil)
        #expect(try rig.directory.names == [])
    }

    @Test("a canceled download completes after its partial file is removed")
    func removal() async throws {
        let (gate, steps) = (DispatchSemaphore(value: 0), Recorder<String>())
        let disk = FileSystem.linux.removing(after: gate, steps)
        let task = try rig.task(on: disk)
        task.addResponseHandler(serializer: .http) { _ in steps.add("completed") }
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Length": "4000"])
        exchange.send(Array(Self.body.prefix(1000)))
        #expect(await until { task.progress.completedUnitCount == 1000 })
        task.cancel()
        #expect(await steps.wait(for: 1) == ["removing"])
        await rig.settle()
        #expect(steps.all == ["removing"])
        gate.signal()
        #expect(await steps.wait(for: 3) == ["removing", "removed", "completed"])
    }

    @Test(
        "cancel(byProducingResumeData:) calls each handler once, at any point",
        arguments: Point.allCases)
    func produce(point: Point) async throws {
        let produced = Recorder<Data?>()
        _ = try await play(point) { task in
            task.cancel(byProducingResumeData: { produced.add($0) })
            task.cancel(byProducingResumeData: { produced.add($0) })
        }
        let all = await produced.wait(for: 2)
        let response = await rig.response
        await rig.settle()
        #expect(produced.count == 2 && rig.responses.count == 1)
        // The second call can come after the end of the task.
        #expect(all[0] == all[1] || all[1] == nil)
        #expect(all[0] == response.error?.resumeData)
        guard let data = all[0] else {
            #expect(await rig.leaves(response.error == nil ? ["result"] : []))
            #expect([.written, .whileMoving].contains(point) == false)
            return
        }
        let record = try ResumeRecord(data: data)
        #expect(
            record.offset
                == (point == .whileMoving ? 4000 : point == .written ? 1000 : record.offset))
        #expect(try rig.directory.names == [String(record.partial.path.name)])
    }

    @Test("several threads that cancel for resume data get it once each")
    func threads() async throws {
        let produced = Recorder<Data?>()
        _ = try await play(.written) { task in
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                task.cancel(byProducingResumeData: { produced.add($0) })
            }
        }
        let all = await produced.wait(for: 8)
        _ = await rig.response
        await rig.settle()
        #expect(produced.count == 8)
        #expect(Set(all).contains { $0 != nil })
    }

    @Test(
        "without a strong validator, or with a coding or without ranges, there is no resume data",
        arguments: [
            [:], ["ETag": #"W/"v1""#], ["ETag": #""v1""#, "Content-Encoding": "gzip"],
            ["ETag": #""v1""#, "Accept-Ranges": "none"],
            ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
        ] as [[String: String]])
    func none(fields: [String: String]) async throws {
        let produced = Recorder<Data?>()
        _ = try await play(.written, fields) { task in
            task.cancel(byProducingResumeData: { produced.add($0) })
        }
        #expect(await produced.wait(for: 1) == [nil])
        #expect(await rig.response.error?.resumeData == nil)
        #expect(await rig.leaves([]))
    }

    @Test("a cancel that comes too late is not announced")
    func committed() async throws {
        let cancelled = Recorder<Void>()
        let queue = rig.manager.notifications
        let observer = NotificationCenter.default.addObserver(
            forName: SessionTask.didCancelNotification, object: nil, queue: nil
        ) { notification in
            let task = notification.object as? SessionTask
            if task?.delegate.session.audience.notifications === queue { cancelled.add(()) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let box = Locked<DownloadTask?>(nil)
        var fileSystem = FileSystem.linux
        fileSystem.renameExclusively = { (from, to) throws(SystemError) in
            box.withLock { $0 }?.cancel()
            try FileSystem.linux.renameExclusively(from, to)
        }
        let task = try rig.task(on: fileSystem)
        box.withLock { $0 = task }
        task.resume()
        await rig.stub.exchange().reply()
        #expect(await rig.response.value == rig.directory.file("result"))
        task.cancel()
        await rig.settle()
        #expect(cancelled.count == 0)
    }

    @Test("a failure that is being settled stays the error, even if the exchange ends")
    func cancelWhileSettling() async throws {
        // The cancel arrives while the file of a broken download is being kept.
        let task = try rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, DownloadRig.tagged)
        exchange.send(Self.body)
        #expect(await until { task.progress.completedUnitCount == 4000 })
        task.delegate.session.send(
            .answer { [stub = rig.stub] delegate in
                delegate.take(.failed(.transport(.lost, .init())))
                delegate.take(.failed(.transport(.cancelled, .init())))
                task.cancel()
                stub.exchanges[0].fail(.lost)
            }, to: task.taskIdentifier)
        let response = await rig.response
        #expect(response.error?.isCancelled == true && response.error?.resumeData == nil)
        await rig.settle()
        #expect(rig.responses.count == 1)
        #expect(await rig.leaves([]))
    }

    @Test("a head that fails the task before its transfer is known cancels the transfer")
    func beforeTransfer() async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write([1], to: "result")
        let responses = Recorder<Response<URL>>()
        let box = Locked<SessionManager?>(nil)
        let stub = ManualTransport { transfer in
            transfer.respond()
            // The head is handled, and the task ends, before `start` returns.
            while responses.count == 0 { sched_yield() }
        }
        let manager = SessionManager(transport: stub)
        box.withLock { $0 = manager }
        let task = manager.downloadTask(
            with: try rig.request(), destination: { _ in directory.file("result") },
            completionHandler: { responses.add($0) })
        await onOwnThread { task.resume() }
        #expect(await stub.exchange().calls.wait(for: 1) == [.cancel])
    }
}
