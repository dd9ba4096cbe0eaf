import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("JSON settings of a manager", .timeLimit(.minutes(5)))
struct JSONSettingsTests {
    private let manager = HTTPSessionManager(baseURL: URL(string: "http://stub.test/"))

    @Test("setting the encoder makes the manager send JSON, with its serializer's other settings")
    func encoder() throws {
        manager.requestSerializer.setAuthorization(bearerToken: "t")
        manager.requestSerializer[as: HTTPRequestSerializer.self]?.timeoutInterval = 7
        manager.requestSerializer[as: HTTPRequestSerializer.self]?.queryEncoding.arrays = .indices
        #expect(manager.json.encoder.writingOptions == [])
        #expect(manager.requestSerializer is HTTPRequestSerializer)
        manager.json.encoder.writingOptions = .escapedSlashes
        let json = try #require(manager.requestSerializer[as: JSONRequestSerializer.self])
        #expect(json.encoder.writingOptions == .escapedSlashes && json.timeoutInterval == 7)
        #expect(json.headers["Authorization"] == "Bearer t")
        guard case .indices = json.queryEncoding.arrays else {
            Issue.record("the query encoding was lost")
            return
        }
    }

    @Test("the encoding of queries is that of any serializer of the library")
    func queryEncoding() throws {
        let serializers: [any RequestSerializer] = [
            HTTPRequestSerializer(), JSONRequestSerializer(), PropertyListRequestSerializer(),
        ]
        let url = try #require(URL(string: "http://stub.test/"))
        for serializer in serializers {
            manager.requestSerializer = serializer
            manager.queryEncoding.booleans = .literal
            #expect(type(of: manager.requestSerializer) == type(of: serializer))
            let request = try manager.requestSerializer.request(.get, url, parameters: ["a": true])
            #expect(request.url?.query == "a=true")
        }
        manager.requestSerializer = CustomSerializer()
        manager.queryEncoding.booleans = .literal
        #expect(manager.requestSerializer is CustomSerializer)
        guard case .numeric = manager.queryEncoding.booleans else {
            Issue.record("\(manager.queryEncoding)")
            return
        }
    }

    private struct CustomSerializer: RequestSerializer {
        var headers: HTTPHeaders = [:]

        func serialize(_ request: URLRequest, parameters: Parameters?) -> URLRequest { request }
    }

    @Test("concurrent changes of the encoder are all kept")
    func manyThreads() throws {
        manager.requestSerializer = JSONRequestSerializer()
        DispatchQueue.concurrentPerform(iterations: 60) { number in
            switch number % 3 {
            case 0: manager.json.encoder.writingOptions.insert(.prettyPrinted)
            case 1: manager.json.encoder.writingOptions.insert(.escapedSlashes)
            default: manager.requestSerializer.headers["X-\(number)"] = "1"
            }
        }
        #expect(manager.json.encoder.writingOptions == [.prettyPrinted, .escapedSlashes])
        #expect(manager.requestSerializer.headers.fields.count == 20)
    }

    @Test("a serializer is read and changed only as its own type, and never replaced")
    func typed() {
        manager.responseSerializer[as: JSONResponseSerializer.self]?.removesKeysWithNullValues =
            true
        #expect(
            manager.responseSerializer[as: JSONResponseSerializer.self]?.removesKeysWithNullValues
                == true)
        #expect(manager.responseSerializer[as: StringResponseSerializer.self] == nil)
        manager.responseSerializer[as: StringResponseSerializer.self] = StringResponseSerializer()
        manager.requestSerializer[as: JSONRequestSerializer.self] = nil
        #expect(manager.responseSerializer is JSONResponseSerializer)
        #expect(manager.requestSerializer is HTTPRequestSerializer)
    }
}
