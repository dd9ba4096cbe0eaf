import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("The options of a call", .timeLimit(.minutes(5)))
struct RequestOptionsTests {
    private enum Tenant: TaskAttributeKey {
        static let defaultValue = "none"
    }

    /// Returns the exchange of a call with options, by default on a new manager.
    private func exchange(
        _ options: RequestOptions, headers: HTTPHeaders? = nil,
        of rig: SessionRig = SessionRig(answer: { $0.reply() })
    ) async throws -> Exchange {
        try await rig.manager.get("a", headers: headers, options: options)
        return try #require(rig.stub.exchanges.last).exchange
    }

    @Test("timeouts are those of the exchange, 0 means none, and others keep their defaults")
    func timeouts() async throws {
        let options: RequestOptions = [.timeout(5), .connectTimeout(4), .headTimeout(3)]
        let all = try await exchange([options, .queueTimeout(2)]).timeouts
        #expect(all.idle == 5 && all.connect == 4 && all.head == 3 && all.queue == 2)
        let none = try await exchange([.timeout(0), .connectTimeout(.infinity)]).timeouts
        #expect(none.idle == nil && none.connect == nil)
        let usual = try await exchange([]).timeouts
        #expect(usual.idle == 60 && usual.connect == 30 && usual.head == nil)
    }

    @Test("a timeout replaces the serializer's, even if it is the default of 60")
    func timeoutOfSerializer() async throws {
        let rig = SessionRig(answer: { $0.reply() })
        var serializer = HTTPRequestSerializer()
        serializer.timeoutInterval = 7
        rig.manager.requestSerializer = serializer
        #expect(try await exchange([], of: rig).timeouts.idle == 7)
        #expect(try await exchange(.timeout(60), of: rig).timeouts.idle == 60)
    }

    @Test("of two contradicting options the later one counts")
    func order() async throws {
        #expect(try await exchange([.timeout(1), .timeout(2)]).timeouts.idle == 2)
        let nested: RequestOptions = [[.timeout(1), .headTimeout(9)], [.timeout(2), .tag("t")]]
        let exchange = try await exchange(nested)
        #expect(exchange.timeouts.idle == 2 && exchange.timeouts.head == 9)
        #expect(exchange.attributes.tag == "t")
    }

    @Test("without decoding, no coding is requested unless by a header field")
    func decodesContent() async throws {
        func codings(_ exchange: Exchange) -> String? {
            exchange.fields.first { $0.name == "Accept-Encoding" }?.value
        }
        let raw = try await exchange(.decodesContent(false))
        #expect(!raw.decodesContent && codings(raw) == nil)
        let asked = try await exchange(.decodesContent(false), headers: ["Accept-Encoding": "br"])
        #expect(!asked.decodesContent && codings(asked) == "br")
        let rig = SessionRig.configured { $0.decodesContent = false }
        let task = rig.manager.dataTask(
            method: .get, path: "a", options: .decodesContent(true), completionHandler: nil)
        task.resume()
        let decoded = await rig.stub.exchange().exchange
        #expect(decoded.decodesContent && codings(decoded)?.contains("gzip") == true)
        task.cancel()
    }

    @Test("without cookies, none is sent and none is kept")
    func cookies() async throws {
        let rig = SessionRig(answer: { $0.reply(200, ["Set-Cookie": "b=2"]) })
        try await rig.manager.get("a")
        #expect(
            try await exchange(.cookies(false), of: rig).fields.allSatisfy { $0.name != "Cookie" })
        #expect(try await exchange(.cookies(true), of: rig).fields.contains { $0.name == "Cookie" })
    }

    @Test("priority and attributes are set on the task and the exchange")
    func attributes() async throws {
        let exchange = try await exchange(
            [.priority(9), .attribute(Tenant.self, "a"), .tag("t"), .attribute(Tenant.self, "b")])
        #expect(exchange.priority == 1 && exchange.attributes.tag == "t")
        #expect(exchange.attributes[Tenant.self] == "b")
    }

    @Test("a route has its own connections, shared by calls with the same route")
    func route() async throws {
        let rig = SessionRig(answer: { $0.reply() })
        var route = Exchange.Route()
        route.unixSocketPath = "/run/a.sock"
        let usual = try await exchange([], of: rig).pool
        let first = try await exchange(.route(route), of: rig).pool
        let second = try await exchange(.route(route), of: rig).pool
        #expect(first.route == route && usual.route == Exchange.Route())
        #expect(first === second && first !== usual)
        #expect(first.trust == usual.trust)
    }

    @Test("the connections of the 32 most recently used routes are kept")
    func routes() {
        let pools = ConnectionPools(ClientIdentities()) { identity, route in
            Exchange.Pool(route: route ?? Exchange.Route(), identity: identity?.tls)
        }
        func pool(_ number: Int) -> Exchange.Pool {
            var route = Exchange.Route()
            route.unixSocketPath = "/run/\(number)"
            return pools.pool(for: nil, hasLeftOrigin: false, route: route)
        }
        weak let kept = pool(0)
        weak let dropped = pool(1)
        for number in 2..<32 { _ = pool(number) }
        #expect(kept != nil && dropped != nil)
        _ = pool(0)
        _ = pool(32)
        #expect(kept != nil && dropped == nil)
    }

    @Test("progress in either direction is reported on the callback queue")
    func progress() async throws {
        let rig = SessionRig(answer: { exchange in
            exchange.sent(exchange.exchange.body?.length ?? 0)
            exchange.reply(200, ["Content-Type": "text/plain"], "abc")
        })
        let sent = Recorder<Int64>(), received = Recorder<Int64>()
        try await rig.manager.post(
            "a", parameters: ["k": "v"],
            options: [
                .uploadProgress { sent.add($0.completedUnitCount) },
                .downloadProgress { received.add($0.completedUnitCount) },
            ])
        #expect(await sent.wait(for: 1).last == 3)
        #expect(await received.wait(for: 1).last == 3)
    }

    @Test("a deadline limits the whole task, replaces the manager's, and can be infinite")
    func deadline() async throws {
        let clock = ManualClock()
        let rig = SessionRig.configured {
            $0.clock = clock
            $0.timeouts.whole = 10
        }
        let errors = Recorder<BluebonnetError?>()
        func start(_ options: RequestOptions) {
            rig.manager.get("a", options: options) { errors.add($0.error) }
        }
        start(.deadline(2))
        start(.deadline(.infinity))
        start([])
        _ = await rig.stub.exchange(2)
        await clock.advance(by: .seconds(2))
        #expect(await errors.wait(for: 1)[0]?.timeout == .whole)
        await clock.advance(by: .seconds(8))
        #expect(await errors.wait(for: 2)[1]?.timeout == .whole)
        await clock.advance(by: .seconds(1000))
        await rig.settle()
        #expect(errors.count == 2)
        await rig.stub.exchange(1).reply()
        #expect(await errors.wait(for: 3)[2] == nil)
        start(.deadline(0))
        #expect(await errors.wait(for: 4)[3]?.timeout == .whole)
    }

    @Test("an idle timeout and a deadline expire with their names")
    func strikes() async {
        let clock = ManualClock()
        let rig = StubRig(clock: clock)
        rig.stub.on("/hang", .silence)
        let idle = await clock.run {
            await rig.manager.response(.get, "hang", options: .timeout(0.2))
        }
        #expect(idle.error?.timeout == .idle && clock.now == .milliseconds(200))
        let whole = await clock.run {
            await rig.manager.response(.get, "hang", options: .deadline(0.2))
        }
        #expect(whole.error?.timeout == .whole && clock.now == .milliseconds(400))
    }

    @Test("only the call with the option gets a redirect as its response")
    func notFollowed() async {
        let rig = StubRig()
        rig.stub.on("/from", .redirect(to: "/to"))
        rig.stub.on("/to", .good)
        let serializer = HTTPResponseSerializer(acceptableStatusCodes: nil)
        let response = await rig.manager.response(
            .get, "from", serializer: serializer, options: .redirects(.doNotFollow))
        #expect(response.head?.statusCode == 302)
        let followed = await rig.manager.response(.get, "from", serializer: serializer)
        #expect(followed.head?.statusCode == 200)
        #expect(rig.stub.requests.map(\.path) == ["/from", "/from", "/to"])
    }

    @Test("a redirect that is not followed is the response, even an unsafe one")
    func doNotFollow() async throws {
        let rig = SessionRig(
            baseURL: "https://a.test/", answer: { $0.redirect(to: "http://b.test/") })
        let hooked = Recorder<Bool>()
        rig.manager.taskWillPerformHTTPRedirection = { _, _, next in
            hooked.add(true)
            return next
        }
        let response = await rig.manager.response(
            .get, "a", serializer: HTTPResponseSerializer(acceptableStatusCodes: nil),
            options: .redirects(.doNotFollow))
        #expect(response.head?.statusCode == 302 && response.value == Data("moved".utf8))
        #expect(rig.stub.exchanges.count == 1 && hooked.count == 0)
    }

    @Test("a call's redirect handler replaces the hook")
    func redirects() async throws {
        let rig = SessionRig(answer: { exchange in
            exchange.exchange.url.hasSuffix("/a") ? exchange.redirect(to: "/b") : exchange.reply()
        })
        let hooked = Recorder<Bool>()
        rig.manager.taskWillPerformHTTPRedirection = { _, _, _ in
            hooked.add(true)
            return nil
        }
        func urls(_ rule: RedirectRule) async -> [String] {
            let count = rig.stub.exchanges.count
            _ = await rig.manager.response(.get, "a", options: .redirects(rule))
            return rig.stub.exchanges.dropFirst(count).map(\.exchange.url)
        }
        let a = "http://stub.test/a", b = "http://stub.test/b"
        #expect(await urls(.follow) == [a, b])
        #expect(
            await urls(.decide { head, next in head.statusCode == 302 ? next : nil }) == [a, b])
        #expect(await urls(.decide { _, _ in nil }) == [a])
        let other = await urls(
            .decide { _, next in
                var next = next
                next.url = URL(string: "/c", relativeTo: next.url)
                return next
            })
        #expect(other == [a, "http://stub.test/c"] && hooked.count == 0)
        _ = await rig.manager.response(.get, "a")
        #expect(hooked.count == 1)
    }

    @Test("an encoder makes the call send JSON, with the manager's other settings")
    func encoder() async throws {
        let rig = SessionRig(answer: { $0.reply() })
        rig.manager.requestSerializer.setAuthorization(bearerToken: "t")
        var encoder = JSONBodyEncoder()
        encoder.keys = .snakeCase
        struct Draft: Encodable, Sendable { var isNew = true }
        try await rig.manager.post("a", parameters: Draft(), options: .encoder(encoder))
        try await rig.manager.post("a", parameters: ["isNew": true])
        let exchanges = rig.stub.exchanges
        #expect(exchanges[0].bodyText == #"{"is_new":true}"#)
        #expect(exchanges[0].value(of: "Content-Type") == "application/json")
        #expect(exchanges[0].value(of: "Authorization") == "Bearer t")
        #expect(exchanges[1].bodyText == "isNew=1")
    }

    @Test("a decoder applies to as:, async forms, and serializers without their own")
    func decoder() async throws {
        struct Answer: Decodable, Sendable { var isNew: Bool }
        let rig = SessionRig(answer: {
            $0.reply(200, ["Content-Type": "application/json"], #"{"is_new":true}"#)
        })
        let snakeCase = JSONDecoder()
        snakeCase.keyDecodingStrategy = .convertFromSnakeCase
        let manager = rig.manager
        let answer: Answer = try await manager.get("a", options: .decoder(snakeCase))
        #expect(answer.isNew)
        let heard = Recorder<Bool?>()
        manager.get("a", as: Answer.self, options: .decoder(snakeCase)) {
            heard.add($0.value?.isNew)
        }
        manager.get("a", serializer: .decodable(Answer.self), options: .decoder(snakeCase)) {
            heard.add($0.value?.isNew)
        }
        #expect(await heard.wait(for: 2) == [true, true])
        let own = await manager.response(
            .get, "a", serializer: .decodable(Answer.self, decoder: JSONDecoder()),
            options: .decoder(snakeCase))
        #expect(own.error != nil)
        manager.json.decoder = snakeCase
        #expect(try await manager.get("a", as: Answer.self).isNew)
        manager.json.decoder = JSONDecoder()
        await #expect(throws: BluebonnetError.self) { try await manager.get("a", as: Answer.self) }
    }

    @Test("every form of call has options")
    func everyWay() async throws {
        let rig = SessionRig(answer: { $0.reply() })
        let manager = rig.manager, options: RequestOptions = .tag("t")
        let file = try TemporaryDirectory()
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/")))
        let body = RequestBody.data(Data("x".utf8))
        let handled = Recorder<Bool>()
        let task = manager.dataTask(.get, "a", options: options)
        task.resume()
        manager.get("a", options: options) { _ in handled.add(true) }
        manager.get("a", as: [String: Int].self, options: options) { _ in handled.add(true) }
        manager.head("a", options: options) { _ in handled.add(true) }
        manager.upload(body, to: "a", options: options) { _ in handled.add(true) }
        manager.download("a", to: file.file("1"), options: options) { _ in handled.add(true) }
        manager.dataTask(method: .get, path: "a", options: options) { _ in handled.add(true) }
            .resume()
        manager.dataTask(with: request, options: options) { _ in handled.add(true) }.resume()
        manager.uploadTask(with: request, from: Data(), options: options) { _ in handled.add(true) }
            .resume()
        try await manager.get("a", options: options)
        _ = try await manager.get("a", as: [String: Int].self, options: options)
        try await manager.head("a", options: options)
        _ = await manager.response(.get, "a", options: options)
        _ = await manager.response(for: request, options: options)
        _ = try await manager.data(for: request, options: options)
        try await manager.upload(body, to: "a", options: options)
        _ = await manager.upload(for: request, from: Data(), serializer: .http, options: options)
        try await manager.download("a", to: file.file("2"), options: options)
        for try await _ in try await manager.stream("a", options: options) {}
        for try await _ in try await manager.stream(for: request, options: options) {}
        await handled.wait(for: 8)
        await rig.settle()
        #expect(task.state == .completed)
        #expect(rig.stub.exchanges.count == 20)
        #expect(rig.stub.exchanges.allSatisfy { $0.exchange.attributes.tag == "t" })
    }

    @Test(
        "a call with a proxy sends it the proxy's header fields, and other calls never do"
    )
    func proxyFields() async throws {
        let proxy = Exchange.Route(proxy: .init(.http, host: "proxy.test", port: 8080))
        func sent(_ configured: Exchange.Route, _ options: RequestOptions) async throws -> String? {
            let rig = SessionRig(
                manager: { url, stub in
                    var configuration = SessionConfiguration()
                    configuration.route = configured
                    return HTTPSessionManager(
                        baseURL: url, configuration: configuration, transport: stub)
                }, answer: { $0.reply() })
            try await rig.manager.get(
                "a", headers: ["Proxy-Authorization": "Basic eDp5"], options: options)
            return await rig.stub.exchange().value(of: "Proxy-Authorization")
        }
        #expect(try await sent(Exchange.Route(), .route(proxy)) == "Basic eDp5")
        #expect(try await sent(proxy, .route(Exchange.Route())) == nil)
        #expect(try await sent(proxy, []) == "Basic eDp5")
    }

    @Test("a 407 is a challenge only if the call's route has a proxy")
    func proxyChallenge() async throws {
        var proxy = Exchange.Route.Proxy(.http, host: "proxy.test", port: 8080)
        proxy.username = "ann"
        proxy.password = "Canary7f3a"
        let rig = SessionRig(answer: {
            $0.replyAtOnce(
                407, [("Proxy-Authenticate", "Basic realm=\"Canary7f3a\"")], "Canary7f3a")
        })
        let asked = Recorder<String>()
        rig.manager.didReceiveChallenge = { _, challenge in
            asked.add(challenge.host)
            return .performDefaultHandling
        }
        let routed = await rig.manager.response(
            .get, "a", options: .route(Exchange.Route(proxy: proxy)))
        #expect(asked.all == ["proxy.test"])
        let error = try #require(routed.error)
        #expect(!printed(error).contains("Canary7f3a"))
        _ = await rig.manager.response(.get, "a")
        #expect(asked.count == 1)
    }

    @Test("without cookies, none is sent after a redirect either")
    func cookiesAfterRedirect() async throws {
        let rig = SessionRig(answer: { exchange in
            exchange.exchange.url.hasSuffix("/a")
                ? exchange.redirect(to: "/b", [("Set-Cookie", "c=3")])
                : exchange.reply(200, ["Set-Cookie": "d=4"])
        })
        try await rig.manager.get("b")
        let options: RequestOptions = [
            .cookies(false),
            .redirects(.decide { _, next in next.url.map { URLRequest(url: $0) } }),
        ]
        try await rig.manager.get("a", options: options)
        #expect(rig.stub.exchanges.dropFirst().allSatisfy { $0.value(of: "Cookie") == nil })
        try await rig.manager.get("b")
        #expect(rig.stub.exchanges.last?.value(of: "Cookie") == "d=4")
    }

    @Test("the manager's serializer and members of a compound one use the manager's decoder")
    func inheritedDecoder() async throws {
        struct Answer: Decodable, Sendable { var isNew: Bool }
        let json = ["Content-Type": "application/json"]
        let rig = SessionRig(answer: { $0.reply(200, json, #"{"is_new":true}"#) })
        rig.manager.json.decoder.keyDecodingStrategy = .convertFromSnakeCase
        rig.manager.responseSerializer = .decodable(Answer.self)
        #expect((await rig.manager.response(.get, "a").object as? Answer)?.isNew == true)
        let compound = CompoundResponseSerializer([
            XMLDocumentResponseSerializer(), .decodable(Answer.self),
        ])
        let response = await rig.manager.response(.get, "a", serializer: compound)
        #expect((response.object as? Answer)?.isNew == true)
    }

    @Test(
        "a late handler uses the manager's serializer from the creation of its task")
    func lateHandler() async {
        let rig = SessionRig(answer: { $0.reply(200, ["Content-Type": "text/plain"], "x") })
        rig.manager.responseSerializer = StringResponseSerializer()
        let task = rig.manager.dataTask(method: .get, path: "a", serializer: .http) { _ in }
        task.addValidator(.serializer(.manager))
        rig.manager.responseSerializer = XMLDocumentResponseSerializer()
        task.resume()
        #expect(await task.response(serializer: .manager).value as? String == "x")
        let texts = Recorder<String?>()
        task.addResponseHandler(serializer: .manager) { texts.add($0.value as? String) }
        #expect(await texts.wait(for: 1) == ["x"])
    }

    @Test(
        "an encoder does not replace a user's own serializer: the call fails"
    )
    func encoderOfOwn() async throws {
        let rig = SessionRig(answer: { $0.reply() })
        rig.manager.requestSerializer = OwnSerializer()
        let response = await rig.manager.response(
            .post, "a", parameters: ["a": 1], options: .encoder(JSONBodyEncoder()))
        #expect(response.error?.description.contains("OwnSerializer") == true)
        rig.manager.json.encoder.keys = .snakeCase
        #expect(rig.manager.requestSerializer is OwnSerializer && rig.stub.exchanges.isEmpty)
    }

    @Test("a user's own serializer never gets parameters that cannot be encoded")
    func faultsBeforeOwn() async throws {
        let rig = SessionRig(answer: { $0.reply() })
        rig.manager.requestSerializer = OwnSerializer()
        for parameters: Parameters in [
            ["a": Double.nan], ["b": ["c": [1, Double.nan]]], ["a": 1, "a": 2],
        ] {
            await #expect(throws: BluebonnetError.self) {
                try await rig.manager.get("a", parameters: parameters)
            }
        }
        var form = HTTPRequestSerializer()
        form.queryString = { _, parameters in parameters.names.joined() }
        #expect(throws: RequestSerializationError.self) {
            try form.serialize(request("POST"), parameters: ["a": Double.nan])
        }
        #expect(rig.stub.exchanges.isEmpty)
    }

    private struct OwnSerializer: RequestSerializer {
        var headers: HTTPHeaders = [:]

        func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest {
            request
        }
    }
}
