import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Verbs with Encodable parameters", .timeLimit(.minutes(5)))
struct EncodableVerbTests {
    struct Query: Encodable, Sendable { var page = 2, tags = ["a b"] }
    struct Answer: Decodable, Sendable { var a: Int }

    static let query = "page=2&tags%5B%5D=a%20b"
    static let json = #"{"page":2,"tags":["a b"]}"#

    func rig() -> SessionRig {
        let rig = SessionRig(answer: { $0.reply() })
        rig.manager.requestSerializer = JSONRequestSerializer()
        return rig
    }

    /// Returns method, URL and body of the sent requests.
    func sent(_ rig: SessionRig) -> [String] {
        rig.stub.exchanges.map { stub in
            let exchange = stub.exchange
            guard case .data(let body)? = exchange.body else {
                return "\(exchange.method) \(exchange.url)"
            }
            return "\(exchange.method) \(exchange.url) \(String(decoding: body, as: UTF8.self))"
        }
    }

    static let expected = [
        "HEAD http://stub.test/a?\(query)", "GET http://stub.test/a?\(query)",
        "POST http://stub.test/a \(json)", "PUT http://stub.test/a \(json)",
        "PATCH http://stub.test/a \(json)", "DELETE http://stub.test/a?\(query)",
    ]

    @Test("every verb and factory sends them, with the trailing closure as handler")
    func handlers() async {
        let rig = rig(), manager = rig.manager, http = HTTPResponseSerializer()
        let calls = Recorder<Bool>()
        manager.head("a", parameters: Query()) { calls.add($0.head != nil) }
        manager.get("a", parameters: Query()) { calls.add($0.error == nil) }
        manager.post("a", parameters: Query()) { calls.add($0.error == nil) }
        manager.put("a", parameters: Query()) { calls.add($0.error == nil) }
        manager.patch("a", parameters: Query()) { calls.add($0.error == nil) }
        manager.delete("a", parameters: Query()) { calls.add($0.error == nil) }
        manager.head("a", parameters: Query(), options: []) { calls.add($0.head != nil) }
        manager.get("a", parameters: Query(), serializer: http) { calls.add($0.value != nil) }
        manager.post("a", parameters: Query(), serializer: http) { calls.add($0.value != nil) }
        manager.put("a", parameters: Query(), serializer: http) { calls.add($0.value != nil) }
        manager.patch("a", parameters: Query(), serializer: http) { calls.add($0.value != nil) }
        manager.delete("a", parameters: Query(), serializer: http) { calls.add($0.value != nil) }
        let tasks = [
            manager.dataTask(method: .get, path: "a", parameters: Query()) {
                calls.add($0.error == nil)
            },
            manager.dataTask(method: .post, path: "a", parameters: Query(), serializer: http) {
                calls.add($0.error == nil)
            },
        ]
        #expect(tasks.allSatisfy { $0.state == .initialized })
        tasks.forEach { $0.resume() }
        #expect(await calls.wait(for: 14).allSatisfy { $0 })
        #expect(sent(rig) == Self.expected + Self.expected + [Self.expected[1], Self.expected[2]])
        await rig.group.left()
    }

    @Test("every async verb sends them")
    func waiting() async throws {
        let rig = rig(), manager = rig.manager
        #expect(try await manager.head("a", parameters: Query()).statusCode == 200)
        #expect(try await manager.get("a", parameters: Query(), as: Answer.self).a == 1)
        #expect(try await manager.post("a", parameters: Query(), as: Answer.self).a == 1)
        #expect(try await manager.put("a", parameters: Query(), as: Answer.self).a == 1)
        let patched: Answer = try await manager.patch("a", parameters: Query())
        #expect(patched.a == 1)
        #expect(try await manager.delete("a", parameters: Query(), as: Answer.self).a == 1)
        #expect(sent(rig) == Self.expected)
    }

    @Test("literals, variables and nil work as either kind of parameters, with the same bytes")
    func overloads() async throws {
        let rig = rig(), manager = rig.manager
        let typed = ["k": "v"], untyped: Parameters = ["k": "v"], missing: Query? = nil
        _ = try await manager.post("a", parameters: ["k": "v"], as: Answer.self)
        _ = try await manager.post("a", parameters: typed, as: Answer.self)
        _ = try await manager.post("a", parameters: untyped, as: Answer.self)
        _ = try await manager.post("a", parameters: ["k": "v", "n": 1], as: Answer.self)
        _ = try await manager.post("a", parameters: ["k": ["n": [1, 2]]], as: Answer.self)
        _ = try await manager.post("a", parameters: nil, as: Answer.self)
        _ = try await manager.post("a", parameters: missing, as: Answer.self)
        let start = "POST http://stub.test/a "
        #expect(
            sent(rig) == Array(repeating: start + #"{"k":"v"}"#, count: 3) + [
                start + #"{"k":"v","n":1}"#, start + #"{"k":{"n":[1,2]}}"#, start, start,
            ])
    }

    @Test("a call's headers replace the serializer's")
    func headers() async {
        let rig = rig()
        rig.manager.post("a", parameters: Query(), headers: ["Content-Type": "text/own"]) { _ in }
        let exchange = await rig.stub.exchange()
        #expect(exchange.value(of: "Content-Type") == "text/own")
    }
}
