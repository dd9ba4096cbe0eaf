import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Async calls", .timeLimit(.minutes(5)))
struct AsyncTests {
    let request = URLRequest(url: URL(fileURLWithPath: "/"))

    static func request(_ rig: SessionRig) throws -> URLRequest {
        URLRequest(url: try #require(rig.manager.url(for: "a")))
    }

    struct Value: Decodable, Sendable { var a: Int }
    struct Pair: Encodable, Sendable { var c: Int }

    @Test("data, response and get return even if the completion queue is blocked")
    func success() async throws {
        let rig = SessionRig(answer: { $0.reply() })
        let stuck = DispatchQueue(label: "stuck", attributes: .initiallyInactive)
        rig.manager.completionQueue = stuck
        #expect(try await rig.manager.data(for: Self.request(rig)) == Data(#"{"a":1}"#.utf8))
        #expect(try await rig.manager.get("a", as: Value.self).a == 1)
        let response = await rig.manager.response(
            for: try Self.request(rig), serializer: JSONResponseSerializer()
        )
        #expect(response.error == nil)
        await rig.group.left()
        stuck.activate()
    }

    @Test("typed calls accept what the manager's JSON serializer accepts")
    func inherited() async throws {
        let form = MultipartFormData {
            $0.appendPart(formData: Data("x".utf8), name: "a")
        }
        for (status, type) in [(200, "application/vnd.a+json"), (418, "application/json")] {
            let rig = SessionRig(answer: { $0.reply(status, ["Content-Type": type], #"{"a":1}"#) })
            let manager = rig.manager
            await #expect(throws: BluebonnetError.self) {
                try await manager.get("a", as: Value.self)
            }
            manager.responseSerializer.acceptableContentTypes?.insert("application/vnd.a+json")
            manager.responseSerializer.acceptableStatusCodes?.insert(418)
            #expect(try await manager.get("a", as: Value.self).a == 1)
            #expect(try await manager.post("a", parameters: ["b": 1], as: Value.self).a == 1)
            #expect(try await manager.upload(.form(form), to: "a", as: Value.self).a == 1)
            manager.responseSerializer = StringResponseSerializer()
            await #expect(throws: BluebonnetError.self) {
                try await manager.get("a", as: Value.self)
            }
        }
    }

    @Test("a response by method and path has the head and the value, for any serializer")
    func responseByPath() async throws {
        let rig = SessionRig(answer: { $0.reply(201, ["ETag": "v", "Content-Type": "a/b"], "abc") })
        let response = await rig.manager.response(
            .post, "a", parameters: ["b": 1], headers: ["X": "1"],
            serializer: StringResponseSerializer())
        #expect(response.value == "abc" && response.headers["ETag"] == "v")
        let encoded = await rig.manager.response(
            .put, "a", parameters: Pair(c: 2),
            serializer: DecodableResponseSerializer<Value>())
        guard case .unacceptableContentType = encoded.error else {
            Issue.record("\(encoded)")
            return
        }
        #expect(rig.stub.exchanges.map(\.exchange.method) == ["POST", "PUT"])
        #expect(rig.stub.exchanges[0].bodyText == "b=1")
        #expect(rig.stub.exchanges[0].value(of: "X") == "1")
        let unbuilt = await rig.manager.response(
            .get, "http://[", serializer: HTTPResponseSerializer())
        guard case .invalidRequest = unbuilt.error else {
            Issue.record("\(unbuilt)")
            return
        }
    }

    @Test("errors are typed and complete")
    func failure() async throws {
        let rig = SessionRig(answer: { $0.reply(404) })
        let error = await #expect(throws: BluebonnetError.self) {
            try await rig.manager.get("a", as: Value.self)
        }
        #expect(error?.response?.statusCode == 404)
        let invalid = await #expect(throws: BluebonnetError.self) {
            try await rig.manager.data(for: request)
        }
        guard case .invalidRequest? = invalid else {
            Issue.record("\(String(describing: invalid))")
            return
        }
    }

    @Test("canceling the Swift task cancels the exchange and throws .cancelled")
    func cancel() async throws {
        let rig = SessionRig()
        let request = try Self.request(rig)
        let work = Task { try await rig.manager.data(for: request) }
        let exchange = await rig.stub.exchange()
        work.cancel()
        guard case .failure(let error) = await work.result,
            case .cancelled? = error as? BluebonnetError
        else {
            Issue.record("it was not canceled")
            return
        }
        #expect(exchange.controls == [.cancel])
        await rig.group.left()
        await rig.completed.wait(for: 1)
        await rig.settle()
        #expect(rig.completed.count == 1)
    }

    @Test("a canceled Swift task sends nothing")
    func cancelledBefore() async throws {
        let rig = SessionRig()
        let (request, gate) = (try Self.request(rig), Recorder<Void>())
        let work = Task {
            await gate.wait(for: 1)
            return await rig.manager.response(for: request, serializer: HTTPResponseSerializer())
        }
        work.cancel()
        gate.add(())
        let response = await work.value
        guard case .cancelled? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(rig.stub.exchanges.isEmpty)
    }

    @Test("async calls return even if all blocking handlers wait for them")
    func handlersThatWait() async throws {
        let rig = SessionRig(answer: { $0.reply() })
        rig.manager.completionQueue = nil
        let request = try Self.request(rig)
        let ends = Recorder<DispatchTimeoutResult>()
        for _ in 0..<70 {
            rig.manager.get("a") { [manager = rig.manager] _ in
                let hasEnded = DispatchSemaphore(value: 0)
                Task {
                    _ = try await manager.data(for: request)
                    hasEnded.signal()
                }
                ends.add(hasEnded.wait(timeout: .now() + 60))
            }
        }
        #expect(await ends.wait(for: 70).allSatisfy { $0 == .success })
        await rig.group.left()
    }

    @Test("of a thousand simultaneous calls, some canceled, all return")
    func many() async throws {
        let rig = SessionRig(answer: { $0.reply() })
        let request = try Self.request(rig)
        let results = await withTaskGroup { group in
            for number in 0..<1_000 {
                group.addTask {
                    let work = Task { try await rig.manager.data(for: request) }
                    if number % 3 == 0 { work.cancel() }
                    return (try? await work.value) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(results >= 666)
        await rig.group.left()
    }
}
