import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Downloads from a server that breaks off", .timeLimit(.minutes(5)))
struct DownloadRangeTests {
    let rig: StubDownloadRig
    let place: URL

    init() throws {
        rig = try StubDownloadRig()
        place = rig.directory.file("result")
    }

    /// Returns bytes in which every offset error smaller than the block length is visible.
    static func bytes(_ count: Int) -> Data {
        let block = Data(sampleBytes(9973))
        var bytes = Data(capacity: count)
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        return bytes
    }

    /// Serves a file and its ranges, cut after the given byte counts, and then complete.
    private func serve(_ bytes: Data, tag: String, cuts: [Int] = []) -> StubRoute {
        let cuts = Locked(cuts[...])
        return rig.stub.on("/file") { request in
            let range = request.headers["Range"].flatMap {
                Int($0.dropFirst("bytes=".count).dropLast())
            }
            let start = range ?? 0
            var response = StubResponse(
                range == nil ? 200 : 206, headers: ["ETag": "\"\(tag)\""],
                body: bytes.dropFirst(start)
            ).inPieces(of: 16 * 1024)
            if range != nil {
                response = response.header(
                    "Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)")
            }
            return cuts.withLock { $0.popFirst() }.map { response.cut(after: $0) } ?? response
        }
    }

    private func download() async throws -> Response<URL> {
        await rig.manager.download(
            for: try rig.request(), destination: { [place] _ in place },
            options: .keepsPartialFile)
    }

    private func resume(_ data: Data) async -> Response<URL> {
        await rig.manager.download(withResumeData: data, destination: { [place] _ in place })
    }

    @Test(
        "a download that breaks ten times is resumed ten times, with the right bytes (fault 82)"
    )
    func resumed() async throws {
        let bytes = Self.bytes(3_000_000)
        var random = SeededGenerator(seed: 82)
        let cuts = (0..<10).map { _ in
            Int.random(in: 1...bytes.count / 11, using: &random)
        }
        let route = serve(bytes, tag: "a", cuts: cuts)
        var response = try await download()
        for _ in 0..<10 {
            let data = try #require(response.error?.resumeData, "\(response)")
            response = await resume(data)
        }
        #expect(response.error == nil)
        #expect(try Data(place.bytes) == bytes)
        #expect(try rig.directory.names == ["result"])
        let offsets = (1...10).map { cuts.prefix($0).reduce(0, +) }
        #expect(
            route.requests.map { $0.headers["Range"] } == [nil] + offsets.map { "bytes=\($0)-" })
    }

    @Test("a file that has changed on the server is downloaded again (fault 82)")
    func changedOnServer() async throws {
        let route = serve(Self.bytes(200_000), tag: "a", cuts: [70_000])
        let data = try #require(try await download().error?.resumeData)
        rig.stub.remove(route)
        let bytes = Data(Self.bytes(300_001).dropFirst())
        let other = serve(bytes, tag: "b")
        let response = await resume(data)
        #expect(response.error == nil)
        #expect(try Data(place.bytes) == bytes)
        #expect(try rig.directory.names == ["result"])
        #expect(other.requests.map { $0.headers["Range"] } == ["bytes=70000-", nil])
    }

    @Test(
        "a part that was not requested fails and leaves no file (fault 36)",
        arguments: ["bytes 0-9/20", "bytes 10-19/20", "bytes 0-9/*", "nonsense", nil])
    func unrequestedPart(range: String?) async throws {
        let fields = range.map { ["Content-Range": $0] } ?? [:]
        rig.stub.on(
            "/file", StubResponse(206, headers: HTTPHeaders(fields), body: Self.bytes(10)))
        let response = try await download()
        let error = try #require(response.error)
        #expect(error.urlError.code == .cannotParseResponse && error.resumeData == nil)
        #expect(
            "\(error)".hasPrefix("the server sent only a part of the file"), "\(error)")
        #expect(range.map { "\(error)".contains($0) } ?? true)
        #expect(try rig.directory.names == [])
    }

    @Test("a 206 with all bytes, or with a range that the request has, is a file")
    func requestedPart() async throws {
        let bytes = Self.bytes(10)
        let part = { StubResponse(206, headers: ["Content-Range": $0], body: bytes) }
        rig.stub.on("/file", part("bytes 0-9/10"), part("bytes 5-14/20"))
        #expect(try await download().error == nil)
        #expect(try Data(place.bytes) == bytes)
        var request = try rig.request()
        request.setValue("bytes=5-14", forHTTPHeaderField: "Range")
        let place = rig.directory.file("part")
        let response = await rig.manager.download(for: request, destination: { _ in place })
        #expect(response.error == nil)
        #expect(try Data(place.bytes) == bytes)
    }

    @Test("the progress of a download does not count the body of an error")
    func progressOfError() async throws {
        let counts = Recorder<Int64>()
        rig.stub.on("/file", .data(Self.bytes(5000), status: 503), .data(Self.bytes(100)))
        for isAccepted in [false, true] {
            let response = await rig.manager.download(
                for: try rig.request(), destination: { [place] _ in place },
                progress: { counts.add($0.completedUnitCount) })
            #expect((response.error == nil) == isAccepted)
        }
        #expect(Set(counts.all).isSubset(of: [0, 100]) && counts.all.contains(100))
    }

    @Test("a 416 with a body completes a file that was whole (fault 82)")
    func rangeNotSatisfiable() async throws {
        let bytes = Self.bytes(50_000)
        rig.stub.on(
            "/file", where: { $0.headers["Range"] == nil },
            StubResponse.file(bytes, ["ETag": #""a""#, "Transfer-Encoding": "chunked"])
                .cut(after: 50_000))
        rig.stub.on(
            "/file", where: { $0.headers["Range"] == "bytes=50000-" },
            StubResponse(
                416, headers: ["Content-Range": "bytes */50000"],
                body: Data("there is no more".utf8)))
        let data = try #require(try await download().error?.resumeData)
        let response = await resume(data)
        #expect(response.error == nil)
        #expect(try Data(place.bytes) == bytes)
        try rig.stub.verify()
    }
}
