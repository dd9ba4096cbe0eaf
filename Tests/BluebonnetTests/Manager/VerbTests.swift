import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Verbs and factories", .timeLimit(.minutes(5)))
struct VerbTests {
    @Test("every verb and factory uses one trailing closure as the handler, on the given queue")
    func trailingClosures() async throws {
        let rig = SessionRig(answer: { $0.reply(200, ["Content-Type": "text/x"], "") })
        let manager = rig.manager
        let key = DispatchSpecificKey<Bool>()
        rig.queue.setSpecific(key: key, value: true)
        let calls = Recorder<Bool>()
        let http = HTTPResponseSerializer()
        @Sendable func heard() { calls.add(DispatchQueue.getSpecific(key: key) == true) }
        manager.head("a") { _ in heard() }
        manager.get("a") { _ in heard() }
        manager.post("a") { _ in heard() }
        manager.put("a") { _ in heard() }
        manager.patch("a") { _ in heard() }
        manager.delete("a") { _ in heard() }
        manager.head("a", options: []) { _ in heard() }
        manager.get("a", serializer: http) { _ in heard() }
        manager.post("a", serializer: http) { _ in heard() }
        manager.put("a", serializer: http) { _ in heard() }
        manager.patch("a", serializer: http) { _ in heard() }
        manager.delete("a", serializer: http) { _ in heard() }
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/")))
        let tasks = [
            manager.dataTask(method: .get, path: "a") { _ in heard() },
            manager.dataTask(method: .get, path: "a", serializer: http) { _ in heard() },
            manager.dataTask(with: request) { _ in heard() },
            manager.dataTask(with: request, serializer: http) { _ in heard() },
        ]
        #expect(tasks.allSatisfy { $0.state == .initialized })
        tasks.forEach { $0.resume() }
        #expect(await calls.wait(for: 16).allSatisfy { $0 })
        await rig.settle()
        #expect(calls.count == 16 && rig.stub.exchanges.count == 16)
        let methods = ["HEAD", "GET", "POST", "PUT", "PATCH", "DELETE"]
        #expect(
            rig.stub.exchanges.map(\.exchange.method) == methods + methods
                + Array(repeating: "GET", count: 4))
    }

    @Test("a task without a handler sends its request when it is resumed")
    func unawaited() async {
        let rig = SessionRig(answer: { $0.reply(200, ["Content-Type": "application/json"], "") })
        let manager = rig.manager, query = ["b": 1]
        let tasks = [
            manager.dataTask(.get, "a", parameters: ["b": 1, "c": "d"], options: .tag("t")),
            manager.dataTask(.delete, "a", parameters: query, headers: ["A": "b"]),
        ]
        #expect(tasks.allSatisfy { $0.state == .initialized })
        for task in tasks {
            task.resume()
            await rig.completed.wait(for: task == tasks[0] ? 1 : 2)
        }
        #expect(tasks.allSatisfy { $0.error == nil && $0.state == .completed })
        let sent = rig.stub.exchanges.map(\.exchange)
        #expect(sent.map(\.method) == ["GET", "DELETE"])
        #expect(
            sent.map(\.url)
                == ["http://stub.test/a?b=1&c=d", "http://stub.test/a?b=1"])
        #expect(sent.map(\.attributes.tag) == ["t", nil])
        #expect(rig.stub.exchanges.map { $0.value(of: "A") } == [nil, "b"])
    }

    @Test(
        "paths are resolved against the base URL",
        arguments: [
            ("http://example.com/v1/", "foo", "http://example.com/v1/foo"),
            ("http://example.com/v1/", "foo?bar=baz", "http://example.com/v1/foo?bar=baz"),
            ("http://example.com/v1/", "/foo", "http://example.com/foo"),
            ("http://example.com/v1/", "foo/", "http://example.com/v1/foo/"),
            ("http://example.com/v1/", "/foo/", "http://example.com/foo/"),
            ("http://example.com/v1/", "http://example2.com/", "http://example2.com/"),
            ("http://example.com/v1/", "", "http://example.com/v1/"),
            ("http://example.com/v1/", "\u{E9}?c=x%3D", "http://example.com/v1/%C3%A9?c=x%3D"),
            ("http://example.com/v1/", "a%20b c", "http://example.com/v1/a%20b%20c"),
            ("http://example.com/v1/", "a%3Ab|", "http://example.com/v1/a%3Ab%7C"),
            ("http://example.com/v1/", "a:b", "http://example.com/v1/a:b"),
            ("http://example.com/v1/", "a:b?x=y:z", "http://example.com/v1/a:b?x=y:z"),
            ("http://example.com/v1/", "a:b/c:d", "http://example.com/v1/a:b/c:d"),
            ("http://example.com/v1/", "a/b:c", "http://example.com/v1/a/b:c"),
            ("http://example.com/v1/", "HTTP://b.test/c", "HTTP://b.test/c"),
            ("http://example.com/v1", "foo", "http://example.com/v1/foo"),
            ("http://example.com/v1", "", "http://example.com/v1/"),
            ("http://example.com", "foo", "http://example.com/foo"),
            ("http://example.com", "", "http://example.com"),
            ("http://example.com/v1?k=v", "foo", "http://example.com/v1/foo"),
            ("http://example.com/a%2Fb", "c", "http://example.com/a%2Fb/c"),
        ]
    )
    func baseURL(base: String, path: String, expected: String) async {
        let rig = SessionRig(baseURL: base)
        #expect(rig.manager.url(for: path)?.absoluteString == expected)
        rig.task(path).resume()
        let exchange = await rig.stub.exchange()
        #expect(exchange.exchange.url == expected)
        exchange.reply()
        await rig.expectOneCompletion()
    }

    @Test("without a base URL an absolute URL is sent and a path fails")
    func noBaseURL() async {
        let stub = ManualTransport(answer: { $0.reply() })
        let manager = HTTPSessionManager(transport: stub)
        let errors = Recorder<BluebonnetError?>()
        for (number, path) in ["http://stub.test/", "foo", ""].enumerated() {
            manager.get(path) { errors.add($0.error) }
            await errors.wait(for: number + 1)
        }
        #expect(stub.exchanges.map(\.exchange.url) == ["http://stub.test/"])
        #expect(errors.all.count { $0 == nil } == 1)
    }

    @Test("a call's headers replace the serializer's, with its Content-Type")
    func headers() async {
        let rig = SessionRig()
        rig.manager.requestSerializer.headers = ["X-One": "serializer", "X-Two": "serializer"]
        rig.manager.post(
            "a", parameters: ["k": "v"],
            headers: HTTPHeaders([
                .init(name: "x-one", value: "call"), .init(name: "Content-Type", value: "text/own"),
                .init(name: "X-Three", value: "1"), .init(name: "x-three", value: "2"),
            ])
        ) { _ in }
        let exchange = await rig.stub.exchange()
        #expect(exchange.value(of: "X-One") == "call")
        #expect(exchange.value(of: "X-Two") == "serializer")
        #expect(exchange.value(of: "Content-Type") == "text/own")
        #expect(exchange.value(of: "X-Three")?.filter { $0 != " " } == "1,2")
        #expect(exchange.exchange.fields.count { $0.name.lowercased() == "x-one" } == 1)
        exchange.reply()
    }

    @Test("tasks and dataTasks list the unfinished tasks in order")
    func tasks() async {
        let rig = SessionRig()
        let tasks = (0..<5).map { _ in rig.task() }
        #expect(rig.manager.tasks.map(\.taskIdentifier) == tasks.map(\.taskIdentifier))
        #expect(rig.manager.dataTasks.count == 5)
        tasks[2].cancel()
        await rig.responses.wait(for: 1)
        #expect(!rig.manager.tasks.contains { $0 === tasks[2] } && rig.manager.tasks.count == 4)
        tasks.forEach { $0.cancel() }
        await rig.responses.wait(for: 5)
        #expect(rig.manager.tasks.isEmpty)
    }
}
