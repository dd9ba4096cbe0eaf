import BluebonnetFixtureServer
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("The watch over connections that old versions read without an end", .timeLimit(.minutes(5)))
struct FloodGuardTests {
    @Test(
        "many trailers that are read at once are no flood",
        .enabled(
            if: !LibcurlVersion.isRunning(atLeast: LibcurlVersion.oldestWithSafeHTTP2),
            "libcurl 8.14 takes only some of them"))
    func trailers() async throws {
        let count = 1_000_000
        var text = Array(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n".utf8)
        for _ in 0..<count { text += Array("A: b\r\n".utf8) }
        let server = try FaultServer(FaultScript([.request, .send(text + Array("\r\n".utf8))]))
        var exchange = Exchange(
            method: "GET", url: "http://127.0.0.1:\(server.port)/",
            pool: Exchange.Pool(httpVersion: .http2))
        // Has much read in one call.
        exchange.receiveWindow = 1_000_000
        exchange.limits.trailerFieldCount = .max
        exchange.limits.trailerSize = .max
        let record = await CurlTransport().perform(exchange)
        #expect(record.failure == nil)
        #expect(record.body == Data("good".utf8))
    }
}
