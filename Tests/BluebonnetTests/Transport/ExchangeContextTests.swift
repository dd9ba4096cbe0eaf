import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("The task's context in an exchange", .timeLimit(.minutes(5)))
struct ExchangeContextTests {
    private enum TenantKey: TaskAttributeKey { static let defaultValue = "none" }
    private enum OptionalKey: TaskAttributeKey { static var defaultValue: Int? { 1 } }

    @Test("without settings, an exchange has the defaults")
    func defaults() async throws {
        let rig = SessionRig()
        try rig.start()
        let transfer = await rig.stub.exchange()
        defer { transfer.reply() }
        let exchange = transfer.exchange
        #expect(exchange.attempt == 1)
        #expect(exchange.cachePolicy == .useProtocolCachePolicy)
        #expect(exchange.attributes.tag == nil)
        #expect(exchange.attributes[TenantKey.self] == "none")
    }

    @Test("attributes and cache policy are in every exchange of a task, also after redirects")
    func everyExchange() async throws {
        let rig = SessionRig()
        var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        request.cachePolicy = .reloadIgnoringLocalCacheData
        let task = rig.manager.dataTask(with: request) { rig.responses.add($0) }
        task.attributes.tag = "list"
        task.attributes[TenantKey.self] = "a"
        task.resume()
        await rig.stub.exchange().redirect(to: "/b")
        await rig.stub.exchange(1).reply()
        #expect(await rig.response.error == nil)
        for exchange in rig.stub.exchanges.map(\.exchange) {
            #expect(exchange.attributes.tag == "list")
            #expect(exchange.attributes[TenantKey.self] == "a")
            #expect(exchange.cachePolicy == .reloadIgnoringLocalCacheData)
            #expect(exchange.attempt == 1)
        }
        #expect(rig.stub.exchanges.count == 2)
        // The tag is not sent.
        #expect(rig.stub.exchanges[1].value(of: "list") == nil)
        #expect(task.attributes.tag == "list")
    }

    @Test("a value that was set to nil is not the default")
    func setToNil() {
        var attributes = TaskAttributes()
        #expect(attributes[OptionalKey.self] == 1)
        attributes[OptionalKey.self] = nil
        #expect(attributes[OptionalKey.self] == nil)
        attributes[OptionalKey.self] = 2
        #expect(attributes[OptionalKey.self] == 2)
        #expect(attributes.tag == nil)
    }
}
