import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("Going on with downloads", .timeLimit(.minutes(5)))
struct DownloadResumeTests {
    static let body = sampleBytes(9000)
    static let cut = 4000

    let rig: DownloadRig

    init() throws {
        rig = try DownloadRig()
    }

    /// What an earlier download left, and the number of the exchange that will go on with it.
    func resumeData() async throws -> Data {
        try await rig.resumeData(after: Array(Self.body.prefix(Self.cut)), of: 9000)
    }

    var rest: [UInt8] { Array(Self.body.dropFirst(Self.cut)) }

    func answerRange(_ exchange: ManualTransfer, _ fields: [String: String] = [:]) {
        let range = ["Content-Range": String.range(Self.cut, of: 9000), "ETag": #""v1""#]
        exchange.respond(206, range.merging(fields) { $1 })
        exchange.send(rest)
        exchange.end()
    }

    /// The response of the second task, whose file must be the whole.
    func expectWhole(exchanges: Int, _ location: SourceLocation = #_sourceLocation) async throws {
        let response = await rig.responses.wait(for: 2)[1]
        #expect(response.error == nil, sourceLocation: location)
        let bytes = try rig.directory.file("result").bytes
        #expect(bytes == Self.body, sourceLocation: location)
        #expect(await rig.leaves(["result"]), sourceLocation: location)
        #expect(rig.stub.exchanges.count == exchanges, sourceLocation: location)
    }

    @Test("a broken download's error holds the data, and the rest makes the whole (S13)")
    func whole() async throws {
        let heard = Recorder<[Int64]>()
        rig.manager.downloadTaskDidResume = { task, offset, total in
            let progress = task.progress
            heard.add([offset, total, progress.completedUnitCount, progress.totalUnitCount])
        }
        let task = rig.task(resuming: try await resumeData())
        task.resume()
        let exchange = await rig.stub.exchange(1)
        #expect(exchange.value(of: "Range") == "bytes=4000-")
        #expect(exchange.value(of: "If-Range") == #""v1""#)
        #expect(exchange.value(of: "Accept-Encoding") == "identity")
        answerRange(exchange)
        try await expectWhole(exchanges: 2)
        #expect(heard.all == [[4000, 9000, 4000, 9000]])
        #expect(task.progress.totalUnitCount == 9000 && task.progress.fractionCompleted == 1)
        #expect(task.originalRequest?.value(forHTTPHeaderField: "Range") == nil)
    }

    @Test("a Swift task can wait for the rest too, or hear that the data is of no use (S13)")
    func awaited() async throws {
        let (data, place) = (try await resumeData(), rig.directory.file("result"))
        async let whole = rig.manager.download(withResumeData: data, destination: { _ in place })
        answerRange(await rig.stub.exchange(1))
        #expect(await whole.value == place)
        #expect(try place.bytes == Self.body)
        let useless = await rig.manager.download(
            withResumeData: Data([1]), destination: { _ in place })
        guard case .invalidRequest(_, let context) = useless.error else {
            Issue.record("\(useless)")
            return
        }
        #expect(context.underlying is ResumeDataError)
    }

    @Test("a 200 starts again with its own body (fault 82)")
    func restarted() async throws {
        rig.task(resuming: try await resumeData()).resume()
        let exchange = await rig.stub.exchange(1)
        exchange.respond(200, ["ETag": #""v2""#, "Content-Length": "9000"])
        exchange.send(Self.body)
        exchange.end()
        try await expectWhole(exchanges: 2)
    }

    @Test(
        "a 416 that says the file is whole finishes it, whatever its body says (fault 82)",
        arguments: ["", "no such range"])
    func finished(text: String) async throws {
        let data = try await rig.resumeData(after: Self.body, of: 9000)
        rig.task(resuming: data).resume()
        let exchange = await rig.stub.exchange(1)
        exchange.respond(416, ["Content-Range": "bytes */9000"], text.isEmpty ? [] : [text])
        #expect(await until { exchange.calls.all.reduce(0) { $1.count + $0 } == text.count })
        exchange.end()
        try await expectWhole(exchanges: 2)
    }

    @Test(
        "another range, tag or total, or none, asks for the whole again, without a range (fault 82)",
        arguments: [
            ["Content-Range": "bytes 3999-8999/9000"], ["ETag": #""v2""#],
            ["Content-Range": "bytes 4000-9999/10000"], ["Content-Range": "nonsense"],
            ["Content-Range": "bytes 4000-5000/9000"], ["Content-Encoding": "gzip"],
        ])
    func mismatch(fields: [String: String]) async throws {
        let data = try await resumeData()
        let hidden = try rig.directory.names
        let totals = Recorder<Int64>()
        let task = rig.task(resuming: data) { totals.add($0.totalUnitCount) }
        task.resume()
        answerRange(await rig.stub.exchange(1), fields)
        let exchange = await rig.stub.exchange(2)
        #expect(exchange.value(of: "Range") == nil && exchange.value(of: "If-Range") == nil)
        #expect(await until { (try? rig.directory.names) != hidden })
        exchange.respond(200, ["Content-Length": "9000"])
        exchange.send(Self.body)
        exchange.end()
        try await expectWhole(exchanges: 3)
        #expect(task.progress.completedUnitCount == 9000)
        // Nothing is counted of a response that was given up.
        #expect(Set(totals.all) == [9000])
    }

    @Test("a head that does not fit, before the transfer is known, still ends that exchange first")
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
            // Until the head is handled, which forgets the partial file.
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
        "a partial file that is missing, shorter or changed asks for the whole, even after the response's end (fault 82)",
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
        rig.task(resuming: data).resume()
        answerRange(await rig.stub.exchange(1))
        let exchange = await rig.stub.exchange(2)
        #expect(exchange.value(of: "Range") == nil)
        // Without a length, nothing but the end tells that the body is whole.
        exchange.respond(200, hasLength ? ["Content-Length": "9000"] : [:])
        #expect(
            await until {
                (try? rig.directory.names.contains { $0.hasPrefix(".blue") && $0 != partial })
                    == true
            })
        for start in stride(from: 0, to: 9000, by: 1000) {
            await rig.settle()
            exchange.send(Array(Self.body[start..<start + 1000]))
        }
        exchange.end()
        let response = await rig.responses.wait(for: 2)[1]
        #expect(response.error == nil)
        #expect(try rig.directory.file("result").bytes == Self.body)
    }

    @Test("a failure that passes keeps the data (fault 82)", arguments: [503, 404, 401])
    func unrelated(status: Int) async throws {
        let data = try await resumeData()
        rig.task(resuming: data).resume()
        await rig.stub.exchange(1).reply(status, [:], "later")
        let response = await rig.responses.wait(for: 2)[1]
        #expect(response.error?.resumeData == data && response.data == Data("later".utf8))
        rig.task(resuming: data).resume()
        answerRange(await rig.stub.exchange(2))
        _ = await rig.responses.wait(for: 3)
        #expect(try rig.directory.file("result").bytes == Self.body)
    }

    @Test("a connection that fails before the head, or a cancel before the start, keeps the data")
    func nothingCame() async throws {
        let data = try await resumeData()
        rig.task(resuming: data).resume()
        await rig.stub.exchange(1).fail(.lost)
        #expect(await rig.responses.wait(for: 2)[1].error?.resumeData == data)
        let produced = Recorder<Data?>()
        rig.task(resuming: data).cancel(byProducingResumeData: { produced.add($0) })
        #expect(await produced.wait(for: 1) == [data])
        #expect(await rig.responses.wait(for: 3)[2].error?.resumeData == data)
    }

    @Test(
        "foreign and damaged data fails the task, and nothing is sent",
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
        #expect(rig.stub.exchanges.isEmpty)
    }

    @Test("another URL with credentials is asked, with the range of the data")
    func freshURL() async throws {
        let data = try await resumeData()
        var request = URLRequest(url: try #require(URL(string: "http://other.test/signed?s=2")))
        request.setValue("Bearer x", forHTTPHeaderField: "Authorization")
        rig.task(resuming: data, request: request).resume()
        let exchange = await rig.stub.exchange(1)
        #expect(exchange.exchange.url == "http://other.test/signed?s=2")
        #expect(exchange.value(of: "Authorization") == "Bearer x")
        #expect(exchange.value(of: "Range") == "bytes=4000-")
        answerRange(exchange)
        try await expectWhole(exchanges: 2)
    }

    @Test("a redirect is followed with the range")
    func redirected() async throws {
        rig.task(resuming: try await resumeData()).resume()
        await rig.stub.exchange(1).redirect(to: "http://other.test/b")
        let exchange = await rig.stub.exchange(2)
        #expect(exchange.value(of: "Range") == "bytes=4000-")
        answerRange(exchange)
        try await expectWhole(exchanges: 3)
    }

    @Test(
        "broken a hundred times at random places, at once after its bytes, it is whole in the end (fault 82)"
    )
    func oftenBroken() async throws {
        var random = SeededGenerator(seed: 7)
        var (data, offset): (Data?, Int) = (nil, 0)
        for number in 0..<100 {
            let task = try data.map { rig.task(resuming: $0) } ?? rig.task()
            task.resume()
            let exchange = await rig.stub.exchange(number)
            if offset == 0 {
                exchange.respond(200, DownloadRig.tagged.merging(["Content-Length": "9000"]) { $1 })
            } else {
                #expect(exchange.value(of: "Range") == "bytes=\(offset)-")
                exchange.respond(
                    206,
                    DownloadRig.tagged.merging(["Content-Range": .range(offset, of: 9000)]) { $1 })
            }
            let count = min(Int.random(in: 1..<90, using: &random), 8999 - offset)
            exchange.send(Array(Self.body[offset..<offset + count]))
            exchange.fail(.lost)
            let error = await rig.responses.wait(for: number + 1)[number].error
            data = try #require(error?.resumeData, "after exchange \(number)")
            offset += count
        }
        rig.task(resuming: try #require(data)).resume()
        let exchange = await rig.stub.exchange(100)
        exchange.respond(
            206, DownloadRig.tagged.merging(["Content-Range": .range(offset, of: 9000)]) { $1 })
        exchange.send(Array(Self.body[offset...]))
        exchange.end()
        #expect(await rig.responses.wait(for: 101)[100].error == nil)
        #expect(try rig.directory.file("result").bytes == Self.body)
        #expect(await rig.leaves(["result"]))
    }
}
