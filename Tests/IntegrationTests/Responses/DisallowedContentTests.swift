import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTargets
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("Content that HTTP does not allow", .timeLimit(.minutes(5)))
struct DisallowedContentTests {
    private struct User: Codable, Sendable {
        var name: String
    }

    private struct Target: TargetType {
        let baseURL: URL
        let path = "reset"
        let method = HTTPMethod.get
        let task = TargetTask.requestPlain
        let headers: [String: String]? = nil
    }

    /// The ways to receive a response.
    enum Way: CaseIterable {
        case verb, handler, task, chain, chainText, optional, target, download, chainDownload
        case stream, chainStream
    }

    /// The fields and the body after the status line.
    static let bodies = [
        "Content-Length: 14\r\n\r\n{\"name\":\"Ada\"}",
        "Transfer-Encoding: chunked\r\n\r\ne\r\n{\"name\":\"Ada\"}\r\n0\r\n\r\n",
        "Connection: close\r\n\r\n{\"name\":\"Ada\"}",
        "Content-Type: text/html\r\nContent-Length: 5\r\n\r\n<html",
        "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\njunk",
        "Content-Length: 0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ]

    private let server: FixtureServer
    private let manager: HTTPSessionManager
    private let file: URL
    private let directory: ServerDirectory

    init() throws {
        server = try FixtureServer()
        var configuration = SessionConfiguration()
        // Smaller than the content, which is not part of the response.
        configuration.maximumResponseBodySize = 3
        configuration.maximumStreamedBodySize = 3
        manager = HTTPSessionManager(
            baseURL: URL(string: server.baseURL), configuration: configuration)
        directory = try ServerDirectory()
        file = URL(fileURLWithPath: directory.path(of: "result"))
    }

    private func answer(_ status: Int, _ rest: String) {
        let bytes = Array("HTTP/1.1 \(status) Reset\r\n\(rest)".utf8)
        let closes = rest.hasPrefix("Connection: close")
        server.route("/reset") { _ in
            .script([.send(bytes), closes ? .close : .endRequest])
        }
    }

    /// Returns the number of bytes that arrive in one way.
    private func count(_ way: Way) async throws -> Int {
        let url = server.baseURL + "/reset"
        switch way {
        case .verb: return try await manager.get("reset").count
        case .handler:
            let response = await withCheckedContinuation { continuation in
                manager.get("reset", serializer: HTTPResponseSerializer()) {
                    continuation.resume(returning: $0)
                }
            }
            return try response.result.get().count + (response.data?.count ?? 0)
        case .task:
            let request = URLRequest(url: try #require(manager.url(for: "reset")))
            let response = await manager.response(
                for: request, serializer: HTTPResponseSerializer())
            return try response.result.get().count + (response.data?.count ?? 0)
        case .chain:
            let response = await manager.request(url).validate(contentType: ["image/png"])
                .serializingData().response
            return try response.result.get().count + (response.data?.count ?? 0)
        case .chainText:
            return try await manager.request(url).validate().serializingString().value.count
        case .optional:
            let user: User? = try await manager.get("reset")
            return user == nil ? 0 : 1
        case .target:
            let base = try #require(URL(string: server.baseURL))
            let provider = TargetProvider<Target>(session: manager)
            return try await provider.request(Target(baseURL: base)).data.count
        case .download:
            let place = try await manager.download(
                "reset", to: file, options: .file(.removePreviousFile))
            return try size(of: place)
        case .chainDownload:
            let place = try await manager.download(url).validate()
                .serializingDownloadedFileURL().value
            return try size(of: place)
        case .stream:
            var count = 0
            for try await piece in try await manager.stream("reset") { count += piece.count }
            return count
        case .chainStream:
            var count = 0
            for await event in manager.streamRequest(url).streamTask().streamingData() {
                switch event.event {
                case .stream(.success(let data)): count += data.count
                case .complete(let completion): if let error = completion.error { throw error }
                }
            }
            return count
        }
    }

    private func size(of file: URL) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? -1
    }

    @Test("a 205 response is empty, in every way to receive it", arguments: bodies, Way.allCases)
    func reset(body: String, way: Way) async throws {
        answer(205, body)
        #expect(try await count(way) == 0)
    }

    @Test("the content of a 205 response is read, so that its connection is kept")
    func connection() async throws {
        for body in Self.bodies where !body.hasPrefix("Connection: close") {
            answer(205, body)
            try await manager.get("reset")
            let request = URLRequest(url: try #require(manager.url(for: "status/204")))
            let next = await manager.response(
                for: request, serializer: HTTPResponseSerializer())
            #expect(next.isConnectionReused == true && next.head?.statusCode == 204, "\(body)")
        }
    }

    @Test("a type without an empty value is one error, in every way to decode it")
    func typed() async throws {
        for (status, body) in Self.bodies.map({ (205, $0) }) + [(204, "\r\n")] {
            answer(status, body)
            let verb = await #expect(throws: BluebonnetError.self) {
                let _: User = try await manager.get("reset")
            }
            let chain = await manager.request(server.baseURL + "/reset")
                .serializingDecodable(User.self).response.error
            let file = await manager.download(server.baseURL + "/reset")
                .serializingDecodable(User.self).response.error
            for error in [verb, chain, file] {
                let text = try #require(error).description
                #expect(
                    text.contains("the body is empty, and User has no empty value"), "\(text)")
            }
        }
    }

    @Test("endless content ends the task, however it is received", arguments: Way.allCases)
    func endless(way: Way) async throws {
        let bytes = [UInt8](repeating: 7, count: 64 * 1024)
        server.route("/reset") { _ in
            .script([
                .send(Array("HTTP/1.1 205 Reset\r\nConnection: close\r\n\r\n".utf8)),
                .repeatForever(bytes),
            ])
        }
        do {
            let count = try await count(way)
            Issue.record("\(count)")
        } catch {
            #expect("\(error)".contains("larger than the limit of 33554432 bytes"), "\(error)")
        }
    }
}
