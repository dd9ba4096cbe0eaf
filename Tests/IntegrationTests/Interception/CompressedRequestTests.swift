import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("Compressed request bodies, over sockets", .timeLimit(.minutes(5)))
struct CompressedRequestTests {
    private static let text = (0..<20_000).map { "line \($0) of a text\n" }.joined()

    @Test(
        "the coding's tool decodes what arrives, and the length is that of the encoded body",
        arguments: [
            (RequestCompressor.Coding.gzip, ["gzip", "-dc"]), (.zstd, ["zstd", "-dc"]),
            (
                .deflate,
                [
                    "/usr/bin/python3", "-c",
                    "import sys, zlib; sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()))",
                ]
            ),
        ])
    func interop(coding: RequestCompressor.Coding, tool: [String]) async throws {
        let server = try FixtureServer()
        server.recordsRequests = true
        let manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
        manager.requestSerializer = JSONRequestSerializer()
        manager.interceptors = [.compressor(coding)]
        let echoed = try await manager.post("echo-body", parameters: ["text": Self.text])
        let request = try #require(server.recordedRequests.last)
        #expect(request.headers["Content-Encoding"] == coding.rawValue)
        #expect(request.headers.values(of: "Content-Length") == ["\(request.body.count)"])
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(Data(request.body) == echoed && echoed.count < Self.text.utf8.count / 4)
        var command = SystemCommand(tool[0], Array(tool.dropFirst()))
        command.input = echoed
        let output = try command.output()
        let decoded = try JSONDecoder().decode([String: String].self, from: output)
        #expect(decoded == ["text": Self.text])
    }
}
