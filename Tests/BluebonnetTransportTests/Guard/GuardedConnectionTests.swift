import BluebonnetFixtureServer
import BluebonnetTestSupport
import CBluebonnetTestResolver
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

/// libcurl looks up names as usual, and `CBluebonnetTestResolver` replaces the system's resolver.
@Suite("The address guard at connections", .timeLimit(.minutes(5)))
struct GuardedConnectionTests {
    let server: FixtureServer
    let transport = CurlTransport()
    /// An address that represents the public internet.
    static let allowed = "127.0.0.1"

    init() throws {
        server = try FixtureServer()
    }

    static func addressGuard(
        _ change: (inout AddressGuard) throws -> Void = { _ in }
    ) throws -> AddressGuard {
        var addressGuard = AddressGuard.publicInternetOnly
        addressGuard.allowedRanges = [try AddressRange(allowed)]
        try change(&addressGuard)
        return addressGuard
    }

    /// Returns a unique name with these answers.
    private func name(_ answers: String) -> String {
        let name = "n\(UUID().uuidString.prefix(8).lowercased()).guard.test"
        #expect(bt_resolver_answer(name, answers) == 0)
        return name
    }

    private func get(_ host: String, _ pool: Exchange.Pool) async -> ExchangeRecorder.Record {
        await transport.perform(
            Exchange(method: "GET", url: "http://\(host):\(server.port)/text", pool: pool).with {
                $0.timeouts.whole = 20
            })
    }

    @Test(
        "a name is denied at every address that is not public, with its rule, without a socket",
        arguments: SpecialRange.all
    )
    func names(_ range: SpecialRange) async throws {
        let pool = Exchange.Pool(addressGuard: .publicInternetOnly)
        for address in [range.first, range.last] {
            let host = name(address)
            let record = await get(host, pool)
            let failure = try #require(record.failure)
            let denial = try #require(failure.denial, "\(failure) at \(address)")
            #expect(failure.code == .cannotConnectToHost)
            #expect(denial.rule == range.rule)
            #expect(denial.address == IPAddress(address)?.description)
            #expect(denial.host == host)
            #expect(denial.port == Int(server.port))
            #expect(failure.message.contains(host))
            #expect(failure.curlCode == nil)
            #expect(bt_resolver_count(host) == 1)
            #expect(record.ends.first?.metrics.remoteAddress == "")
        }
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test(
        "denied addresses of a name are skipped, and the others are used",
        arguments: [
            "10.0.0.1,127.0.0.1", "127.0.0.1,10.0.0.1", "::1,127.0.0.1", "127.0.0.1,::1",
            "fe80::1,10.0.0.1,::ffff:127.0.0.1,127.0.0.1", "127.0.0.2,127.0.0.1",
        ]
    )
    func mixed(_ answers: String) async throws {
        let pool = Exchange.Pool(addressGuard: try Self.addressGuard())
        let record = await get(name(answers), pool)
        #expect(record.failure == nil)
        #expect(record.head?.statusCode == 200)
        #expect(record.ends.first?.metrics.remoteAddress == Self.allowed)
    }

    @Test("a denied address takes no time")
    func promptness() async throws {
        let pool = Exchange.Pool(addressGuard: try Self.addressGuard())
        for answers in ["fe80::1,10.0.0.1,fe80::2,127.0.0.1", "10.0.0.1,fe80::1,10.0.0.2,fe80::2"] {
            var shortest = TimeInterval.infinity
            for _ in 0..<5 {
                let record = await get(name(answers), pool)
                #expect(record.failure?.timeout == nil)
                shortest = min(shortest, record.ends.first?.metrics.totalDuration ?? .infinity)
            }
            // After this time libcurl tries the other family.
            #expect(shortest < 0.2, "\(answers)")
        }
    }

    @Test("if all addresses of a name are denied, the failure is the guard's")
    func allDenied() async throws {
        let pool = Exchange.Pool(addressGuard: .publicInternetOnly)
        let record = await get(name("127.0.0.1,::1,10.0.0.1,fd00::1"), pool)
        let denial = try #require(record.failure?.denial)
        #expect(["127.0.0.1", "::1"].contains(denial.address))
        #expect(denial.rule == .loopback)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("if an allowed address does not answer, the failure mentions the denied one")
    func deniedAndRefusing() async throws {
        let refusing = try ReservedPort()
        defer { withExtendedLifetime(refusing) {} }
        let pool = Exchange.Pool(addressGuard: try Self.addressGuard())
        let host = name("10.0.0.1,127.0.0.1")
        let failure = try #require(
            await transport.perform(
                Exchange(method: "GET", url: "http://\(host):\(refusing.number)/", pool: pool)
            ).failure)
        #expect(failure.code == .cannotConnectToHost)
        #expect(failure.curlCode == 7)
        #expect(failure.denial == nil)
        #expect(failure.message.contains("10.0.0.1"))
    }

    @Test("a name that becomes private is denied (DNS rebinding)")
    func rebinding() async throws {
        let outside = try RawServer(
            at: #require(SocketAddress.ip("127.0.0.2")),
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let pool = Exchange.Pool(
            addressGuard: try Self.addressGuard {
                $0.allowedRanges = [try AddressRange("127.0.0.2")]
            })
        let host = name("127.0.0.2;127.0.0.1")
        let first = await transport.perform(
            Exchange(method: "GET", url: "http://\(host):\(outside.port)/", pool: pool))
        #expect(first.head?.statusCode == 200)
        // libcurl caches a look-up for one port.
        let second = await get(host, pool)
        #expect(second.failure?.denial?.address == "127.0.0.1")
        #expect(bt_resolver_count(host) == 2)
        #expect(outside.acceptedCount == 1)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("an open connection is reused, but never with another guard")
    func reuse() async throws {
        let open = Exchange.Pool()
        let guarded = Exchange.Pool(addressGuard: try Self.addressGuard())
        let strict = Exchange.Pool(addressGuard: .publicInternetOnly)
        let host = name("127.0.0.1")
        for pool in [open, guarded] {
            for isReused in [false, true, true] {
                let record = await get(host, pool)
                #expect(record.failure == nil)
                #expect(record.ends.first?.metrics.isConnectionReused == isReused)
            }
        }
        #expect(await get(host, strict).failure?.denial?.rule == .loopback)
        #expect(server.acceptedConnectionCount == 2)
        #expect(server.requestCount == 6)
    }

    @Test(
        "exchanges that share an HTTP/2 connection are checked and served",
        .enabled(if: LibcurlQuirks.current.speaksHTTP2))
    func multiplexing() async throws {
        let nginx = try await MultiplexingServer()
        let url = "https://localhost:\(nginx.securePort)/text"
        func pool(_ addressGuard: AddressGuard) -> Exchange.Pool {
            Exchange.Pool(
                certificateAuthorityFile: nginx.authority, httpVersion: .http2,
                addressGuard: addressGuard)
        }
        let guarded = pool(try Self.addressGuard())
        for count in [1, 8] {
            let recorders = (0..<count).map { _ in
                transport.begin(Exchange(method: "GET", url: url, pool: guarded)).recorder
            }
            for recorder in recorders {
                let record = await recorder.atEnd
                #expect(record.failure == nil)
                #expect(record.ends.first?.metrics.protocolVersion == "HTTP/2")
                #expect(record.ends.first?.metrics.isConnectionReused == (count > 1))
            }
        }
        let strict = pool(.publicInternetOnly)
        let denied = await transport.perform(Exchange(method: "GET", url: url, pool: strict))
        #expect(denied.failure?.denial?.rule == .loopback)
    }

    @Test("before a request is sent, the connection's address is checked again")
    func prerequest() throws {
        func transfer(_ pool: Exchange.Pool) throws -> CurlTransfer {
            CurlTransfer(
                exchange: Exchange(method: "GET", url: "http://a.test:81/", pool: pool),
                sink: ExchangeRecorder(), loop: try EventLoop())
        }
        let guarded = Exchange.Pool(addressGuard: try Self.addressGuard())
        #expect(try transfer(guarded).mayUse(connectionTo: "127.0.0.1"))
        #expect(try transfer(guarded).mayUse(connectionTo: "8.8.8.8"))
        #expect(try transfer(Exchange.Pool()).mayUse(connectionTo: "10.0.0.1"))
        for (address, rule) in [
            ("10.0.0.1", AddressGuard.Rule.privateNetwork), ("::ffff:127.0.0.1", .ipv4Mapped),
            ("", .unknownAddress), ("fe80::1%eth0", .unknownAddress),
        ] {
            let transfer = try transfer(guarded)
            #expect(!transfer.mayUse(connectionTo: address))
            let denial = try #require(transfer.failure?.denial)
            #expect(denial.rule == rule)
            #expect(denial.host == "a.test")
            #expect(denial.port == 81)
        }
    }
}
