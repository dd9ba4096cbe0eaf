import Bluebonnet
import BluebonnetChain
import BluebonnetFixtureServer
import Foundation
import FoundationNetworking
import Testing

@Suite("The spelling of header fields, over sockets", .timeLimit(.minutes(5)))
struct HeaderSpellingTests {
    @Test(
        "names are sent as the caller spells them, and read back from the task",
        arguments: HeaderWay.all)
    func spelling(way: HeaderWay) async throws {
        let scene = try HeaderScene()
        try await way.send(scene)
        let received = try #require(scene.server.recordedRequests.last)
        let sent = try #require(scene.requests.last)
        for field in HeaderWay.fields {
            let names = received.headers.map(\.name).filter {
                $0.lowercased() == field.name.lowercased()
            }
            #expect(names == [field.name] && received.headers[field.name] == field.value)
            #expect(sent.allHTTPHeaderFields?[field.name] == field.value)
        }
    }

    @Test("names in the configuration and in the parts of a form are sent as they are spelled")
    func elsewhere() async throws {
        let scene = try HeaderScene { $0.additionalHeaders = HeaderWay.fields }
        var form = MultipartFormData()
        try form.appendPart(headers: HeaderWay.fields, body: Data("x".utf8))
        _ = try await scene.manager.upload(.form(form), to: "a")
        let received = try #require(scene.server.recordedRequests.first)
        let body = String(decoding: received.body, as: UTF8.self)
        for field in HeaderWay.fields {
            #expect(received.headers.contains { $0.name == field.name && $0.value == field.value })
            #expect(body.contains("\(field.name): \(field.value)\r\n"))
            #expect(scene.manager.configuration.headers.contains(field))
        }
    }

    @Test("a monitor finds the fields of a verb and of a chain in the caller's spelling")
    func monitored() async throws {
        let scene = try HeaderScene()
        let monitor = ClosureEventMonitor()
        let (accounts, continuation) = AsyncStream<String?>.makeStream()
        monitor.requestDidCreateURLRequest = { _, request in
            continuation.yield(request.allHTTPHeaderFields?["X-NC-Account"])
        }
        scene.manager.addMonitor(monitor)
        _ = try await scene.manager.get("a", headers: HeaderWay.fields)
        _ = try await scene.manager.request(scene.url(), headers: HeaderWay.fields)
            .serializingData().value
        var found: [String?] = []
        for await account in accounts.prefix(2) { found.append(account) }
        #expect(found == ["1", "1"])
    }
}
