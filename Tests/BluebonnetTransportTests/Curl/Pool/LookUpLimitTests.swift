import BluebonnetFixtureServer
import BluebonnetTestSupport
import CBluebonnetTestResolver
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("The limit of look-ups", .timeLimit(.minutes(2)))
struct LookUpLimitTests {
    private let server: FixtureServer
    private let transport = CurlTransport()
    private let pool = Exchange.Pool()
    /// Names of their own for each test, because tests run at the same time.
    private let domain = "\(UInt32.random(in: 0 ... .max)).test"

    init() throws { server = try FixtureServer() }

    private func exchange(_ host: String, _ path: String = "/text") -> Exchange {
        Exchange(method: "GET", url: "http://\(host):\(server.port)\(path)", pool: pool)
    }

    /// Begins exchanges with as many slow names as can be looked up at once, and more.
    private func beginSlowLookUps(
        milliseconds: Int, count: Int, prefix: String = "n"
    ) async -> [(recorder: ExchangeRecorder, transfer: any Transfer)] {
        #expect(bt_resolver_answer("*.slow.\(domain)", "+\(milliseconds),127.0.0.1") == 0)
        let slow = (0..<count).map { transport.begin(exchange("\(prefix)\($0).slow.\(domain)")) }
        #expect(await SystemSockets.settles { lookUpCount >= 32 })
        return slow
    }

    private var lookUpCount: Int { Int(bt_resolver_count("*.slow.\(domain)")) }

    @Test("slow look-ups hold up no exchange that looks up nothing")
    func others() async {
        for name in ["idle", "known"] {
            #expect(bt_resolver_answer("\(name).\(domain)", "127.0.0.1") == 0)
        }
        let closing = [Exchange.Field(name: "Connection", value: "close")]
        let others = [
            exchange("idle.\(domain)"), exchange("127.0.0.1"), exchange("localhost"),
            exchange("known.\(domain)").with { $0.fields = closing },
        ]
        for other in [others[0], others[3]] {
            #expect(await transport.perform(other).failure == nil)
        }
        let slow = await beginSlowLookUps(milliseconds: 20_000, count: 40)
        for _ in 0..<3 {
            for other in others { #expect(await transport.perform(other).failure == nil) }
        }
        #expect(slow.allSatisfy { $0.recorder.now.ends.isEmpty })
        #expect(lookUpCount == 32)
        for pair in slow { pair.transfer.cancel() }
    }

    @Test("they hold up no exchange through a proxy whose address is known")
    func proxied() async throws {
        let proxy = try await HTTPProxyServer()
        let pool = Exchange.Pool(
            route: .init(proxy: .init(.http, host: "127.0.0.1", port: Int(proxy.port))))
        let slow = await beginSlowLookUps(milliseconds: 20_000, count: 40)
        let proxied = exchange("127.0.0.1").with { $0.pool = pool }
        #expect(await transport.perform(proxied).failure == nil)
        #expect(slow.allSatisfy { $0.recorder.now.ends.isEmpty })
        for pair in slow { pair.transfer.cancel() }
    }

    @Test("an exchange beyond it looks up its name when another look-up ends, and loses nothing")
    func waiting() async {
        let slow = await beginSlowLookUps(milliseconds: 300, count: 100)
        for pair in slow { #expect(await pair.recorder.atEnd.failure == nil) }
        #expect(lookUpCount == 100)
        // All look-ups are returned.
        let again = await beginSlowLookUps(milliseconds: 1, count: 100, prefix: "m")
        for pair in again { #expect(await pair.recorder.atEnd.failure == nil) }
    }

    @Test("exchanges that wait for a look-up hold no connection, and can be canceled")
    func connections() async {
        let slow = await beginSlowLookUps(milliseconds: 20_000, count: 700)
        #expect(await transport.perform(exchange("127.0.0.1")).failure == nil)
        for pair in slow.reversed() { pair.transfer.cancel() }
        for pair in slow { #expect(await pair.recorder.atEnd.failure?.code == .cancelled) }
        #expect(await transport.perform(exchange("localhost")).failure == nil)
    }

    @Test("the timeouts of an exchange that waits for a look-up are those of the queue")
    func timeouts() async {
        let slow = await beginSlowLookUps(milliseconds: 20_000, count: 32)
        var late = exchange("late.slow.\(domain)")
        late.timeouts = .init(connect: 0.1, idle: 0.1, queue: 0.4)
        #expect(await transport.perform(late).failure?.timeout == .queue)
        for pair in slow { pair.transfer.cancel() }
    }
}
