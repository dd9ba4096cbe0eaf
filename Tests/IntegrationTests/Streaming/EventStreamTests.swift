import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("Server-sent events over sockets", .timeLimit(.minutes(5)))
struct EventStreamTests {
    private let server: FixtureServer
    private let manager: HTTPSessionManager

    init() throws {
        server = try FixtureServer()
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
    }

    private static let head = FixtureReply.Step.send(
        Array(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n".utf8))

    /// An endless feed whose blocks are counted as they are sent.
    private func serveFeed(counting sent: Locked<Int>) {
        let block = Array(
            String(repeating: "data: \(String(repeating: "x", count: 92))\n\n", count: 600).utf8)
        server.route("/feed") { _ in
            .script([
                Self.head,
                .generate { _ in
                    sent.withLock { $0 += block.count }
                    return [.send(block)]
                },
            ])
        }
    }

    @Test("a reader of few events a second stops a fast sender, and its cancel ends the connection")
    func slowReader() async throws {
        let sent = Locked(0)
        serveFeed(counting: sent)
        let reader = Task {
            var count = 0
            for try await event in manager.events("feed") {
                #expect(event.data.utf8.count == 92)
                count += 1
                try await Task.sleep(for: .milliseconds(20))
            }
            return count
        }
        // The server has stopped when it has sent nothing for a fifth of a second.
        var (before, quiet) = (-1, 0)
        while quiet < 20 {
            try await Task.sleep(for: .milliseconds(10))
            let now = sent.withLock { $0 }
            quiet = now == before && now > 0 ? quiet + 1 : 0
            before = now
        }
        // The sockets of both sides, the buffer of the stream, and one piece.
        #expect(before < 16 << 20, "\(before)")
        let start = MonotonicClock.seconds
        reader.cancel()
        _ = await reader.result
        // Not after the events that wait in buffers, which would take minutes.
        #expect(MonotonicClock.seconds - start < 5)
        #expect(await onSeparateThread { server.wait(upTo: 10_000) { $0.openConnections == 0 } })
    }

    @Test("an event source reads every event once over connections that are reset and closed")
    func reconnects() async throws {
        let last = 300
        server.route("/feed") { request in
            let id = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
            guard id < last else { return .response(status: 204) }
            let text = (id + 1...min(id + 7, last)).map { "id: \($0)\ndata: \($0)\n\n" }.joined()
            let bytes = Array(text.utf8)
            switch id % 3 {
            case 0: return .script([Self.head, .send(Array(bytes.dropLast(3))), .reset])
            case 1: return .script([Self.head, .send(bytes), .close])
            default: return .script([Self.head, .send(bytes), .send(Array("id: 9".utf8)), .close])
            }
        }
        var policy = EventSource.Policy()
        (policy.reconnectionTime, policy.minimumDelay) = (.milliseconds(1), .milliseconds(1))
        policy.maximumDelay = .milliseconds(20)
        var found: [String] = []
        for try await event in manager.eventSource("feed", policy: policy) {
            found.append(event.data)
        }
        #expect(found == (1...last).map { "\($0)" })
    }

    @Test("a refused feed fails with its body, and a document that is no feed with its type")
    func refused() async throws {
        server.route("/none") { _ in .json(#"{"error":"no feed"}"#, status: 404) }
        server.route("/document") { _ in .json("{}") }
        let refused = await #expect(throws: BluebonnetError.self) {
            for try await _ in manager.events("none") {}
        }
        #expect(refused?.context.data == Data(#"{"error":"no feed"}"#.utf8))
        let document = await #expect(throws: BluebonnetError.self) {
            for try await _ in manager.events("document") {}
        }
        guard case .unacceptableContentType("application/json", _, _)? = document else {
            Issue.record("\(String(describing: document))")
            return
        }
    }
}
