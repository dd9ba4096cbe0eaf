import Bluebonnet
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite("Offering a client identity to servers", .timeLimit(.minutes(5)))
struct OfferedIdentityTests {
    private static let one = "CN=one,O=Bluebonnet"
    private static let two = "CN=two,O=Bluebonnet"

    private let made: TestIdentities

    init() async throws {
        made = try await TestIdentities.shared()
    }

    private func manager(
        _ server: MutualTLSServer, _ identity: ClientIdentity? = nil,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> SessionManager {
        var configuration = SessionConfiguration()
        configuration.clientIdentity = identity
        change(&configuration)
        let manager = SessionManager(configuration: configuration)
        manager.securityPolicy.certificateAuthorities = server.authority
        return manager
    }

    @Test(
        "an identity is sent only to servers that ask for its authority or for any",
        arguments: ["TLSv1.2", "TLSv1.3"]
    )
    func onDemand(version: String) async throws {
        let server = try await MutualTLSServer(made, version: version)
        let chain = try ClientIdentity(
            certificate: made.data("deep.pem", "middle.pem"), key: made.data("deep.key"))
        for (identity, name, askers) in [
            (try made.identity("one"), Self.one, [.a, .anybody]),
            (try made.identity("rsa"), "CN=rsa", [.b, .anybody]),
            // The server names the issuer's authority, not the issuer.
            (chain, "CN=deep", [.a, .anybody]),
        ] as [(ClientIdentity, String, [MutualTLSServer.Asking])] {
            let manager = manager(server, identity)
            for asking in MutualTLSServer.Asking.allCases {
                let client = try await server.client(manager, asking)
                #expect(client.name == (askers.contains(asking) ? name : nil), "\(asking)")
            }
        }
        let nobody = manager(server)
        for asking in MutualTLSServer.Asking.allCases {
            #expect(try await server.client(nobody, asking).name == nil)
        }
    }

    @Test(
        "after a rotation, tasks use no connection and no TLS session of the old identity",
        arguments: ["TLSv1.2", "TLSv1.3"]
    )
    func rotation(version: String) async throws {
        let server = try await MutualTLSServer(made, version: version)
        let manager = manager(server, try made.identity("one"))
        func ask(_ path: String) async throws -> MutualTLSServer.Client {
            try await server.client(manager, at: path, .a)
        }
        let first = try await ask("who")
        #expect(first.name == Self.one && !first.isResumed)
        #expect(try await ask("who") == first)
        _ = try await ask("who-once")
        let resumed = try await ask("who-once")
        #expect(resumed.name == Self.one)
        #expect(resumed.isResumed)
        for (name, expected) in [("two", Self.two), (nil, nil), ("one", Self.one)] {
            manager.clientIdentity = try name.map(made.identity)
            let rotated = try await ask("who")
            #expect(rotated.name == expected)
            #expect(!rotated.isResumed)
            #expect(try await ask("who") == rotated)
        }
        // Setting an equal identity is not a rotation.
        let last = try await ask("who")
        manager.clientIdentity = try made.identity("one")
        #expect(try await ask("who") == last)
    }

    @Test("a task keeps the identity from its creation")
    func capture() async throws {
        let server = try await MutualTLSServer(made)
        let manager = manager(server, try made.identity("one"))
        let url = try #require(URL(string: server.url("who", .a)))
        let body: Data = try await withCheckedThrowingContinuation { continuation in
            let task = manager.dataTask(
                with: URLRequest(url: url), serializer: HTTPResponseSerializer()
            ) { continuation.resume(with: $0.result) }
            manager.clientIdentity = nil
            task.resume()
        }
        #expect(String(decoding: body, as: UTF8.self).hasPrefix(Self.one))
        #expect(try await server.client(manager, .a).name == nil)
    }

    @Test("hosts have their own identities, on their own connections")
    func perHost() async throws {
        let server = try await MutualTLSServer(made)
        let manager = manager(server)
        manager.clientIdentities[host: "localhost"] = try made.identity("one")
        #expect(try await server.client(manager, .a).name == Self.one)
        #expect(try await server.client(manager, .a, host: "127.0.0.1").name == nil)
        manager.clientIdentities[host: "127.0.0.1"] = try made.identity("two")
        #expect(try await server.client(manager, .a).name == Self.one)
        #expect(try await server.client(manager, .a, host: "127.0.0.1").name == Self.two)
        manager.clientIdentities[host: "localhost"] = nil
        #expect(try await server.client(manager, .a).name == nil)
    }

    @Test("a redirect sends an identity to another origin only by that host's pattern")
    func redirects() async throws {
        let server = try await MutualTLSServer(made)
        let manager = manager(server, try made.identity("one"))
        func name(to place: String, from host: String = "localhost") async throws -> String? {
            let url = server.url("to?\(place)", .a, host: host)
            return try await server.client(manager, at: url).name
        }
        let same = server.url("who", .a)
        let otherPort = server.url("who", .anybody)
        let otherHost = server.url("who", .a, host: "127.0.0.1")
        // All of them get it when requested directly.
        for url in [same, otherPort, otherHost] {
            #expect(try await server.client(manager, at: url).name == Self.one)
        }
        #expect(try await name(to: same) == Self.one)
        #expect(try await name(to: otherPort) == nil)
        #expect(try await name(to: otherHost) == nil)
        // There and back.
        let back = server.url("to?\(same)", .a, host: "127.0.0.1")
        #expect(try await name(to: back) == nil)
        manager.clientIdentities[host: "127.0.0.1"] = try made.identity("two")
        #expect(try await name(to: otherHost) == Self.two)
        #expect(try await name(to: otherHost, from: "127.0.0.1") == Self.two)
        #expect(try await name(to: back) == nil)
    }

    @Test("a proxy that asks for a certificate gets none, and the server behind it does")
    func proxy() async throws {
        let server = try await MutualTLSServer(made)
        for (options, isLetIn) in [
            ([], true), (["verify = 2", "CAfile = \(made.file("a.pem").path)"], false),
        ] as [([String], Bool)] {
            let proxy = try await HTTPSProxy(options: options)
            let manager = manager(server, try made.identity("one")) {
                var way = Exchange.Route.Proxy(.https, host: "localhost", port: Int(proxy.port))
                way.certificateAuthorityFile = proxy.authorityFile
                $0.route = Exchange.Route(proxy: way)
            }
            let client = try? await server.client(manager, .a)
            #expect(client?.name == (isLetIn ? Self.one : nil))
            proxy.stop()
        }
    }
}
