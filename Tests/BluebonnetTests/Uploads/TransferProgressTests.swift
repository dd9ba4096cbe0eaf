import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Progress of transfers", .timeLimit(.minutes(5)))
struct TransferProgressTests {
    let rig = SessionRig()

    func request() throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        request.httpMethod = "POST"
        return request
    }

    func upload(_ count: Int, _ progress: ProgressHandler? = nil) throws -> UploadTask {
        rig.manager.uploadTask(
            with: try request(), from: Data(count: count), progress: progress
        ) { [responses = rig.responses] in responses.add($0) }
    }

    @Test("totals are -1 from the creation of the task, and 1.0 is reached exactly")
    func ends() async throws {
        let seen = Recorder<(Int64, Int64, Double)>()
        let task = try upload(1000) {
            seen.add(($0.completedUnitCount, $0.totalUnitCount, $0.fractionCompleted))
        }
        let (up, down) = (task.uploadProgress, task.progress)
        #expect(up.totalUnitCount == -1 && down.totalUnitCount == -1)
        #expect(rig.manager.uploadProgress(for: task) === up)
        #expect(rig.manager.downloadProgress(for: task) === down)
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.sent(500)
        exchange.sent(1000)
        exchange.respond(
            200, ["Content-Type": "application/json", "Content-Length": "7"], ["[1,", "2,3]"])
        exchange.end()
        _ = await rig.response
        #expect(up.completedUnitCount == 1000 && up.fractionCompleted == 1)
        #expect(down.completedUnitCount == 7 && down.totalUnitCount == 7)
        #expect(down.fractionCompleted == 1)
        #expect(seen.all.map(\.0) == [500, 1000])
        #expect(seen.all.last?.2 == 1)
    }

    @Test("an upload reports both directions, with a separate closure for the response")
    func bothWays() async throws {
        let (up, down) = (Recorder<Int64>(), Recorder<Int64>())
        rig.manager.uploadTask(
            with: try request(), from: Data(count: 1000),
            progress: { up.add($0.completedUnitCount) },
            downloadProgress: { down.add($0.completedUnitCount) }
        ) { [responses = rig.responses] in responses.add($0) }.resume()
        let exchange = await rig.stub.exchange()
        exchange.sent(1000)
        exchange.respond(200, ["Content-Type": "application/json", "Content-Length": "7"], ["[1,"])
        exchange.send(["2,3]"])
        exchange.end()
        #expect(await rig.response.error == nil)
        #expect(up.all == [1000] && down.all == [3, 7])
    }

    @Test("closures are called about a hundred times, however often bytes are sent")
    func throttled() async throws {
        let calls = Recorder<Int64>()
        let start = ContinuousClock.now
        let task = try upload(1_000_000) { calls.add($0.completedUnitCount) }
        task.resume()
        let exchange = await rig.stub.exchange()
        for count in 1...20_000 { exchange.sent(Int64(count * 50)) }
        exchange.reply()
        _ = await rig.response
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        #expect(calls.count <= 101 + Int(seconds * 20) + 1)
        #expect(calls.count >= 90)
        #expect(calls.all == calls.all.sorted())
        #expect(calls.all.last == 1_000_000)
    }

    @Test("the last count of a body of unknown length is always reported")
    func unknownLength() async throws {
        let calls = Recorder<Int64>()
        let task = rig.manager.uploadTask(
            withStreamedRequest: try request(), body: { InputStream(data: Data(count: 30)) },
            progress: { calls.add($0.completedUnitCount) }
        ) { [responses = rig.responses] in responses.add($0) }
        task.resume()
        let exchange = await rig.stub.exchange()
        for count in 1...30 { exchange.sent(Int64(count)) }
        exchange.reply()
        _ = await rig.response
        #expect(calls.all.last == 30)
        #expect(calls.all == Set(calls.all).sorted())
    }

    @Test("a data task's body counts in its progress object, with or without a closure")
    func dataTask() async throws {
        var request = try request()
        request.httpBody = Data(count: 10)
        let task = rig.manager.dataTask(with: request) { [responses = rig.responses] in
            responses.add($0)
        }
        let progress = task.uploadProgress
        task.resume()
        let exchange = await rig.stub.exchange()
        #expect(exchange.exchange.reportsSending)
        exchange.sent(10)
        exchange.reply()
        _ = await rig.response
        #expect(progress.fractionCompleted == 1)
    }

    @Test(
        "a progress object first read during the transfer is current", arguments: [10, 100_000])
    func askedLate(count: Int) async throws {
        var request = try request()
        request.httpBody = Data(count: count)
        let task = rig.manager.dataTask(with: request) { [responses = rig.responses] in
            responses.add($0)
        }
        task.resume()
        let exchange = await rig.stub.exchange()
        let progress = task.uploadProgress
        #expect(progress.completedUnitCount == 0 && progress.totalUnitCount == Int64(count))
        #expect(exchange.exchange.reportsSending == (count > 64 * 1024))
        if exchange.exchange.reportsSending {
            exchange.sent(Int64(count / 2))
            #expect(await until { progress.completedUnitCount == Int64(count / 2) })
        }
        exchange.respond(200)
        var metrics = Exchange.Metrics()
        metrics.requestBodyBytes = Int64(count)
        exchange.end(metrics: metrics)
        _ = await rig.response
        #expect(progress.completedUnitCount == Int64(count) && progress.isFinished)
    }

    @Test("the hook gets new bytes, total bytes and expected bytes")
    func hook() async throws {
        let heard = Recorder<[Int64]>()
        rig.manager.taskDidSendBodyData = { _, bytes, total, expected in
            heard.add([bytes, total, expected])
        }
        try upload(100).resume()
        let first = await rig.stub.exchange()
        first.sent(30)
        first.sent(100)
        first.redirect(307, to: "/b")
        let second = await rig.stub.exchange(1)
        second.sent(100)
        second.reply()
        _ = await rig.response
        #expect(heard.all == [[30, 30, 100], [70, 100, 100], [100, 100, 100]])
    }

    @Test(
        "pausing, resuming and canceling either progress object affects the task",
        arguments: [true, false])
    func control(isUpload: Bool) async throws {
        let task = try upload(10)
        let progress = isUpload ? task.uploadProgress : task.progress
        progress.resume()
        let exchange = await rig.stub.exchange()
        progress.pause()
        #expect(await until { task.state == .suspended })
        progress.resume()
        #expect(await until { task.state == .running })
        #expect(await exchange.calls.wait(for: 2) == [.suspend, .resume])
        progress.cancel()
        #expect(await rig.response.error?.isCancelled == true)
    }

    @Test("canceling the progress of a task that was never resumed completes it")
    func cancelNew() async throws {
        let task = try upload(10)
        task.uploadProgress.cancel()
        #expect(await rig.response.error?.isCancelled == true)
        #expect(rig.stub.exchanges.isEmpty)
    }

    @Test("a progress object does not retain its task")
    func lifetime() async throws {
        weak var task: UploadTask?
        let progress: Progress
        do {
            let made = try upload(10)
            (task, progress) = (made, made.uploadProgress)
        }
        #expect(await until { task == nil })
        progress.cancel()
        #expect(await rig.response.error?.isCancelled == true)
    }

    @Test(
        "a body with an unknown length or a coding has no total",
        arguments: [
            [:], ["Content-Encoding": "gzip", "Content-Length": "3"],
        ])
    func noTotal(fields: [String: String]) async throws {
        let totals = Recorder<Int64>()
        let task = rig.manager.dataTask(
            with: try request(), downloadProgress: { totals.add($0.totalUnitCount) }
        ) { [responses = rig.responses] in responses.add($0) }
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, fields.merging(["Content-Type": "application/json"]) { $1 }, ["[1]"])
        exchange.end()
        _ = await rig.response
        #expect(totals.all == [-1])
        #expect(task.progress.completedUnitCount == 3)
    }
}
