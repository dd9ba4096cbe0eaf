import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Downloads that are retried", .timeLimit(.minutes(1)))
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

    @Test("go on over several attempts, and adapters see the range that they sign")
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
        #expect(try files(rig) == ["result"])
    }

    @Test("begin anew where adapters send the request elsewhere, but not for another query")
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
            #expect(try files(rig) == ["result"])
            await clock.idle()
        }
    }

    @Test("begin anew where the server has another file by now")
    func changed() async throws {
        let rig = try rig(retrier(1))
        rig.stub.on(
            "/file", .file(body, StubDownloadRig.tagged).cut(after: 3), .file("new".utf8))
        try rig.task().resume()
        let response = await rig.responses.wait(for: 1)[0]
        #expect(try Data(contentsOf: try #require(response.value)) == Data("new".utf8))
        #expect(try files(rig) == ["result"])
    }

    @Test(
        "leave nothing when they are cancelled between two attempts, unless resume data is asked for",
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
        await clock.idle()
        if isResumed {
            #expect(await data.wait(for: 1)[0] != nil)
            #expect(try files(rig).count == 1)
        } else {
            #expect(try files(rig).isEmpty)
        }
    }

    @Test("that were complete and refused by a validator begin anew")
    func refused() async throws {
        let rig = try rig(retrier(1))
        rig.stub.on("/file", StubResponse(503, body: Data(body)), .file(body))
        try rig.task().resume()
        let response = await rig.responses.wait(for: 1)[0]
        #expect(try Data(contentsOf: try #require(response.value)) == Data(body))
        #expect(try files(rig) == ["result"])
    }

    @Test("offer resume data when their last attempt has failed")
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
