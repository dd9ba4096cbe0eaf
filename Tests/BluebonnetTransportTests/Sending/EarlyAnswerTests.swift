import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("Responses before the body is sent", .timeLimit(.minutes(5)))
struct EarlyAnswerTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture()
    }

    enum Ending: CaseIterable {
        /// Continues to read, as well-behaved servers do.
        case readsOn
        /// Closes with unread bytes, which resets the connection.
        case closes
        case closesAtOnce
    }

    @Test(
        "a response that arrives while the body is being sent is the response",
        arguments: Ending.allCases,
        [
            "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno",
            "HTTP/1.1 413 Too Large\r\nTransfer-Encoding: chunked\r\n\r\n1;x\r\nn\r\n1\r\no\r\n0\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Too Large\r\nConnection: close\r\n\r\nno",
        ]
    )
    func earlyAnswer(ending: Ending, answer: String) async throws {
        let hasLength = !answer.contains("close")
        // Without a length, the server's close is the end.
        guard hasLength || ending != .readsOn else { return }
        let server = try RawServer { connection, _ in
            connection.readHead()
            if ending != .closesAtOnce { connection.read(100_000) }
            connection.send(answer)
            if ending == .readsOn { connection.read(.max) }
        }
        let bytes = DeterministicBytes.prefix(10_000_000)
        for body in [Exchange.Body.data(Data(bytes)), .scripted(bytes, length: nil)] {
            for _ in 0..<15 {
                var exchange = Exchange(method: "POST", url: server.baseURL, pool: fixture.pool)
                exchange.body = body
                let record = await fixture.transport.perform(exchange)
                #expect(record.head?.statusCode == 413, "\(record.failure?.description ?? "")")
                // Without a length, it depends on whether the end arrives before the reset.
                if hasLength { #expect(record.failure == nil) }
                #expect(record.body == Data("no".utf8))
            }
        }
    }

    @Test("a response without a length that a reset cuts off is an error, with the bytes so far")
    func cutResponse() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 413 Too Large\r\nConnection: close\r\n\r\nno")
            connection.resetAtClose()
        }
        let bytes = DeterministicBytes.prefix(10_000_000)
        for body in [Exchange.Body.data(Data(bytes)), .scripted(bytes, length: nil)] {
            for _ in 0..<15 {
                var exchange = Exchange(method: "POST", url: server.baseURL, pool: fixture.pool)
                exchange.body = body
                let record = await fixture.transport.perform(exchange)
                #expect(record.failure?.code == .networkConnectionLost)
                #expect(record.head?.statusCode == 413)
                #expect(record.body == Data("no".utf8))
            }
        }
    }

    @Test(
        "a response with a chunk of maximum size fails",
        arguments: ["7fffffffffffffff", "7ffffffffffffffe", "ffffffffffffffff"])
    func enormousChunk(size: String) async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 413 X\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\nx")
        }
        let bytes = DeterministicBytes.prefix(10_000_000)
        for _ in 0..<15 {
            var exchange = Exchange(method: "POST", url: server.baseURL, pool: fixture.pool)
            exchange.body = .scripted(bytes, length: nil)
            #expect(await fixture.transport.perform(exchange).failure != nil)
        }
    }
}
