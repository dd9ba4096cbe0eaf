import BluebonnetFixtureServer
import BluebonnetTestSupport
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Quirks of libcurl's versions", .timeLimit(.minutes(5)))
struct LibcurlQuirksTests {
    @Test(
        "a request for HTTP/2 is refused below 8.14, and if libcurl is built without it",
        arguments: [
            (0x07_5801, true, false), (0x08_0DFF, true, false), (0x08_0E00, true, true),
            (0x08_0E00, false, false),
        ])
    func http2(version: Int, isBuiltWithHTTP2: Bool, isSpoken: Bool) {
        let quirks = LibcurlQuirks(
            version: UInt32(version), isBuiltWithHTTP2: isBuiltWithHTTP2)
        #expect(quirks.speaksHTTP2 == isSpoken)
        for asked in [Exchange.HTTPVersion.http2, .http2PriorKnowledge] {
            #expect(isRefused(asked, by: quirks) == !isSpoken)
        }
        for other in [Exchange.HTTPVersion.automatic, .http1] {
            #expect(!isRefused(other, by: quirks))
        }
    }

    private func isRefused(_ version: Exchange.HTTPVersion, by quirks: LibcurlQuirks) -> Bool {
        do {
            try quirks.check(version)
            return false
        } catch {
            return true
        }
    }

    @Test(
        "below 8.14, a request for HTTP/2 fails with the required version and where to get it",
        .disabled(if: LibcurlQuirks.current.speaksHTTP2),
        arguments: [Exchange.HTTPVersion.http2, .http2PriorKnowledge])
    func failure(version: Exchange.HTTPVersion) async throws {
        let server = try FixtureServer()
        let pool = Exchange.Pool(httpVersion: version)
        let record = await CurlTransport().perform(
            Exchange(method: "GET", url: server.baseURL + "/text", pool: pool))
        let message = try #require(record.failure).message
        let loaded = try LibcurlVersion.running.get().text
        for part in ["8.14", loaded, "bookworm-backports", ".automatic"] {
            #expect(message.contains(part), "\(message)")
        }
        #expect(server.wait(upTo: 0) { $0.acceptedConnections == 0 })
    }

    @Test(
        "below 8.14 the default is HTTP/1.1, even if TLS could negotiate HTTP/2",
        .disabled(if: LibcurlQuirks.current.speaksHTTP2))
    func automatic() async throws {
        let server = try await MultiplexingServer()
        let pool = Exchange.Pool(certificateAuthorityFile: server.authority)
        let record = await CurlTransport().perform(
            Exchange(
                method: "GET", url: "https://localhost:\(server.securePort)/text", pool: pool))
        #expect(record.failure == nil)
        #expect(record.ends.first?.metrics.protocolVersion == "HTTP/1.1")
    }
}
