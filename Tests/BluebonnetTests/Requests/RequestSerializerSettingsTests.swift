import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("RequestSerializer settings", .timeLimit(.minutes(5)))
struct RequestSerializerSettingsTests {
    @Test("timeout, cookies and cache policy are applied only if they are set")
    func onlyIfSet() throws {
        var own = try request("POST")
        own.timeoutInterval = 7
        own.httpShouldHandleCookies = false
        own.cachePolicy = .returnCacheDataDontLoad
        for serializer in everySerializer {
            let result = try serializer.serialize(own, parameters: ["a": 1])
            #expect(result.timeoutInterval == 7)
            #expect(!result.httpShouldHandleCookies)
            #expect(result.cachePolicy == .returnCacheDataDontLoad)
        }
    }

    @Test("timeout, cookies and cache policy replace the request's if they are set")
    func whereSet() throws {
        var own = HTTPRequestSerializer()
        own.timeoutInterval = 5
        own.httpShouldHandleCookies = false
        own.cachePolicy = .reloadIgnoringLocalCacheData
        var json = JSONRequestSerializer()
        json.timeoutInterval = 5
        json.httpShouldHandleCookies = false
        json.cachePolicy = .reloadIgnoringLocalCacheData
        var list = PropertyListRequestSerializer()
        list.timeoutInterval = 5
        list.httpShouldHandleCookies = false
        list.cachePolicy = .reloadIgnoringLocalCacheData
        // A copy has every setting of the original.
        for serializer in [own, json, list] as [any RequestSerializer] {
            for method in ["GET", "POST"] {
                for parameters in [nil, ["a": 1]] as [Parameters?] {
                    var request = try request(method)
                    request.timeoutInterval = 9
                    let result = try serializer.serialize(request, parameters: parameters)
                    #expect(result.timeoutInterval == 5)
                    #expect(!result.httpShouldHandleCookies)
                    #expect(result.cachePolicy == .reloadIgnoringLocalCacheData)
                }
            }
        }
    }

    @Test("the serializer's timeout reaches the transport")
    func timeoutOfExchange() async {
        let rig = SessionRig()
        var serializer = JSONRequestSerializer()
        serializer.timeoutInterval = 5
        rig.manager.requestSerializer = serializer
        rig.manager.post("a", parameters: ["k": "v"]) { _ in }
        let exchange = await rig.stub.exchange()
        #expect(exchange.exchange.timeouts.idle == 5)
        exchange.reply()
    }

    @Test("a closure can write the query or form, also for encoded parameters")
    func queryString() throws {
        var serializer = HTTPRequestSerializer()
        serializer.queryString = { request, parameters in
            "\(request.httpMethod ?? "")-" + parameters.names.joined(separator: "+")
        }
        var json = JSONRequestSerializer()
        json.queryString = serializer.queryString
        #expect(try url(["b": 1, "a": 2], by: serializer) == "http://h/p?GET-a+b")
        #expect(try url(["b": 1, "a": 2], "http://h/p?x#f", by: json) == "http://h/p?x&GET-a+b#f")
        #expect(try body(["b": 1, "a": 2], by: serializer) == "POST-a+b")
        #expect(try body(["b": 1, "a": 2], by: json) == #"{"a":2,"b":1}"#)
        struct Pair: Encodable, Sendable { var a = 1, b = 2 }
        let encoded = try serializer.serialize(request(), parameters: Pair())
        #expect(encoded.url?.query == "GET-a+b")
    }

    @Test("the closure is not called without parameters, and its error fails the request")
    func queryStringErrors() throws {
        struct Refusal: Error {}
        var serializer = HTTPRequestSerializer()
        serializer.queryString = { _, _ in throw Refusal() }
        #expect(try url(nil, by: serializer) == "http://h/p")
        #expect(try body(nil, by: serializer) == "")
        for method in ["GET", "POST"] {
            let request = try request(method)
            #expect(throws: Refusal.self) {
                try serializer.serialize(request, parameters: ["a": 1])
            }
        }
    }

    @Test(
        "a query that is not escaped, or would end the URL's query, is an error",
        arguments: ["a#b", "a b", "é", "%"])
    func unescaped(query: String) throws {
        var serializer = HTTPRequestSerializer()
        serializer.queryString = { _, _ in query }
        #expect(throws: RequestSerializationError.self) { try url(["a": 1], by: serializer) }
        #expect(try body(["a": 1], by: serializer) == query)
    }

    @Test("a form uses the string encoding, and is an error if it cannot be converted")
    func formEncoding() throws {
        var serializer = HTTPRequestSerializer()
        serializer.queryString = { _, _ in "é" }
        serializer.stringEncoding = .isoLatin1
        let result = try serializer.serialize(request("POST"), parameters: [:])
        #expect(result.httpBody == Data([0xE9]))
        serializer.stringEncoding = .ascii
        #expect(try failure([:], by: serializer)?.keyPath == "")
    }

    @Test("a request can be created from a method, a URL and parameters of both kinds")
    func madeRequest() throws {
        let address = try #require(URL(string: "http://h/p"))
        let serializer = JSONRequestSerializer(headers: ["X-A": "1"])
        let plain = try serializer.request(.get, address, parameters: ["a": 1])
        #expect(plain.url?.absoluteString == "http://h/p?a=1")
        #expect(plain.value(forHTTPHeaderField: "X-A") == "1")
        let encoded = try serializer.request("PUT", address, parameters: [1, 2])
        #expect(encoded.httpMethod == "PUT")
        #expect(encoded.httpBody == Data("[1,2]".utf8))
        #expect(try serializer.request(.post, address).httpBody == nil)
    }
}
