import BluebonnetFixtureServer
import Foundation
import Glibc
import Testing

@Suite("Starting and stopping")
struct LifecycleTests {
    private let mark = UUID().uuidString

    private func markedServer() throws -> FixtureServer {
        let server = try FixtureServer()
        server.route("/mark") { [mark] _ in .text(mark) }
        return server
    }

    /// Whether the marked server answers.
    ///
    /// The server of another test can have the same port by now.
    private func serverAnswers(at port: UInt16) -> Bool {
        guard let client = try? ClientSocket(port: port) else { return false }
        return (try? client.get("/mark").text) == mark
    }

    @Test("stop() closes open connections and can be called again")
    func stopWithConnections() throws {
        let server = try markedServer()
        let clients = try (0..<20).map { _ in try ClientSocket(port: server.port) }
        for client in clients { try client.send("GET /hang HTTP/1.1\r\nHost: h\r\n\r\n") }
        #expect(server.wait(upTo: 20_000) { $0.requests == 20 })
        server.stop()
        server.stop()
        #expect(server.openConnectionCount == 0)
        for client in clients { #expect(try client.readToEnd().isEmpty) }
        #expect(!serverAnswers(at: server.port))
        server.closeIdleConnections()
    }

    @Test("A server without references stops")
    func deinitialization() throws {
        var server: FixtureServer? = try markedServer()
        let port = try #require(server?.port)
        #expect(server?.baseURL == "http://127.0.0.1:\(port)")
        server = nil
        #expect(!serverAnswers(at: port))
    }

    @Test("Several threads can stop the same server")
    func concurrentStop() async throws {
        let server = try markedServer()
        #expect(serverAnswers(at: server.port))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { server.stop() } }
        }
        #expect(!serverAnswers(at: server.port))
    }

    @Test("A handler can stop its server and change routes")
    func stopFromHandler() throws {
        let server = try markedServer()
        server.route("/stop") { [unowned server] _ in
            server.route("/json") { _ in .text("replaced") }
            server.resetAllConnections()
            server.stop()
            return .script([.hold])
        }
        let client = try ClientSocket(port: server.port)
        try client.send("GET /stop HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(throws: ClientSocketError(code: ECONNRESET)) { try client.readToEnd() }
        server.stop()
        #expect(!serverAnswers(at: server.port))
    }

    @Test("A registered route replaces a built-in one, and the longest prefix wins")
    func routing() throws {
        let server = try FixtureServer()
        let client = try ClientSocket(port: server.port)
        server.route("/json") { _ in .json("[]") }
        server.route("/*") { _ in .text("any") }
        server.route("/a/*") { _ in .text("a") }
        server.route("/a/b") { _ in .text("exact", status: 201) }
        #expect(try client.get("/json").text == "[]")
        #expect(try client.get("/text").text == "any")
        #expect(try client.get("/a/c").text == "a")
        #expect(try client.get("/a/b").status == 201)
    }

    @Test("/json is answered in spite of a thousand hanging connections")
    func thousandConnections() throws {
        let server = try FixtureServer()
        let clients = try (0..<1000).map { _ in try ClientSocket(port: server.port) }
        for client in clients { try client.send("GET /hang HTTP/1.1\r\nHost: h\r\n\r\n") }
        #expect(server.wait(upTo: 20_000) { $0.requests == 1000 && $0.openConnections == 1000 })
        let other = try ClientSocket(port: server.port)
        #expect(try other.get("/json").status == 200)
        #expect(server.openConnectionCount == 1001)
    }
}
