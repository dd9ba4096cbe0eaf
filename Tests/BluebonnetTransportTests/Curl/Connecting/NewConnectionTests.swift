import BluebonnetFixtureServer
import BluebonnetTestSupport
import CBluebonnetTestResolver
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

/// Hosts whose addresses answer, refuse, or are silent.
@Suite("Hosts with several addresses (RFC 8305)", .timeLimit(.minutes(5)))
struct NewConnectionTests {
    /// The result of an attempt to connect to an address.
    enum Answer: String, Sendable, CaseIterable {
        case good, silent, refused
    }

    /// Where libcurl gets the addresses from.
    enum Source: String, Sendable, CaseIterable {
        case override, lookUp
    }

    let server: FixtureServer
    let transport = CurlTransport()

    init() throws {
        server = try FixtureServer()
    }

    /// Returns addresses with these answers.
    ///
    /// The silent ones need their listeners.
    private func addresses(
        _ answers: [Answer], port: UInt16? = nil
    ) throws -> (texts: [String], listeners: [FullListener]) {
        var texts: [String] = []
        var listeners: [FullListener] = []
        for (index, answer) in answers.enumerated() {
            guard answer != .good else {
                texts.append("127.0.0.1")
                continue
            }
            let text = "127.0.0.\(index + 2)"
            texts.append(text)
            guard answer == .silent else { continue }
            let address = try #require(SocketAddress.ip(text, port: port ?? server.port))
            listeners.append(try FullListener(at: address))
        }
        return (texts, listeners)
    }

    private func host(_ texts: [String], _ source: Source, port: Int? = nil) -> (
        name: String, route: Exchange.Route
    ) {
        let name = "n\(UUID().uuidString.prefix(8).lowercased()).race.test"
        var route = Exchange.Route()
        switch source {
        case .override:
            route.addressOverrides = [
                .init(host: name, port: port ?? Int(server.port), addresses: texts)
            ]
        case .lookUp: #expect(bt_resolver_answer(name, texts.joined(separator: ",")) == 0)
        }
        return (name, route)
    }

    private func get(
        _ name: String, _ pool: Exchange.Pool, _ change: (inout Exchange) -> Void = { _ in }
    ) async -> ExchangeRecorder.Record {
        await transport.perform(
            Exchange(method: "GET", url: "http://\(name):\(server.port)/text", pool: pool).with {
                $0.timeouts.connect = 20
                change(&$0)
            })
    }

    @Test(
        "an address that answers is used quickly, whatever the others do",
        arguments: [
            ([.good], 0...0), ([.silent, .good], 1...1), ([.refused, .good], 0...0),
            ([.good, .silent], 0...0), ([.silent, .silent, .good], 2...2),
            ([.refused, .refused, .good], 0...0), ([.silent, .refused, .good], 1...1),
            ([.refused, .silent, .good], 1...1), ([.refused, .refused, .refused, .good], 0...0),
        ] as [([Answer], ClosedRange<Int>)], Source.allCases)
    func serves(_ example: (answers: [Answer], delays: ClosedRange<Int>), source: Source)
        async throws
    {
        let (texts, listeners) = try addresses(example.answers)
        defer { withExtendedLifetime(listeners) {} }
        let (name, route) = host(texts, source)
        let record = await get(name, Exchange.Pool(route: route))
        #expect(record.failure == nil)
        #expect(record.head?.statusCode == 200)
        let metrics = try #require(record.ends.first?.metrics)
        #expect(metrics.remoteAddress == "127.0.0.1")
        #expect(metrics.remotePort == Int(server.port))
        #expect(!metrics.isConnectionReused)
        let delay = AddressRace.delay
        #expect(metrics.connectDuration >= delay * Double(example.delays.lowerBound))
        // Other tests can delay a turn of the loop.
        #expect(metrics.connectDuration < delay * Double(example.delays.upperBound) + 2)
    }

    /// Creates something at a port that is free in both families.
    private static func free<Value>(_ make: (UInt16) throws -> Value) throws -> (Value, Int) {
        var last: any Error = ServerFailure("no port was tried")
        for _ in 0..<20 {
            let port = try ReservedPort().number
            do { return (try make(port), Int(port)) } catch { last = error }
        }
        throw last
    }

    @Test("a silent address of one family yields to the other", arguments: ["::1", "127.0.0.1"])
    func families(silent: String) async throws {
        let isSix = silent.contains(":")
        let (listener, port) = try Self.free { port in
            let listener = try FullListener(at: isSix ? .loopback6(port) : .loopback(port))
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            let address = isSix ? SocketAddress.loopback(port) : .loopback6(port)
            return (listener, try RawServer(at: address, answer: answer))
        }
        defer { withExtendedLifetime(listener) {} }
        let texts = isSix ? ["::1", "127.0.0.1"] : ["127.0.0.1", "::1"]
        let (name, route) = host(texts, .override, port: port)
        let record = await transport.perform(
            Exchange(
                method: "GET", url: "http://\(name):\(port)/text", pool: Exchange.Pool(route: route)
            ).with { $0.timeouts.connect = 20 })
        #expect(record.failure == nil)
        #expect(record.ends.first?.metrics.remoteAddress == texts[1])
        let duration = try #require(record.ends.first?.metrics.connectDuration)
        // Some versions of libcurl list all IPv6 addresses first.
        if isSix { #expect(duration >= AddressRace.delay) }
    }

    @Test("if all addresses refuse, the failure names them at once", arguments: 1...3)
    func allRefuse(count: Int) async throws {
        let (texts, _) = try addresses(Array(repeating: .refused, count: count))
        let (name, route) = host(texts, .override)
        let record = await get(name, Exchange.Pool(route: route))
        let failure = try #require(record.failure)
        #expect(failure.code == .cannotConnectToHost)
        #expect(failure.systemErrorNumber == ECONNREFUSED)
        #expect(failure.message.contains("could not connect to \(name); tried "))
        for text in texts {
            #expect(failure.message.contains("\(text):\(server.port) (Connection refused)"))
        }
        let end = try #require(record.ends.first)
        #expect(end.wasSent == false)
        #expect(end.metrics.remoteAddress.isEmpty)
        #expect(end.metrics.totalDuration < 5)
    }

    @Test("if all addresses are silent, the connect timeout ends them", arguments: 1...3)
    func allSilent(count: Int) async throws {
        let (texts, listeners) = try addresses(Array(repeating: .silent, count: count))
        defer { withExtendedLifetime(listeners) {} }
        let (name, route) = host(texts, .override)
        let record = await get(name, Exchange.Pool(route: route)) { $0.timeouts.connect = 0.7 }
        let failure = try #require(record.failure)
        #expect(failure.code == .timedOut)
        #expect(failure.timeout == .connect)
        for text in texts {
            #expect(failure.message.contains("\(text):\(server.port) (no answer)"))
        }
        let duration = try #require(record.ends.first?.metrics.totalDuration)
        #expect(duration >= 0.7)
    }

    @Test("the connect timeout includes the race and the handshake")
    func wholeTime() async throws {
        // It accepts connections but does not speak TLS.
        let deaf = try RawServer { connection, _ in _ = connection.read(100_000) }
        let port = Int(deaf.port)
        let (texts, listeners) = try addresses([.silent, .silent, .silent, .good], port: deaf.port)
        defer { withExtendedLifetime((deaf, listeners)) {} }
        let (name, route) = host(texts, .override, port: port)
        let record = await transport.perform(
            Exchange(
                method: "GET", url: "https://\(name):\(port)/", pool: Exchange.Pool(route: route)
            ).with { $0.timeouts.connect = 1 })
        #expect(record.failure?.timeout == .connect)
        let total = try #require(record.ends.first?.metrics.totalDuration)
        // The race alone takes 0.75 seconds of it.
        #expect(total >= 0.95 && total < 1.7)
    }

    @Test("a proxy's addresses race as well", arguments: [true, false])
    func proxies(tunnels: Bool) async throws {
        let proxyServer = try FixtureServer()
        proxyServer.route("/") { _ in .text("forwarded") }
        let (texts, listeners) = try addresses([.silent, .refused, .good], port: proxyServer.port)
        defer { withExtendedLifetime(listeners) {} }
        let (name, overrides) = host(texts, .override, port: Int(proxyServer.port))
        var proxy = Exchange.Route.Proxy(.http, host: name, port: Int(proxyServer.port))
        proxy.tunnelsPlainHTTP = tunnels
        var route = overrides
        route.httpProxy = proxy
        let record = await transport.perform(
            Exchange(
                method: "GET", url: "http://one.test/", pool: Exchange.Pool(route: route)
            ).with { $0.timeouts.connect = 20 })
        if tunnels {
            // The server does not support the requested tunnel.
            #expect(record.failure?.proxyStatus != nil)
        } else {
            #expect(String(decoding: record.body, as: UTF8.self) == "forwarded")
            #expect(record.ends.first?.metrics.remoteAddress == "127.0.0.1")
        }
    }

    @Test("addresses that the guard denies do not race")
    func guarded() async throws {
        let (texts, listeners) = try addresses([.silent, .good])
        defer { withExtendedLifetime(listeners) {} }
        var addressGuard = AddressGuard.publicInternetOnly
        addressGuard.allowedRanges = [try AddressRange("127.0.0.0/29")]
        let (name, route) = host(["10.0.0.1"] + texts + ["127.0.0.200"], .override)
        let pool = Exchange.Pool(route: route, addressGuard: addressGuard)
        let record = await get(name, pool)
        #expect(record.failure == nil)
        #expect(record.ends.first?.metrics.remoteAddress == "127.0.0.1")
    }

    @Test("the next connection does not wait for a slow address")
    func remembered() async throws {
        let (texts, listeners) = try addresses([.silent, .good])
        defer { withExtendedLifetime(listeners) {} }
        let (name, route) = host(texts, .override)
        let pool = Exchange.Pool(route: route)
        var durations: [TimeInterval] = []
        for _ in 0..<3 {
            let record = await get(name, pool) { $0.connectsAnew = true }
            #expect(record.failure == nil)
            durations.append(record.ends.first?.metrics.connectDuration ?? 0)
        }
        #expect(durations[0] >= AddressRace.delay)
        #expect(durations.dropFirst().allSatisfy { $0 < AddressRace.delay }, "\(durations)")
    }

    @Test("a lost idle connection is replaced by one to an address that answers")
    func lostConnection() async throws {
        let faulty = try FaultServer(
            FaultScript([.request, .answer, .request, .close], [.request, .answer]))
        let (texts, listeners) = try addresses([.silent, .good], port: UInt16(faulty.port))
        defer { withExtendedLifetime(listeners) {} }
        let (name, route) = host(texts, .override, port: Int(faulty.port))
        let exchange = Exchange(
            method: "GET", url: "http://\(name):\(faulty.port)/", pool: Exchange.Pool(route: route)
        ).with { $0.timeouts.connect = 20 }
        #expect(await transport.perform(exchange).failure == nil)
        let record = await transport.perform(exchange)
        #expect(record.failure == nil)
        let metrics = try #require(record.ends.first?.metrics)
        #expect(metrics.resendCount == 1)
        #expect(metrics.remoteAddress == "127.0.0.1")
        #expect(metrics.requestHeaderBytes % 2 == 0 && metrics.requestHeaderBytes > 100)
    }

    @Test("a request that must not be sent twice is not, even with another address")
    func notTwice() async throws {
        let faulty = try FaultServer(
            FaultScript([.request, .answer, .request, .close], [.request, .answer]))
        let (name, route) = host(["127.0.0.1"], .override, port: Int(faulty.port))
        let exchange = Exchange(
            method: "POST", url: "http://\(name):\(faulty.port)/", pool: Exchange.Pool(route: route)
        ).with { $0.body = .data(Data("x".utf8)) }
        #expect(await transport.perform(exchange).failure == nil)
        let record = await transport.perform(exchange)
        #expect(record.failure?.code == .networkConnectionLost)
        #expect(record.ends.first?.wasSent == true)
    }

    @Test("a cancel or another end of the exchange closes the sockets of the race")
    func cancelled() async throws {
        let (texts, listeners) = try addresses([.silent, .silent])
        defer { withExtendedLifetime(listeners) {} }
        var (name, route) = host(texts, .override)
        // No other test connects from this address.
        let source = "127.0.\(Int.random(in: 77...250)).\(Int.random(in: 1...250))"
        route.source = .address(source)
        let pool = Exchange.Pool(route: route)
        let (recorder, transfer) = transport.begin(
            Exchange(method: "GET", url: "http://\(name):\(server.port)/text", pool: pool))
        #expect(await SystemSockets.settles { SystemSockets.count(boundTo: source) == 2 })
        transfer.cancel()
        #expect(await recorder.atEnd.failure?.code == .cancelled)
        #expect(SystemSockets.count(boundTo: source) == 0)
        let timed = await get(name, pool) { $0.timeouts.whole = 0.4 }
        #expect(timed.failure?.timeout == .whole)
        #expect(SystemSockets.count(boundTo: source) == 0)
    }

    @Test("an exchange that is suspended while connecting continues after a resume")
    func suspended() async throws {
        let (texts, listeners) = try addresses([.silent, .good])
        defer { withExtendedLifetime(listeners) {} }
        let (name, route) = host(texts, .override)
        let (recorder, transfer) = transport.begin(
            Exchange(
                method: "GET", url: "http://\(name):\(server.port)/text",
                pool: Exchange.Pool(route: route)))
        transfer.suspend()
        #expect(await SystemSockets.settles { server.acceptedConnectionCount == 1 })
        transfer.resume()
        let record = await recorder.atEnd
        #expect(record.failure == nil)
        #expect(record.head?.statusCode == 200)
    }

    @Test(
        "a burst with HTTP/2 waits for one race and shares its connection",
        .enabled(if: LibcurlQuirks.current.speaksHTTP2), arguments: [true, false])
    func burst(isSecure: Bool) async throws {
        let nginx = try await MultiplexingServer()
        let port = Int(isSecure ? nginx.securePort : nginx.plainPort)
        let listener = try FullListener(
            at: try #require(.ip("127.0.0.2", port: UInt16(port))))
        defer { withExtendedLifetime(listener) {} }
        var route = Exchange.Route()
        route.addressOverrides = [
            .init(host: "localhost", port: port, addresses: ["127.0.0.2", "127.0.0.1"])
        ]
        let pool = Exchange.Pool(
            certificateAuthorityFile: nginx.authority, route: route,
            httpVersion: isSecure ? .automatic : .http2PriorKnowledge)
        let pairs = (0..<60).map { _ in
            transport.begin(
                Exchange(
                    method: "GET",
                    url: "\(isSecure ? "https" : "http")://localhost:\(port)/text", pool: pool
                ).with { $0.timeouts.connect = 20 })
        }
        var connections = Set<String>()
        for pair in pairs {
            let record = await pair.recorder.atEnd
            #expect(record.failure == nil)
            connections.insert(String(decoding: record.body, as: UTF8.self))
        }
        #expect(connections.count == 1)
    }

    @Test(
        "exchanges that wait for another's connection continue if that one is canceled",
        .enabled(if: LibcurlQuirks.current.speaksHTTP2))
    func lostLead() async throws {
        let nginx = try await MultiplexingServer()
        let port = Int(nginx.plainPort)
        let listener = try FullListener(at: try #require(.ip("127.0.0.2", port: nginx.plainPort)))
        defer { withExtendedLifetime(listener) {} }
        var route = Exchange.Route()
        route.addressOverrides = [
            .init(host: "localhost", port: port, addresses: ["127.0.0.2", "127.0.0.1"])
        ]
        let pool = Exchange.Pool(route: route, httpVersion: .http2PriorKnowledge)
        let exchange = Exchange(method: "GET", url: "http://localhost:\(port)/text", pool: pool)
        let pairs = (0..<10).map { _ in transport.begin(exchange) }
        pairs[0].transfer.cancel()
        #expect(await pairs[0].recorder.atEnd.failure?.code == .cancelled)
        for pair in pairs.dropFirst() {
            #expect(await pair.recorder.atEnd.failure == nil)
        }
    }
}
