import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Retried downloads", .timeLimit(.minutes(1)))
struct RetriedDownloadTests {
    private let clock = ManualClock()
    private let body = Array("0123456789".utf8)

    private func rig(_ interceptors: any RequestInterceptor...) throws -> StubDownloadRig {
        let rig = try StubDownloadRig(clock: clock)
        rig.manager.interceptors = interceptors
        return rig
    }

    private func retrier(_ count: Int, after delay: TimeInterval = 0) -> Retrier {
        Retrier(async: { request, _, _ in
            request.retryCount < count ? .retryWithDelay(delay) : .doNotRetry
        })
    }

    /// The names of the files that the download has left.
    private func files(_ rig: StubDownloadRig) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: rig.directory.url.path).sorted()
    }

    @Test("it continues over several attempts, and adapters can sign the range")
    func range() async throws {
        let seen = Recorder<String?>()
        let signer = Adapter(async: { request, _ in
            seen.add(request.value(forHTTPHeaderField: "Range"))
            return request
        })
        let rig = try rig(signer, retrier(2, after: 1))
        rig.stub.on(
            "/file", .file(body, StubDownloadRig.tagged).cut(after: 3),
            .rest(of: body, from: 3).cut(after: 4), .rest(of: body, from: 7))
        try rig.task().resume()
        await clock.advance(by: .seconds(2))
        let response = await rig.responses.wait(for: 1)[0]
        #expect(try Data(contentsOf: try #require(response.value)) == Data(body))
        #expect(seen.all == [nil, "bytes=3-", "bytes=7-"])
        #expect(rig.stub.requests.map { $0.headers["Range"] } == seen.all)
        #expect(rig.asked.count == 1)
        #expect(await until { (try? files(rig)) == ["result"] })
    }

    @Test("it starts over if adapters change the path, but not for another query")
    func elsewhere() async throws {
        for (path, ranges) in [
            ("other", [nil, nil]), ("file?n=2", [nil, "bytes=3-"]),
        ] as [(String, [String?])] {
            let mover = LoggingInterceptor(adapt: { request, state in
                var request = request
                if state.attempt > 1 { request.url = URL(string: "http://stub.test/\(path)") }
                return request
            })
            let rig = try rig(mover, retrier(1))
            rig.stub.on(
                "/file", .file(body, StubDownloadRig.tagged).cut(after: 3),
                .rest(of: body, from: 3))
            rig.stub.on("/other", .file(body))
            try rig.task().resume()
            let response = await rig.responses.wait(for: 1)[0]
            #expect(try Data(contentsOf: try #require(response.value)) == Data(body))
            #expect(rig.stub.requests.map { $0.headers["Range"] } == ranges)
            #expect(await until { (try? files(rig)) == ["result"] })
            await clock.idle()
        }
    }

    @Test("it starts over if the file on the server has changed")
    func changed() async throws {
        let rig = try rig(retrier(1))
        rig.stub.on(
            "/file", .file(body, StubDownloadRig.tagged).cut(after: 3), .file("new".utf8))
        try rig.task().resume()
        let response = await rig.responses.wait(for: 1)[0]
        #expect(try Data(contentsOf: try #require(response.value)) == Data("new".utf8))
        #expect(await until { (try? files(rig)) == ["result"] })
    }

    @Test(
        "a cancel between two attempts leaves no file unless resume data is requested",
        arguments: [true, false])
    func cancelled(isResumed: Bool) async throws {
        let rig = try rig(retrier(1, after: 60))
        rig.stub.on("/file", .file(body, StubDownloadRig.tagged).cut(after: 3))
        let task = try rig.task()
        task.resume()
        await clock.idle()
        #expect(try files(rig).count == 1)
        let data = Recorder<Data?>()
        if isResumed {
            task.cancel(byProducingResumeData: { data.add($0) })
        } else {
            task.cancel()
        }
        let response = await rig.responses.wait(for: 1)[0]
        #expect(response.error?.isCancelled == true)
        #expect(try files(rig).count == (isResumed ? 1 : 0))
        if isResumed { #expect(await data.wait(for: 1)[0] != nil) }
    }

    @Test("a cancel before the next attempt completes after the partial file is removed")
    func removal() async throws {
        let rig = try rig(retrier(1, after: 60))
        rig.stub.on("/file", .file(body, StubDownloadRig.tagged).cut(after: 3))
        let (gate, steps) = (DispatchSemaphore(value: 0), Recorder<String>())
        let task = try rig.task(on: FileSystem.linux.removing(after: gate, steps))
        task.addResponseHandler(serializer: .http) { _ in steps.add("completed") }
        task.resume()
        await clock.idle()
        #expect(try files(rig).count == 1)
        task.cancel()
        #expect(await steps.wait(for: 1) == ["removing"])
        await rig.settle()
        #expect(steps.all == ["removing"])
        gate.signal()
        #expect(await steps.wait(for: 3) == ["removing", "removed", "completed"])
    }

    @Test("a complete file that a validator refuses starts over")
    func refused() async throws {
        let rig = try rig(retrier(2))
        rig.stub.on(
            "/file", .file(body, StubDownloadRig.tagged).cut(after: 3),
            .rest(of: body, from: 3), .file(body))
        let count = Locked(0)
        let task = try rig.task()
        task.addValidator(
            .file { _, _, _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 1 { throw TestError() }
            })
        task.resume()
        let response = await rig.responses.wait(for: 1)[0]
        #expect(try Data(contentsOf: try #require(response.value)) == Data(body))
        #expect(rig.stub.requests.map { $0.headers["Range"] } == [nil, "bytes=3-", nil])
        #expect(await until { (try? files(rig)) == ["result"] })
    }

    @Test("a partial file that no later attempt continues is removed")
    func unrelated() async throws {
        let rig = try rig(retrier(1))
        rig.stub.on(
            "/file", .file(body, StubDownloadRig.tagged).cut(after: 3),
            StubResponse(503, body: Data("busy".utf8)))
        rig.manager.responseSerializer = HTTPResponseSerializer(acceptableStatusCodes: nil)
        let task = rig.manager.downloadTask(
            with: try rig.request(), destination: rig.destination, completionHandler: rig.handler)
        task.resume()
        let response = await rig.responses.wait(for: 1)[0]
        #expect(try Data(contentsOf: try #require(response.value)) == Data("busy".utf8))
        #expect(await until { (try? files(rig)) == ["result"] })
    }

    @Test(
        "if an adapter changes the URL or the range does not match, the next request has no range",
        arguments: [true, false])
    func signed(isMoved: Bool) async throws {
        let seen = Recorder<String>()
        let mover = Adapter(async: { request, _ in
            var request = request
            if isMoved, request.value(forHTTPHeaderField: "Range") != nil {
                request.url = URL(string: "http://stub.test/other")
            }
            return request
        })
        let signer = Adapter(async: { request, _ in
            var request = request
            let range = request.value(forHTTPHeaderField: "Range") ?? "all"
            seen.add(range)
            request.setValue("signed \(range)", forHTTPHeaderField: "Authorization")
            return request
        })
        let log = Recorder<String>()
        let rig = try rig(mover, signer, retrier(1), LoggingInterceptor(log: log))
        rig.stub.on("/**") { [body] request in
            let range = request.headers["Range"]
            #expect(request.headers["Authorization"] == "signed \(range ?? "all")")
            if request.number == 1 { return .file(body, StubDownloadRig.tagged).cut(after: 3) }
            // The rest of another file.
            return range == nil ? .file(body) : .rest(of: body, from: 4, ["ETag": #""v2""#])
        }
        try rig.task().resume()
        let response = await rig.responses.wait(for: 1)[0]
        #expect(try Data(contentsOf: try #require(response.value)) == Data(body))
        #expect(seen.all == ["all", "bytes=3-", "all"])
        #expect(rig.stub.requests.count == (isMoved ? 2 : 3))
        await clock.idle()
        #expect(log.all.filter { $0.contains("adapt") }.count == 3)
        #expect(log.all.filter { $0.contains("end") }.count == 3)
        #expect(await until { (try? files(rig)) == ["result"] })
    }

    /// Returns a rig whose first attempt leaves three bytes, and whose second waits to open its
    /// file.
    private func reopening(
        _ gate: DispatchSemaphore, _ open: @escaping @Sendable () throws(SystemError) -> Void = {}
    ) throws -> (rig: StubDownloadRig, task: DownloadTask, opened: Recorder<Int>) {
        let rig = try rig(retrier(2))
        rig.stub.on(
            "/file", .file(body, StubDownloadRig.tagged).cut(after: 3),
            .rest(of: body, from: 3).cut(after: 2), .file(body))
        let opened = Recorder<Int>()
        var fileSystem = FileSystem.linux
        let real = fileSystem
        fileSystem.lock = { (file) throws(SystemError) in
            try real.lock(file)
            opened.add(opened.count)
            // The first lock is that of the first attempt.
            guard opened.count == 2 else { return }
            gate.wait()
            try open()
        }
        return (rig, try rig.task(on: fileSystem), opened)
    }

    @Test("it continues if the file of a broken attempt cannot be opened")
    func brokenBeforeOpen() async throws {
        let gate = DispatchSemaphore(value: 0)
        let (rig, task, opened) = try reopening(gate) { () throws(SystemError) in
            throw SystemError(EWOULDBLOCK)
        }
        task.resume()
        await opened.wait(for: 2)
        // The exchange has ended, and the file is still being opened.
        #expect(await until { task.metrics?.exchanges.count == 2 })
        gate.signal()
        let response = await rig.responses.wait(for: 1)[0]
        #expect(try Data(contentsOf: try #require(response.value)) == Data(body))
        #expect(await rig.leaves(["result"]))
        #expect(rig.stub.requests.map { $0.headers["Range"] } == [nil, "bytes=3-", nil])
    }

    @Test(
        "a cancel during the reopening leaves no file unless resume data is requested"
    )
    func cancelledWhileOpening() async throws {
        let gate = DispatchSemaphore(value: 0)
        let (rig, task, opened) = try reopening(gate)
        task.resume()
        await opened.wait(for: 2)
        task.cancel()
        await rig.settle()
        gate.signal()
        #expect(await rig.response.error?.isCancelled == true)
        #expect(await rig.leaves([]))
    }

    @Test(
        "an end while the partial file is being kept leaves no file, or resume data",
        arguments: [true, false])
    func endedWhileKeeping(isResumed: Bool) async throws {
        let rig = try rig(retrier(1, after: 1))
        rig.stub.on("/file", .file(body, StubDownloadRig.tagged).cut(after: 3))
        let (gate, kept) = (DispatchSemaphore(value: 0), Recorder<Void>())
        var fileSystem = FileSystem.linux
        fileSystem.truncate = { [real = fileSystem] (file, length) throws(SystemError) in
            // The file is opened again when the task has ended.
            if kept.count == 0 {
                kept.add(())
                gate.wait()
            }
            try real.truncate(file, length)
        }
        let task = try rig.task(on: fileSystem)
        task.resume()
        await kept.wait(for: 1)
        let data = Recorder<Data?>()
        if isResumed { task.cancel(byProducingResumeData: { data.add($0) }) } else { task.cancel() }
        await rig.settle()
        gate.signal()
        #expect(await rig.response.error?.isCancelled == true)
        if isResumed {
            let record = try ResumeRecord(data: try #require(await data.wait(for: 1)[0]))
            #expect(record.offset == 3 && record.partial.path.string.isEmpty == false)
            #expect(try files(rig).count == 1)
        } else {
            #expect(await rig.leaves([]))
        }
    }

    @Test("it offers resume data when its last attempt has failed")
    func failed() async throws {
        let rig = try rig(retrier(1))
        rig.stub.on(
            "/file", .file(body, StubDownloadRig.tagged).cut(after: 3),
            .rest(of: body, from: 3).cut(after: 2))
        try rig.task().resume()
        let error = try #require(await rig.responses.wait(for: 1)[0].error)
        let record = try ResumeRecord(data: try #require(error.resumeData))
        #expect(record.offset == 5)
    }
}
