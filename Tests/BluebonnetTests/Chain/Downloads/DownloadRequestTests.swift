import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Downloads of the chain", .timeLimit(.minutes(1)))
struct DownloadRequestTests {
    private let rig = StubRig()
    private let directory: TemporaryDirectory
    private let body = Data((0..<1000).map { UInt8($0 % 251) })

    init() throws { directory = try TemporaryDirectory() }

    private func destination(_ options: DownloadRequest.Options = []) -> DownloadRequest.Destination
    {
        { [directory] _, _ in (directory.file("result"), options) }
    }

    private func response(_ request: DownloadRequest) async -> AFDownloadResponse<URL> {
        let responses = Recorder<AFDownloadResponse<URL>>()
        request.responseURL { responses.add($0) }
        return await responses.wait(for: 1)[0]
    }

    @Test("a destination closure gets the temporary URL and head, and names the place")
    func destination() async throws {
        rig.answer(.init(200, headers: ["X-A": "1"], body: body))
        let asked = Recorder<(URL, String?)>()
        let request = rig.manager.download(
            "a", parameters: ["b": 1],
            to: { [directory] url, response in
                asked.add((url, response.headers["X-A"]))
                return (directory.file("deep/er"), [.createIntermediateDirectories])
            })
        let response = await response(request)
        #expect(response.value?.path == directory.file("deep/er").path && response.data == nil)
        #expect(response.fileURL == response.value && request.fileURL == response.value)
        let written = try Data(contentsOf: directory.file("deep/er"))
        #expect(written == body && asked.count == 1 && asked.all[0].1 == "1")
        #expect(!FileManager.default.fileExists(atPath: asked.all[0].0.path))
        #expect(rig.stub.requests[0].url.query == "b=1")
    }

    @Test("asking for the URL after the file is gone is an error")
    func latePlace() async {
        rig.answer(.init(200, body: body))
        let request = rig.manager.download("a")
        _ = await response(request)
        await rig.settle()
        let late = await request.serializingDownloadedFileURL().response
        #expect(late.error?.isResponseSerializationError == true)
    }

    @Test("a destination that is the temporary URL leaves the file to the caller")
    func temporaryPlace() async throws {
        rig.answer(.init(200, body: body))
        let request = rig.manager.download("a", to: { url, _ in (url, []) })
        let file = try #require(await response(request).value)
        let written = try Data(contentsOf: file)
        #expect(written == body)
        try FileManager.default.removeItem(at: file)
    }

    @Test("without a destination, the file exists until the last handler has returned")
    func noDestination() async throws {
        rig.answer(.init(200, body: body))
        let seen = Recorder<(URL?, Data?)>()
        let request = rig.manager.download("a", shouldAutomaticallyResume: false)
        for _ in 0..<2 {
            request.response { response in
                let url = response.value.flatMap(\.self)
                seen.add((url, url.flatMap { try? Data(contentsOf: $0) }))
            }
        }
        request.resume()
        let all = await seen.wait(for: 2)
        #expect(all.allSatisfy { $0.1 == body })
        let path = try #require(all[0].0?.path)
        #expect(await until { !FileManager.default.fileExists(atPath: path) })
    }

    @Test("a suggested destination is in its directory and has a safe name")
    func suggested() async throws {
        let disposition = "attachment; filename=\"../../x.txt\""
        rig.answer(.init(200, headers: ["Content-Disposition": disposition], body: body))
        let place = DownloadRequest.suggestedDownloadDestination(
            in: directory.file("new"), options: [.createIntermediateDirectories])
        let file = try #require(await response(rig.manager.download("a", to: place)).value)
        #expect(file.deletingLastPathComponent().path == directory.file("new").path)
        #expect(file.lastPathComponent.hasSuffix("x.txt"))
    }

    @Test("a refused response replaces no file and does not call the destination closure")
    func refused() async throws {
        let file = directory.file("result")
        try Data("old".utf8).write(to: file)
        rig.answer(.init(404, body: Data("gone".utf8)))
        let asked = Recorder<Int>()
        let request = rig.manager.download(
            "a",
            to: { _, _ in
                asked.add(1)
                return (file, [.removePreviousFile])
            })
        let response = await response(request.validate())
        #expect(response.error?.responseCode == 404 && asked.count == 0)
        #expect(response.error?.context.data == Data("gone".utf8))
        let kept = try Data(contentsOf: file)
        #expect(kept == Data("old".utf8))
    }

    @Test("an existing file fails a download unless the option replaces it")
    func occupied() async throws {
        let file = directory.file("result")
        try Data("old".utf8).write(to: file)
        rig.answer(.init(200, body: body), .init(200, body: body))
        let failed = await response(rig.manager.download("a", to: destination()))
        #expect(failed.error?.isDownloadedFileMoveError == true)
        #expect(failed.error?.destinationURL?.path == file.path)
        let good = await response(rig.manager.download("a", to: destination([.removePreviousFile])))
        let written = try Data(contentsOf: file)
        #expect(good.error == nil && written == body)
    }

    @Test("a closure validates the complete file before the move")
    func validation() async throws {
        struct Refused: Error {}
        rig.answer(.init(200, body: body), .init(200, body: body))
        let seen = Recorder<Data?>()
        let good = rig.manager.download("a", to: destination())
            .validate(statusCode: 200..<300).validate(contentType: ["*/*"])
            .validate { _, _, file in
                seen.add(file.flatMap { try? Data(contentsOf: $0) })
                return .success(())
            }
        #expect(await response(good).error == nil)
        #expect(seen.all == [body])
        let bad = rig.manager.download("a", to: destination([.removePreviousFile]))
            .validate { _, _, _ in .failure(Refused()) }
        #expect(await response(bad).error?.underlyingError is Refused)
    }

    @Test("a download can be stopped and resumed later")
    func resumed() async throws {
        rig.answer(
            StubResponse(200, headers: ["ETag": "\"v\""], body: body).stalled(after: 600),
            StubResponse(
                206, headers: ["ETag": "\"v\"", "Content-Range": "bytes 600-999/1000"],
                body: body.suffix(400)))
        let progress = Recorder<Int64>()
        let request = rig.manager.download("a", to: destination())
            .downloadProgress { progress.add($0.completedUnitCount) }
        let responses = Recorder<AFDownloadResponse<Data>>()
        request.responseData { responses.add($0) }
        await progress.wait(for: 1)
        let given = Recorder<Data?>()
        request.cancel(byProducingResumeData: { given.add($0) })
        let data = try #require(await given.wait(for: 1)[0])
        let stopped = await responses.wait(for: 1)[0]
        #expect(stopped.error?.isExplicitlyCancelledError == true && stopped.resumeData == data)
        #expect(request.resumeData == data && request.isCancelled)
        let resumed = rig.manager.download(resumingWith: data, to: destination())
        #expect(await response(resumed).value?.path == directory.file("result").path)
        let written = try Data(contentsOf: directory.file("result"))
        #expect(written == body)
        #expect(rig.stub.requests.last?.headers["Range"] == "bytes=600-")
    }

    @Test(
        "a download starts over if the rest belongs to another file, with or without an adapter",
        arguments: [false, true])
    func startedOver(isAdapted: Bool) async throws {
        rig.answer(
            StubResponse(200, headers: ["ETag": "\"v\""], body: body).cut(after: 600),
            StubResponse(
                206, headers: ["ETag": "\"w\"", "Content-Range": "bytes 600-999/1000"],
                body: body.suffix(400)),
            StubResponse(200, headers: ["ETag": "\"w\""], body: body))
        let broken = await response(rig.manager.download("a", to: destination()))
        let data = try #require(broken.resumeData)
        let heads = Recorder<Int>()
        let resumed = rig.manager.download(
            resumingWith: data, interceptor: isAdapted ? Interceptor() : nil, to: destination())
        resumed.onHTTPResponse { response, completion in
            heads.add(response.statusCode)
            completion(.allow)
        }
        #expect(await response(resumed).error == nil)
        let written = try Data(contentsOf: directory.file("result"))
        #expect(written == body && heads.all == [206, 200])
    }

    @Test("resume data is produced by a cancel only on request")
    func cancelled() async throws {
        let slow = StubResponse(200, headers: ["ETag": "\"v\""], body: body).stalled(after: 600)
        rig.answer(slow, slow)
        for keeps in [false, true] {
            let progress = Recorder<Int64>()
            let request = rig.manager.download("a")
                .downloadProgress { progress.add($0.completedUnitCount) }
            let responses = Recorder<AFDownloadResponse<URL?>>()
            request.response { responses.add($0) }
            await progress.wait(for: 1)
            request.cancel(producingResumeData: keeps)
            #expect((await responses.wait(for: 1)[0].resumeData != nil) == keeps)
        }
        let late = Recorder<Data?>()
        let ended = rig.manager.download("a").cancel()
        _ = await response(ended)
        ended.cancel(byProducingResumeData: { late.add($0) })
        #expect(await late.wait(for: 1) == [nil])
    }

    @Test("invalid resume data fails the request")
    func badResumeData() async {
        let request = rig.manager.download(resumingWith: Data("x".utf8))
        let error = await response(request).error
        #expect(error?.stage == .request && rig.stub.requests.isEmpty)
    }

    @Test("files are read as data, strings, values and URLs")
    func handlers() async throws {
        struct User: Decodable, Sendable { let name: String }
        let text = #"{"name":"Ann"}"#
        rig.answer((0..<5).map { _ in StubResponse(200, body: Data(text.utf8)) })
        let log = Recorder<String>()
        rig.manager.download("a").responseData { log.add("\($0.value?.count ?? 0)") }
        await log.wait(for: 1)
        rig.manager.download("a").responseString { log.add($0.value ?? "none") }
        await log.wait(for: 2)
        rig.manager.download("a").responseDecodable(of: User.self) { log.add($0.value?.name ?? "") }
        await log.wait(for: 3)
        rig.manager.download("a").response(responseSerializer: .url) {
            log.add("\($0.value?.isFileURL == true)")
        }
        #expect(await log.wait(for: 4) == ["14", text, "Ann", "true"])
        let response = await rig.manager.download("a").serializingDecodable(User.self).response
        #expect(response.value?.name == "Ann" && response.fileURL != nil)
    }

    @Test("the async forms of downloads")
    func asyncForms() async throws {
        rig.answer((0..<5).map { _ in StubResponse(200, body: body) })
        let url = try await rig.manager.download("a", to: destination())
            .serializingDownloadedFileURL().value
        #expect(url.path == directory.file("result").path)
        let kept = try await rig.manager.download("a").serializingDownloadedFileURL().value
        let bytes = try Data(contentsOf: kept)
        #expect(bytes == body)
        try FileManager.default.removeItem(at: kept)
        #expect(try await rig.manager.download("a").serializingData().value == body)
        let text = await rig.manager.download("a").serializingString(encoding: .isoLatin1).result
        #expect((try? text.get().unicodeScalars.count) == 1000)
        let own = try await rig.manager.download("a")
            .serializingDownload(using: HTTPResponseSerializer()).value
        #expect(own == body)
    }

    @Test("a ported serializer gets the file, and its error becomes the request's")
    func portedSerializer() async throws {
        struct Length: DownloadResponseSerializerProtocol {
            func serializeDownload(
                request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?,
                error: (any Error)?
            ) throws -> Int {
                guard let fileURL, request != nil, response?.statusCode == 200 else {
                    throw URLError(.fileDoesNotExist)
                }
                return try Data(contentsOf: fileURL).count
            }
        }
        struct Both: DataResponseSerializerProtocol, DownloadResponseSerializerProtocol {
            func serialize(
                request: URLRequest?, response: HTTPURLResponse?, data: Data?,
                error: (any Error)?
            ) throws -> Int { data?.count ?? 0 }
        }
        rig.answer((0..<2).map { _ in StubResponse(200, body: body) })
        let counts = Recorder<Int?>()
        rig.manager.download("a").response(responseSerializer: Length()) { counts.add($0.value) }
        await counts.wait(for: 1)
        let both = await rig.manager.download("a").serializingDownload(using: Both()).response
        #expect(both.value == 1000 && counts.all == [1000])
        // Its reported size is 0.
        let status = try Both().serializeDownload(
            request: nil, response: nil, fileURL: URL(fileURLWithPath: "/proc/self/status"),
            error: nil)
        #expect(status > 0)
    }
}
