import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("Endless redirect bodies, over sockets", .timeLimit(.minutes(5)))
struct EndlessRedirectTests {
    enum Kind: CaseIterable, Sendable { case data, download, stream }

    let server: FixtureServer
    let manager: HTTPSessionManager
    let directory: ServerDirectory

    init() throws {
        server = try FixtureServer()
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
        directory = try ServerDirectory()
        let block = [UInt8](repeating: 7, count: 16 * 1024)
        server.route("/from") { _ in
            .script([
                .send(Array("HTTP/1.1 302 Found\r\nLocation: /bytes/1000\r\n\r\n".utf8)),
                .generate { _ in [.send(block)] },
            ])
        }
    }

    func body(of kind: Kind) async throws -> [UInt8] {
        let request = URLRequest(url: try #require(manager.url(for: "from")))
        switch kind {
        case .data:
            let response = await manager.response(
                for: request, serializer: HTTPResponseSerializer())
            return [UInt8](try response.result.get())
        case .download:
            let place = URL(fileURLWithPath: directory.path(of: "result"))
            let response = await manager.download(for: request, destination: { _ in place })
            let file = try FileHandle(forReadingFrom: response.result.get())
            return [UInt8](try file.readToEnd() ?? Data())
        case .stream:
            var bytes: [UInt8] = []
            for try await piece in try await manager.stream(for: request) { bytes += piece }
            return bytes
        }
    }

    @Test("the redirects are followed, and their connections are closed", arguments: Kind.allCases)
    func followed(kind: Kind) async throws {
        #expect(try await body(of: kind) == DeterministicBytes.prefix(1000))
        // The other one can be kept for later.
        #expect(await onSeparateThread { server.wait(upTo: 10_000) { $0.openConnections <= 1 } })
    }
}
