import BluebonnetTargets
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Texts of URLs", .timeLimit(.minutes(1)))
struct URLTextTests {
    private let rig = StubRig()

    init() { rig.stub.on("/**", .good) }

    static let texts = [
        "users/7?ids[]=1&ids[]=2", "?ids[]=1", "café/é?name=é", "a|b", "a b?c=d e", "100%",
        "a%20b?c=%5B", "{id}?q={x}", "a\"b<c>`d^e\\f", "x?a=b#ü", "documents:batchGet?ids[]=1",
        "a\u{1}b", "日本語", "%zz?%", "/top/[x]", "//other.test/a|b",
        "http://other.test/a|b?ids[]=1", "http://other.test/é b", "HTTP://other.test:8080?x=[1]",
        "http://[::1]/a|b", "http://other.test/%2F?a=%E9",
    ]

    /// Returns the URLs that the transport receives for the text.
    private func sent(
        _ send: (HTTPSessionManager) async -> BluebonnetError?
    ) async -> (url: String?, error: BluebonnetError?) {
        let count = rig.stub.requests.count
        let error = await send(rig.manager)
        return (rig.stub.requests.dropFirst(count).first?.url.absoluteString, error)
    }

    @Test("a text that a verb sends is sent by every call of a chain alike", arguments: texts)
    func alike(text: String) async throws {
        let verb = await sent {
            await $0.response(.get, text, serializer: HTTPResponseSerializer()).error
        }
        let url = try #require(verb.url, "\(String(describing: verb.error))")
        let chain = await sent { await $0.request(text).serializingData().response.error }
        #expect(chain.url == url && chain.error == nil)
        let download = await sent {
            await $0.download(text).serializingDownloadedFileURL().response.error
        }
        #expect(download.url == url && download.error == nil)
        let upload = await sent {
            await $0.upload(Data(), to: text).serializingData().response.error
        }
        #expect(upload.url == url && upload.error == nil)
        let stream = await sent {
            let request = $0.streamRequest(text)
            for await _ in request.streamTask().streamingData() {}
            return request.error
        }
        #expect(stream.url == url && stream.error == nil)
        let router = try URLRequest(url: text, method: .get)
        let routed = await sent { await $0.request(router).serializingData().response.error }
        #expect(routed.url == url && routed.error == nil)
    }

    @Test("an endpoint accepts the same texts, if they are whole URLs", arguments: texts)
    func endpoint(text: String) throws {
        let endpoint = Endpoint(
            url: text, sampleResponseClosure: { .networkResponse(200, Data()) }, method: .get,
            task: .requestPlain, httpHeaderFields: nil)
        guard text.lowercased().hasPrefix("http") else { return }
        let url = try endpoint.urlRequest().url
        #expect(url?.absoluteString == rig.manager.url(for: text)?.absoluteString)
    }

    @Test(
        "a text that no URL can have fails as an invalid URL, in verbs and chains",
        arguments: [
            "http://[bad", "http://a b/", "http://a|b/", "http://h:port/", "http:///path",
            "mailto:a@b", "http://h:99999/", "http://u:p@h/", "http://a\\b/", "http://1.2.3/",
        ])
    func refused(text: String) async {
        let verb = await sent {
            await $0.response(.get, text, serializer: HTTPResponseSerializer()).error
        }
        let chain = await sent { await $0.request(text).serializingData().response.error }
        #expect(verb.url == nil && chain.url == nil)
        #expect(verb.error?.stage == .request && chain.error?.stage == .request)
    }
}
