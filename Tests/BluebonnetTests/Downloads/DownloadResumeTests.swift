import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing
import BluebonnetTestSupport

import Bluebonnet

@Suite("Resuming downloads", .timeLimit(.minutes(5)))
struct DownloadResumeTests {
    static let body = sampleBytes(9000)
    static let cut = 4000

    let clock = ManualClock()
    let rig: StubDownloadRig

    init() throws {
        rig = try StubDownloadRig(clock: clock)
    }

    /// Returns the resume data of an earlier download.
    func resumeData() async throws -> Data {
        try await rig.resumeData(after: Self.cut, of: Self.body)
    }

    /// Returns the response with the rest of the body.
    func rest(_ fields: [String: String] = [:]) -> StubResponse {
        .rest(of: Self.body, from: Self.cut, fields)
    }

    /// Expects that the second task has the whole file.
    func expectWhole(requests: Int, _ location: SourceLocation = #_sourceLocation) async throws {
        let response = await rig.responses.wait(for: 2)[1]
        #expect(response.error == nil, sourceLocation: location)
        let bytes = try rig.directory.file("result").bytes
        #expect(bytes == Self.body, sourceLocation: location)
        #expect(await rig.leaves(["result"]), sourceLocation: location)
        #expect(rig.stub.requests.count == requests, sourceLocation: location)
    }

    @Test("a broken download's error has the resume data, and the rest completes the file")
    func whole() async throws {
        let heard = Recorder<[Int64]>()
        rig.manager.downloadTaskDidResume = { task, offset, total in
            let progress = task.progress
            heard.add([offset, total, progress.completedUnitCount, progress.totalUnitCount])
        }
        let task = rig.task(resuming: try await resumeData())
        rig.stub.on("/file", rest())
        task.resume()
        try await expectWhole(requests: 2)
        let headers = rig.stub.requests[1].headers
        #expect(headers["Range"] == "bytes=4000-")
        #expect(headers["If-Range"] == #""v1""#)
        #expect(headers["Accept-Encoding"] == "identity")
        #expect(heard.all == [[4000, 9000, 4000, 9000]])
        #expect(task.progress.totalUnitCount == 9000 && task.progress.fractionCompleted == 1)
        #expect(task.originalRequest?.value(forHTTPHeaderField: "Range") == nil)
    }

    @Test("a Swift task can await the rest, or the error of unusable data")
    func awaited() async throws {
        let (data, place) = (try await resumeData(), rig.directory.file("result"))
        rig.stub.on("/file", rest())
        let whole = await rig.manager.download(withResumeData: data, destination: { _ in place })
        #expect(whole.value == place)
        #expect(try place.bytes == Self.body)
        let useless = await rig.manager.download(
            withResumeData: Data([1]), destination: { _ in place })
        guard case .invalidRequest(_, let context) = useless.error else {
            Issue.record("\(useless)")
            return
        }
        #expect(context.underlying is ResumeDataError)
    }

    @Test("a 200 starts over with its own body (fault 82)")
    func restarted() async throws {
        let data = try await resumeData()
        rig.stub.on("/file", .file(Self.body, ["ETag": #""v2""#]))
        rig.task(resuming: data).resume()
        try await expectWhole(requests: 2)
    }

    @Test(
        "a 416 that confirms the length completes the file and ignores the body (fault 82)",
        arguments: ["", "no such range"])
    func finished(text: String) async throws {
        let data = try await rig.resumeData(after: 9000, of: Self.body)
        // The body arrives before its end.
        rig.stub.on(
            "/file",
            StubResponse(
                416, headers: ["Content-Range": "bytes */9000"], body: Data(text.utf8)
            ).inPieces(of: 8, every: .seconds(1)))
        rig.task(resuming: data).resume()
        await clock.advance(by: .seconds(2))
        try await expectWhole(requests: 2)
    }

    @Test(
        "another range, tag or total, or none, starts over without a range (fault 82)",
        arguments: [
            ["Content-Range": "bytes 3999-8999/9000"], ["ETag": #""v2""#],
            ["Content-Range": "bytes 4000-9999/10000"], ["Content-Range": "nonsense"],
            ["Content-Range": "bytes 4000-5000/9000"], ["Content-Encoding": "gzip"],
        ])
    func mismatch(fields: [String: String]) async throws {
        let data = try await resumeData()
        let hidden = try rig.directory.names
        let (totals, isRenewed) = (Recorder<Int64>(), Recorder<Bool>())
        let task = rig.task(resuming: data) { totals.add($0.totalUnitCount) }
        rig.stub.on(
            "/file", where: { $0.headers["Range"] != nil }, rest(fields).inPieces(of: 1000))
        rig.stub.on("/file", where: { $0.headers["Range"] == nil }) {
            [directory = rig.directory] _ in
            isRenewed.add(await until { (try? directory.names) != hidden })
            return .file(Self.body)
        }
        task.resume()
        try await expectWhole(requests: 3)
        let headers = rig.stub.requests[2].headers
        #expect(headers["Range"] == nil && headers["If-Range"] == nil)
        #expect(isRenewed.all == [true])
        #expect(task.progress.completedUnitCount == 9000)
        // A rejected response does not count toward the progress.
        #expect(Set(totals.all) == [9000])
    }

    @Test("a mismatching head that comes before the transfer is known ends that exchange first")
    func mismatchBeforeTransfer() async throws {
        let data = try await resumeData()
        let (second, count) = (try DownloadRig(), Locked(0))
        let stub = ManualTransport { transfer in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return }
            transfer.respond(206, ["Content-Range": "nonsense"])
            // Wait until the head is handled, which removes the partial file.
            let end = Date(timeIntervalSinceNow: 20)
            while (try? rig.directory.names) != [], Date() < end {
                sched_yield()
            }
        }
        let manager = SessionManager(transport: stub)
        let task = manager.downloadTask(
            withResumeData: data, destination: second.destination, completionHandler: second.handler
        )
        await onOwnThread { task.resume() }
        #expect(await stub.exchange(0).calls.wait(for: 1) == [.cancel])
        let exchange = await stub.exchange(1)
        exchange.respond()
        exchange.send(Self.body)
        exchange.end()
        #expect(await second.response.error == nil)
        #expect(try second.directory.file("result").bytes == Self.body)
    }

    enum Damage: CaseIterable, Sendable { case missing, shortened, changed }

    @Test(
        "a partial file that is missing, shorter or changed starts the download over (fault 82)",
        arguments: Damage.allCases, [true, false])
    func damaged(damage: Damage, hasLength: Bool) async throws {
        let data = try await resumeData()
        let partial = try #require(rig.directory.names.first)
        let file = rig.directory.file(partial)
        switch damage {
        case .missing: try FileManager.default.removeItem(at: file)
        case .shortened: #expect(truncate(file.path, 100) == 0)
        case .changed: try Data(count: Self.cut).write(to: file)
        }
        rig.stub.on("/file", where: { $0.headers["Range"] != nil }, rest())
        // Without a length, only the end shows that the body is whole.
        let whole = StubResponse.file(
            Self.body, hasLength ? [:] : ["Transfer-Encoding": "chunked"])
        rig.stub.on(
            "/file", where: { $0.headers["Range"] == nil },
            whole.inPieces(of: 1000, every: .seconds(1)))
        rig.task(resuming: data).resume()
        await clock.idle()
        #expect(rig.stub.requests.count == 3)
        #expect(
            await until {
                (try? rig.directory.names.contains { $0.hasPrefix(".blue") && $0 != partial })
                    == true
            })
        for _ in 0..<9 { await clock.advance(by: .seconds(1)) }
        let response = await rig.responses.wait(for: 2)[1]
        #expect(response.error == nil)
        #expect(try rig.directory.file("result").bytes == Self.body)
    }

    @Test("a temporary failure keeps the resume data (fault 82)", arguments: [503, 404, 401])
    func unrelated(status: Int) async throws {
        let data = try await resumeData()
        let route = rig.stub.on("/file", StubResponse(status, body: Data("later".utf8)))
        rig.task(resuming: data).resume()
        let response = await rig.responses.wait(for: 2)[1]
        #expect(response.error?.resumeData == data && response.data == Data("later".utf8))
        rig.stub.remove(route)
        rig.stub.on("/file", rest())
        rig.task(resuming: data).resume()
        _ = await rig.responses.wait(for: 3)
        #expect(try rig.directory.file("result").bytes == Self.body)
    }

    @Test("a failure before the head and a cancel before the start keep the resume data")
    func nothingCame() async throws {
        let data = try await resumeData()
        rig.stub.on("/file", .failure(.networkConnectionLost))
        rig.task(resuming: data).resume()
        #expect(await rig.responses.wait(for: 2)[1].error?.resumeData == data)
        let produced = Recorder<Data?>()
        rig.task(resuming: data).cancel(byProducingResumeData: { produced.add($0) })
        #expect(await produced.wait(for: 1) == [data])
        #expect(await rig.responses.wait(for: 3)[2].error?.resumeData == data)
    }

    @Test(
        "foreign or damaged resume data fails the task without sending",
        arguments: [
            "", "{}", "<plist></plist>", #"{"bluebonnetResume":1}"#, #"{"bluebonnetResume":99}"#,
        ])
    func foreign(text: String) async throws {
        rig.task(resuming: Data(text.utf8)).resume()
        let error = try #require(await rig.response.error)
        guard case .invalidRequest(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.underlying is ResumeDataError)
        #expect(rig.stub.requests.isEmpty)
    }

    @Test("a new URL with credentials is requested with the range of the resume data")
    func freshURL() async throws {
        let data = try await resumeData()
        var request = URLRequest(url: try #require(URL(string: "http://other.test/signed?s=2")))
        request.setValue("Bearer x", forHTTPHeaderField: "Authorization")
        rig.stub.on("http://other.test/signed?s=2", rest())
        rig.task(resuming: data, request: request).resume()
        try await expectWhole(requests: 2)
        let sent = rig.stub.requests[1]
        #expect(sent.url.absoluteString == "http://other.test/signed?s=2")
        #expect(sent.headers["Authorization"] == "Bearer x")
        #expect(sent.headers["Range"] == "bytes=4000-")
    }

    @Test("a redirect is followed with the range")
    func redirected() async throws {
        let data = try await resumeData()
        rig.stub.on("http://stub.test/file", .moved(to: "http://other.test/b"))
        rig.stub.on("http://other.test/b", rest())
        rig.task(resuming: data).resume()
        try await expectWhole(requests: 3)
        #expect(rig.stub.requests[2].headers["Range"] == "bytes=4000-")
    }

    @Test(
        "a download that breaks a hundred times at random places is whole in the end (fault 82)"
    )
    func oftenBroken() async throws {
        var random = SeededGenerator(seed: 7)
        var (data, offset): (Data?, Int) = (nil, 0)
        for number in 0...100 {
            let count = min(Int.random(in: 1..<90, using: &random), 8999 - offset)
            let response: StubResponse =
                offset == 0
                ? .file(Self.body, StubDownloadRig.tagged) : .rest(of: Self.body, from: offset)
            let route = rig.stub.on("/file", number < 100 ? response.cut(after: count) : response)
            let task = try data.map { rig.task(resuming: $0) } ?? rig.task()
            task.resume()
            let error = await rig.responses.wait(for: number + 1)[number].error
            rig.stub.remove(route)
            let range = route.requests.last?.headers["Range"]
            #expect(range == (offset == 0 ? nil : "bytes=\(offset)-"))
            if number == 100 {
                #expect(error == nil)
            } else {
                data = try #require(error?.resumeData, "after request \(number)")
                offset += count
            }
        }
        #expect(try rig.directory.file("result").bytes == Self.body)
        #expect(await rig.leaves(["result"]))
    }
}
