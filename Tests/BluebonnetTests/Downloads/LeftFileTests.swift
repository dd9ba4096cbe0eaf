import BluebonnetChain
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

/// A way to download to a file.
private enum Way: CaseIterable {
    case verb, awaitedVerb, awaitedRequest, task, chain, chainWithoutDestination

    /// Whether a failure leaves a partial file without the option.
    var keeps: Bool { self == .task || self == .chain }
}

@Suite("What downloads leave on disk", .timeLimit(.minutes(1)))
struct LeftFileTests {
    private let rig: StubDownloadRig
    private let clock = ManualClock()
    private let body = Data((0..<1000).map { UInt8($0 % 251) })
    private let other = Data((0..<1000).map { UInt8($0 % 241) })

    init() throws { rig = try StubDownloadRig(clock: clock) }

    private var place: URL { rig.directory.file("result") }

    /// The names of the files, with all hidden ones as one name.
    private var names: [String] {
        get throws { try rig.directory.names.map { $0.hasPrefix(".") ? "partial" : $0 }.sorted() }
    }

    private func whole(_ tag: String = "v", of bytes: Data? = nil) -> StubResponse {
        StubResponse(200, headers: ["ETag": "\"\(tag)\""], body: bytes ?? body)
    }

    private func rest(from offset: Int) -> StubResponse {
        StubResponse(
            206,
            headers: [
                "ETag": "\"v\"", "Content-Range": "bytes \(offset)-\(body.count - 1)/\(body.count)",
            ], body: body.dropFirst(offset))
    }

    /// Downloads, and returns the error.
    private func download(
        _ way: Way, _ files: DownloadOptions = [], to given: URL? = nil,
        interceptors: [any RequestInterceptor] = []
    ) async throws -> BluebonnetError? {
        let (manager, place, request) = (rig.manager, given ?? place, try rig.request())
        manager.interceptors = interceptors
        return await clock.run {
            switch way {
            case .verb:
                await withCheckedContinuation { continuation in
                    manager.download("file", to: place, options: .file(files)) {
                        continuation.resume(returning: $0.error)
                    }
                }
            case .awaitedVerb:
                await Result { () async throws(BluebonnetError) in
                    try await manager.download("file", to: place, options: .file(files))
                }.failure
            case .awaitedRequest:
                await manager.download(
                    for: request, destination: { _ in place }, options: files
                ).error
            case .task:
                await withCheckedContinuation { continuation in
                    manager.downloadTask(
                        with: request, destination: { _ in place }, options: files
                    ) {
                        continuation.resume(returning: $0.error)
                    }.resume()
                }
            case .chain, .chainWithoutDestination:
                await withCheckedContinuation { continuation in
                    let destination: DownloadRequest.Destination = { _, _ in (place, files) }
                    manager.download("file", to: way == .chain ? destination : nil).responseURL {
                        continuation.resume(returning: $0.error)
                    }
                }
            }
        }
    }

    @Test("a download that breaks leaves a file only where it is wanted", arguments: Way.allCases)
    fileprivate func broken(way: Way) async throws {
        rig.stub.on("/file", whole().cut(after: 600))
        let error = try #require(try await download(way))
        #expect(try names == (way.keeps ? ["partial"] : []))
        #expect((error.resumeData != nil) == way.keeps)
        guard way != .chainWithoutDestination else { return }
        let wanted = try #require(try await download(way, .keepsPartialFile))
        #expect(try names == ["partial"])
        #expect(wanted.resumeData != nil)
    }

    @Test("so does one that cannot be moved", arguments: Way.allCases)
    fileprivate func notMoved(way: Way) async throws {
        let place = place
        rig.manager.downloadTaskDidFinishDownloading = { _, _ in
            // Appears while the file is downloaded.
            try? FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            return way == .chainWithoutDestination ? place : nil
        }
        rig.stub.on("/file", whole())
        let error = try #require(try await download(way))
        #expect(error.stage == .file)
        #expect(try names == (way.keeps ? ["partial", "result"] : ["result"]))
    }

    @Test("so does one on a full disk", arguments: [false, true])
    func fullDisk(isKept: Bool) async throws {
        let rig = try DownloadRig()
        let fault = FileFault(ENOSPC, at: 2...Int.max)
        let download = Download(
            destination: rig.destination, options: [], isKeptAfterFailure: isKept,
            fileSystem: .linux.failing(.write, fault))
        let task: DownloadTask = rig.manager.makeTask(
            .made(.success(try rig.request())),
            Responder(
                serializer: DownloadSerializer(judge: HeadJudge(serializer: .http)),
                receiver: .handler(rig.handler, on: nil)),
            flow: .file(download))
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, DownloadRig.tagged)
        exchange.send(Array(body.prefix(600)))
        #expect(await until { fault.calls == 1 })
        exchange.send(Array(body.dropFirst(600)))
        let error = try #require(await rig.response.error)
        #expect(error.stage == .file)
        #expect((error.resumeData != nil) == isKept)
        #expect(try rig.directory.names.count == (isKept ? 1 : 0))
    }

    @Test("a canceled download leaves a file only with the option", arguments: Way.allCases)
    fileprivate func canceled(way: Way) async throws {
        for files in [DownloadOptions(), .keepsPartialFile] {
            rig.stub.on("/file", whole().stalled(after: 600))
            rig.manager.downloadTaskDidWriteData = { task, _, total, _ in
                if total == 600 { task.cancel() }
            }
            let error = try #require(try await download(way, files))
            #expect(error.isCancelled)
            let isKept = files == .keepsPartialFile && way != .chainWithoutDestination
            #expect(try names == (isKept ? ["partial"] : []))
        }
    }

    @Test("a verb that resumes leaves its file again")
    func resumedVerb() async throws {
        rig.stub.on(
            "/file", whole().cut(after: 600), rest(from: 600).cut(after: 100), rest(from: 700))
        let first = try #require(try await download(.verb, .keepsPartialFile)?.resumeData)
        let manager = rig.manager
        func resume(_ data: Data) async -> Result<URL, BluebonnetError> {
            await Result { () async throws(BluebonnetError) in
                try await manager.download("file", resumingWith: data, to: place)
            }
        }
        let second = try #require(await resume(first).failure?.resumeData)
        #expect(try names == ["partial"])
        #expect(await resume(second).failure == nil)
        #expect(try names == ["result"])
        #expect(try Data(contentsOf: place) == body)
    }

    @Test("the file stays between attempts, and goes with the task", arguments: Way.allCases)
    fileprivate func attempts(way: Way) async throws {
        let retrier = Retrier(async: { request, _, _ in
            request.retryCount < 2 ? .retryWithDelay(1) : .doNotRetry
        })
        rig.stub.on(
            "/file", whole().cut(after: 600), rest(from: 600).cut(after: 100),
            rest(from: 700).cut(after: 100))
        let error = try #require(try await download(way, interceptors: [retrier]))
        #expect(rig.stub.requests.map { $0.headers["Range"] } == [nil, "bytes=600-", "bytes=700-"])
        #expect(try names == (way.keeps ? ["partial"] : []))
        #expect((error.resumeData != nil) == way.keeps)
    }

    @Test("so does a file whose last attempt received no response", arguments: Way.allCases)
    fileprivate func lastWithoutResponse(way: Way) async throws {
        let retrier = Retrier(async: { request, _, _ in
            request.retryCount < 1 ? .retry : .doNotRetry
        })
        rig.stub.on(
            "/file", whole().cut(after: 600), .failure(.cannotConnectToHost), rest(from: 600))
        let error = try #require(try await download(way, interceptors: [retrier]))
        #expect(try names == (way.keeps ? ["partial"] : []))
        guard way.keeps else {
            #expect(error.resumeData == nil)
            return
        }
        let data = try #require(error.resumeData)
        let resumed = await rig.manager.download(
            withResumeData: data, destination: { [place] _ in place })
        #expect(resumed.error == nil)
        #expect(try names == ["result"])
    }

    @Test("downloads to one destination leave at most one file", arguments: [Way.task, .chain])
    fileprivate func one(way: Way) async throws {
        rig.stub.on(
            "/file", whole("a", of: other).cut(after: 500), whole().cut(after: 600),
            whole().cut(after: 700), whole(), rest(from: 700))
        var all: [Data] = []
        for _ in 0..<3 {
            let error = try await download(way)
            all.append(try #require(error?.resumeData))
            #expect(try names == ["partial"])
        }
        // Earlier resume data of another body starts over, and leaves the later file alone.
        let former = await rig.manager.download(
            withResumeData: all[0], destination: { [rig] _ in rig.directory.file("other") })
        #expect(former.error == nil)
        #expect(try names == ["other", "partial"])
        let latest = await rig.manager.download(
            withResumeData: all[2], destination: { [place] _ in place })
        #expect(latest.error == nil)
        #expect(try Data(contentsOf: place) == body)
        #expect(try names == ["other", "result"])
    }

    @Test("downloads with retries leave one file, too, whichever attempt continued it")
    func oneAfterRetries() async throws {
        let retrier = Retrier(async: { request, _, _ in
            request.retryCount < 1 ? .retry : .doNotRetry
        })
        let (first, second) = (whole().cut(after: 500), rest(from: 500).cut(after: 100))
        rig.stub.on("/file", first, second, first, second, first, second)
        for _ in 0..<3 {
            let error = try await download(.task, interceptors: [retrier])
            #expect(error?.resumeData != nil)
            #expect(try names == ["partial"])
        }
    }

    @Test(
        "a download that leaves nothing spares the file of an earlier one",
        arguments: [
            StubResponse(200, headers: ["ETag": "\"v\""], body: Data("abc".utf8)).cut(after: 0),
            StubResponse(200, body: Data("abc".utf8)).cut(after: 2),
            .status(500), .failure(.cannotConnectToHost),
        ])
    func spared(answer: StubResponse) async throws {
        rig.stub.on("/file", whole().cut(after: 600), answer, answer, rest(from: 600))
        let data = try #require(try await download(.task)?.resumeData)
        #expect(try await download(.task)?.resumeData == nil)
        #expect(try await download(.verb) != nil)
        #expect(try names == ["partial"])
        let resumed = await rig.manager.download(
            withResumeData: data, destination: { [place] _ in place })
        #expect(resumed.error == nil)
        #expect(try Data(contentsOf: place) == body)
    }

    @Test("a file that cannot be renamed in the end stays where it is")
    func notRenamed() async throws {
        var fileSystem = FileSystem.linux
        fileSystem.rename = { (_, _) throws(SystemError) in throw SystemError(EMFILE) }
        rig.stub.on("/file", whole().cut(after: 600), rest(from: 600))
        try rig.task(on: fileSystem).resume()
        let data = try #require(await rig.response.error?.resumeData)
        #expect(try names == ["partial"])
        let resumed = await rig.manager.download(
            withResumeData: data, destination: { [place] _ in place })
        #expect(resumed.error == nil)
        #expect(try names == ["result"])
    }

    @Test("discarding earlier resume data spares the file of a later download")
    func discarded() async throws {
        rig.stub.on(
            "/file", whole().cut(after: 600), whole().cut(after: 700), rest(from: 700))
        let earlier = try #require(try await download(.task)?.resumeData)
        let later = try #require(try await download(.task)?.resumeData)
        try DownloadTask.discard(resumeData: earlier)
        #expect(try names == ["partial"])
        try DownloadTask.discard(resumeData: later)
        #expect(try names.isEmpty)
    }

    @Test("downloads to different destinations leave a file each")
    func several() async throws {
        rig.stub.on("/file", whole().cut(after: 500))
        for name in ["a", "b", "a", "b"] {
            _ = try await download(.task, to: rig.directory.file(name))
        }
        #expect(try names == ["partial", "partial"])
    }

    @Test("a failure does not take the file from a download that continues it")
    func busy() async throws {
        rig.stub.on(
            "/file", whole().cut(after: 500), rest(from: 500).stalled(after: 100),
            whole().cut(after: 700), rest(from: 600))
        let data = try #require(try await download(.task)?.resumeData)
        let written = Recorder<Int64>()
        let running = rig.manager.downloadTask(
            withResumeData: data, destination: { [place] _ in place },
            progress: { written.add($0.completedUnitCount) }, completionHandler: rig.handler)
        running.resume()
        #expect(await until { written.all.contains(600) })
        let error = try #require(try await download(.task))
        #expect(error.resumeData == nil)
        #expect(try names == ["partial"])
        let kept = await withCheckedContinuation { continuation in
            running.cancel { continuation.resume(returning: $0) }
        }
        let resumed = await rig.manager.download(
            withResumeData: try #require(kept), destination: { [place] _ in place })
        #expect(resumed.error == nil)
        #expect(try Data(contentsOf: place) == body)
        #expect(try names == ["result"])
    }
}

extension Result where Success: Sendable, Failure == BluebonnetError {
    /// Creates a result from what an asynchronous closure returns or throws.
    fileprivate init(_ body: () async throws(BluebonnetError) -> Success) async {
        do throws(BluebonnetError) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }

    fileprivate var failure: BluebonnetError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
