import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Disks and lifetimes of downloads", .timeLimit(.minutes(5)))
struct DownloadDiskTests {
    static let body = sampleBytes(5000)

    let rig: DownloadRig

    init() throws {
        rig = try DownloadRig()
    }

    func reply(_ exchange: ManualTransfer) {
        exchange.respond()
        exchange.send(Self.body)
        exchange.end()
    }

    @Test(
        "a full disk is the error, however the exchange ends, and has resume data (fault 81)"
    )
    func fullDisk() async throws {
        for _ in 0..<20 {
            let rig = try DownloadRig()
            let fault = FileFault(ENOSPC, at: 2...Int.max)
            try rig.task(on: .linux.failing(.write, fault)).resume()
            let exchange = await rig.stub.exchange()
            exchange.respond(200, DownloadRig.tagged.merging(["Content-Length": "5000"]) { $1 })
            exchange.send(Array(Self.body.prefix(2000)))
            #expect(await until { fault.calls == 1 })
            exchange.send(Array(Self.body.dropFirst(2000)))
            let error = try #require(await rig.response.error)
            guard case .file(let failure, let context) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(failure.systemErrorNumber == ENOSPC && failure.operation == .write)
            #expect(failure.path == rig.directory.file("result").path, "\(failure)")
            let notified = await rig.notified.wait(for: 2).map { $0.prefix(9) }
            #expect(notified == ["not moved", "complete "])
            let record = try ResumeRecord(data: try #require(context.resumeData))
            #expect(record.offset == 2000)
            #expect(exchange.calls.all.contains(.cancel))
        }
    }

    @Test("a full disk leaves no file if the download cannot be resumed")
    func fullDiskWithoutValidator() async throws {
        try rig.task(on: .failing(.write, ENOSPC)).resume()
        reply(await rig.stub.exchange())
        let error = try #require(await rig.response.error)
        #expect(error.urlError.code == .cannotWriteToFile && error.resumeData == nil)
        #expect(
            error.description.contains("could not write \"\(rig.directory.file("result").path)"))
        #expect(await rig.leaves([]))
    }

    @Test("a download that fails without resume data completes after its partial file is removed")
    func removal() async throws {
        let (gate, steps) = (DispatchSemaphore(value: 0), Recorder<String>())
        let disk = FileSystem.failing(.write, ENOSPC).removing(after: gate, steps)
        let task = try rig.task(on: disk)
        task.addResponseHandler(serializer: .http) { _ in steps.add("completed") }
        task.resume()
        reply(await rig.stub.exchange())
        #expect(await steps.wait(for: 1) == ["removing"])
        await rig.settle()
        #expect(steps.all == ["removing"])
        gate.signal()
        #expect(await steps.wait(for: 3) == ["removing", "removed", "completed"])
    }

    @Test(
        "an unreachable destination is named in the error and in one notification",
        arguments: [
            (.open, EACCES, []), (.open, EROFS, []),
            (.statusOfPath, EACCES, .createIntermediateDirectories),
            (.makeDirectory, EROFS, .createIntermediateDirectories),
            (.renameExclusively, EACCES, []),
            (.synchronize, EIO, .synchronizes),
        ] as [(FileFault.Call, Int32, DownloadOptions)])
    func unreachable(call: FileFault.Call, number: Int32, options: DownloadOptions) async throws {
        // The file itself is synchronized first.
        let fault = FileFault(number, at: (call == .synchronize ? 2 : 1)...Int.max)
        let place =
            options.contains(.createIntermediateDirectories)
            ? rig.directory.url.appendingPathComponent("a/result") : rig.directory.file("result")
        let task = try rig.task(
            on: .linux.failing(call, fault), destination: { _ in place }, options: options)
        task.resume()
        reply(await rig.stub.exchange())
        let error = try #require(await rig.response.error)
        guard case .file(let failure, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.path == place.path && failure.systemErrorNumber == number, "\(error)")
        #expect(error.description.contains(place.path), "\(error)")
        #expect(await rig.notified.wait(for: 2).map { $0.prefix(9) } == ["not moved", "complete "])
    }

    @Test("a failing temporary directory is the error and posts no notification")
    func noDestination() async throws {
        let task = try rig.task(on: .failing(.open, EACCES), destination: nil)
        task.resume()
        reply(await rig.stub.exchange())
        guard case .file(let failure, _)? = await rig.response.error else {
            Issue.record("\(await rig.response)")
            return
        }
        #expect(failure.path == FileManager.default.temporaryDirectory.path)
        #expect(await rig.notified.wait(for: 1).allSatisfy { $0.hasPrefix("complete") })
    }

    @Test("nothing is reported as consumed before it is written")
    func slowDisk() async throws {
        let (gate, writes) = (DispatchSemaphore(value: 0), Recorder<Void>())
        var fileSystem = FileSystem.linux
        fileSystem.write = { (file, pieces, offset) throws(SystemError) in
            writes.add(())
            gate.wait()
            gate.signal()
            return try FileSystem.linux.write(file, pieces, offset)
        }
        let task = try rig.task(on: fileSystem)
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond()
        exchange.send(Array(Self.body.prefix(2000)))
        await writes.wait(for: 1)
        exchange.send(Array(Self.body.dropFirst(2000)))
        await rig.settle()
        #expect(exchange.calls.all.isEmpty && task.progress.completedUnitCount == 0)
        gate.signal()
        #expect(await until { exchange.calls.all.reduce(0) { $1.count + $0 } == 5000 })
        exchange.end()
        #expect(await rig.response.error == nil)
        #expect(try rig.directory.file("result").bytes == Self.body)
    }

    @Test(
        "what arrived before a lost connection is written before the attempt ends",
        arguments: [true, false])
    func slowDiskOfBrokenDownload(isSlowToOpen: Bool) async throws {
        let (gate, calls) = (DispatchSemaphore(value: 0), Recorder<Void>())
        let wait: @Sendable () -> Void = {
            calls.add(())
            gate.wait()
            gate.signal()
        }
        var fileSystem = FileSystem.linux
        if isSlowToOpen {
            fileSystem.open = { (path, flags) throws(SystemError) in
                wait()
                return try FileSystem.linux.open(path, flags)
            }
        } else {
            fileSystem.write = { (file, pieces, offset) throws(SystemError) in
                wait()
                return try FileSystem.linux.write(file, pieces, offset)
            }
        }
        let events = Recorder<String>()
        let subscription = rig.manager.addMonitor(of: [.wroteData, .endedAttempt]) {
            for event in $0 { events.add("\(event.kind)") }
        }
        defer { subscription.cancel() }
        try rig.task(on: fileSystem).resume()
        let exchange = await rig.stub.exchange()
        exchange.respond()
        exchange.send(Array(Self.body.prefix(2000)))
        await calls.wait(for: 1)
        exchange.fail(.lost)
        await rig.settle()
        #expect(events.all.isEmpty)
        gate.signal()
        #expect(await rig.response.error?.urlError.code == .networkConnectionLost)
        #expect(await events.wait(for: 2).map { $0.prefix(5) } == ["wrote", "ended"])
    }

    @Test(
        "a name with a path leads to no file outside the directory and replaces none (fault 93)",
        arguments: ["../x", "../../x", #"..\x"#, "/x", "//x"], [true, false])
    func hostileName(name: String, isTaken: Bool) async throws {
        let victim = try rig.directory.write([1], to: "x")
        let inside = rig.directory.file("inside")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: false)
        let place = inside.appendingPathComponent("x")
        if isTaken { try Data([2]).write(to: place) }
        rig.manager.downloadTask(
            with: try rig.request(),
            destination: SessionManager.suggestedDownloadDestination(in: inside),
            completionHandler: rig.handler
        ).resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Disposition": #"attachment; filename="\#(name)""#])
        exchange.send(Self.body)
        exchange.end()
        let response = await rig.response
        if isTaken {
            guard case .file(let failure, _)? = response.error else {
                Issue.record("\(response)")
                return
            }
            #expect(failure.systemErrorNumber == EEXIST)
        } else {
            #expect(response.value?.path == place.path)
        }
        #expect(try place.bytes == (isTaken ? [2] : Self.body))
        #expect(try victim.bytes == [1])
        #expect(await rig.leaves(["inside", "x"]))
        #expect(
            await until {
                (try? FileManager.default.contentsOfDirectory(atPath: inside.path)) == ["x"]
            })
    }

    // MARK: Lifetime

    @Test("a destination closure that captures the task does not keep it alive")
    func cycle() async throws {
        weak var delegate: TaskDelegate?
        weak var task: DownloadTask?
        do {
            let box = Locked<DownloadTask?>(nil)
            let place = rig.directory.file("result")
            let made = rig.manager.downloadTask(
                with: try rig.request(),
                destination: { _ in
                    withExtendedLifetime(box) {}
                    return place
                },
                completionHandler: rig.handler
            )
            box.withLock { $0 = made }
            (task, delegate) = (made, made.delegate)
        }
        task?.resume()
        reply(await rig.stub.exchange())
        #expect(await rig.response.error == nil)
        #expect(await until { task == nil && delegate == nil })
    }

    @Test("what a destination closure captures can use the task in its deinit")
    func reentrantDeinit() async throws {
        final class Token: Sendable {
            let box = Locked<DownloadTask?>(nil)
            let gone: Recorder<SessionTask.State>
            init(_ gone: Recorder<SessionTask.State>) { self.gone = gone }
            deinit { if let task = box.withLock({ $0 }) { gone.add(task.state) } }
        }
        let gone = Recorder<SessionTask.State>()
        do {
            let token = Token(gone)
            let place = rig.directory.file("result")
            let task = rig.manager.downloadTask(
                with: try rig.request(),
                destination: { _ in
                    withExtendedLifetime(token) {}
                    return place
                },
                completionHandler: rig.handler
            )
            token.box.withLock { $0 = task }
            task.resume()
        }
        reply(await rig.stub.exchange())
        #expect(await gone.wait(for: 1) == [.completed])
    }
}
