import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Bodies of redirects", .timeLimit(.minutes(5)))
struct RedirectBodyTests {
    enum Kind: CaseIterable, Sendable { case data, download, stream }

    /// The outcome of a task of any kind.
    struct Outcome: Sendable {
        var body: Data?
        var metrics: TaskMetrics?
    }

    static let largestExcerpt = 64 * 1024

    let stub = ManualTransport()
    let manager: SessionManager
    let directory: TemporaryDirectory

    init() throws {
        // On which no time passes.
        var configuration = SessionConfiguration()
        configuration.clock = ManualClock()
        manager = SessionManager(configuration: configuration, transport: stub)
        directory = try TemporaryDirectory()
    }

    func outcome(of kind: Kind) async throws -> Outcome {
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        switch kind {
        case .data:
            let response = await manager.response(
                for: request, serializer: HTTPResponseSerializer())
            return Outcome(body: response.value, metrics: response.metrics)
        case .download:
            let place = directory.file("result")
            let response = await manager.download(for: request, destination: { _ in place })
            let bytes = try response.value?.bytes
            return Outcome(body: bytes.map { Data($0) }, metrics: response.metrics)
        case .stream:
            let stream = try await manager.stream(for: request)
            var body = Data()
            for try await piece in stream { body += piece }
            return Outcome(body: body, metrics: stream.task.metrics)
        }
    }

    @Test(
        "up to 64 KiB are read, and a longer body is cut off and the redirect followed",
        arguments: Kind.allCases)
    func endless(kind: Kind) async throws {
        async let outcome = outcome(of: kind)
        let first = await stub.exchange()
        first.respond(302, ["Location": "/b"])
        first.send([UInt8](repeating: 1, count: Self.largestExcerpt))
        await manager.callbacks.flush()
        #expect(!first.calls.all.contains(.cancel))
        first.send([1])
        let second = await stub.exchange(1)
        #expect(first.calls.all.count { $0 == .cancel } == 1)
        #expect(second.exchange.url == "http://stub.test/b")
        second.reply(200, [:], "whole")
        let result = try await outcome
        #expect(result.body == Data("whole".utf8))
        #expect(result.metrics?.redirectCount == 1 && result.metrics?.exchanges.count == 2)
    }

    @Test("a body that is cut off before its transfer is known ends first")
    func beforeTransfer() async throws {
        let stub = ManualTransport { transfer in
            guard transfer.exchange.url.hasSuffix("/a") else { return transfer.reply() }
            transfer.respond(302, ["Location": "/b"])
            transfer.send([UInt8](repeating: 1, count: Self.largestExcerpt + 1))
        }
        let manager = HTTPSessionManager(baseURL: URL(string: "http://stub.test/"), transport: stub)
        let response = await withCheckedContinuation { continuation in
            manager.get("a") { continuation.resume(returning: $0) }
        }
        #expect(response.error == nil && response.metrics?.exchanges.count == 2)
        #expect(await stub.exchange().controls == [.suspend, .cancel])
    }

    @Test(
        "a redirect that is declined after 64 KiB is consumed once, in every kind of task",
        arguments: Kind.allCases
    )
    func consumedOnce(kind: Kind) async throws {
        manager.taskWillPerformHTTPRedirection = { _, _, _ in nil }
        manager.responseSerializer = HTTPResponseSerializer(acceptableStatusCodes: [302])
        let place = directory.file("result")
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        let serializer = HTTPResponseSerializer(acceptableStatusCodes: [302])
        let whole = Task { [manager] () async throws -> Int in
            switch kind {
            case .data:
                return await manager.response(for: request, serializer: serializer).data?.count ?? 0
            case .download:
                let response = await manager.download(for: request, destination: { _ in place })
                return try response.value?.bytes.count ?? 0
            case .stream:
                var count = 0
                let stream = try await manager.stream(for: request, validatedBy: serializer)
                for try await piece in stream { count += piece.count }
                return count
            }
        }
        let exchange = await stub.exchange()
        exchange.respond(302, ["Location": "/b"])
        exchange.send([UInt8](repeating: 1, count: Self.largestExcerpt + 1))
        #expect(await until { exchange.controls.contains(.resume) })
        exchange.send([UInt8](repeating: 1, count: 1000))
        let size = Self.largestExcerpt + 1001
        let consumed = {
            exchange.calls.all.reduce(0) {
                if case .didConsume(let count) = $1 { $0 + count } else { $0 }
            }
        }
        #expect(await until { consumed() == size })
        exchange.end()
        #expect(try await whole.value == size)
        #expect(consumed() == size)
    }

    /// Starts a task that gets a redirect as its response if the hook declines it.
    private func declined() throws -> Task<Response<Data>, Never> {
        let serializer = HTTPResponseSerializer(acceptableStatusCodes: [302])
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        return Task { [manager] in await manager.response(for: request, serializer: serializer) }
    }

    @Test(
        "a hook is called after 64 KiB, and a declined redirect is delivered at any length")
    func declinedHook() async throws {
        let asked = Recorder<Void>()
        let gate = Recorder<Void>()
        manager.taskWillPerformHTTPRedirection = { _, _, _ in
            asked.add(())
            await gate.wait(for: 1)
            return nil
        }
        let response = try declined()
        let exchange = await stub.exchange()
        exchange.respond(302, ["Location": "/b"])
        exchange.send([UInt8](repeating: 1, count: Self.largestExcerpt))
        await manager.callbacks.flush()
        #expect(asked.count == 0)
        exchange.send([1])
        await asked.wait(for: 1)
        #expect(exchange.controls == [.suspend])
        // Bytes that were under way still arrive.
        exchange.send([1, 1])
        gate.add(())
        #expect(await until { exchange.controls.contains(.resume) })
        let large = 2 * 1024 * 1024
        exchange.send([UInt8](repeating: 1, count: large))
        exchange.end()
        #expect(await response.value.data?.count == Self.largestExcerpt + 3 + large)
        #expect(exchange.controls == [.suspend, .resume] && stub.exchanges.count == 1)
    }

    @Test("a body that ends while the hook runs is delivered, or fails with its error")
    func endedHook() async throws {
        for failure in [nil, Exchange.Failure.lost] {
            let stub = ManualTransport()
            let manager = SessionManager(transport: stub)
            let (asked, gate) = (Recorder<Void>(), Recorder<Void>())
            manager.taskWillPerformHTTPRedirection = { _, _, _ in
                asked.add(())
                await gate.wait(for: 1)
                return nil
            }
            let serializer = HTTPResponseSerializer(acceptableStatusCodes: [302])
            let request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
            async let response = manager.response(for: request, serializer: serializer)
            let exchange = await stub.exchange()
            exchange.respond(302, ["Location": "/b"])
            exchange.send([UInt8](repeating: 1, count: Self.largestExcerpt + 1))
            await asked.wait(for: 1)
            if let failure { exchange.fail(failure) } else { exchange.end() }
            await manager.callbacks.flush()
            gate.add(())
            let result = await response
            #expect(result.data?.count == Self.largestExcerpt + 1)
            #expect((result.error == nil) == (failure == nil))
            #expect(exchange.controls == [.suspend] && stub.exchanges.count == 1)
        }
    }

    @Test("a cancel while a body is cut off ends the task")
    func cancelled() async throws {
        let rig = SessionRig()
        let task = rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(302, ["Location": "/b"])
        // The cancel follows the last byte closely, before or after it is counted.
        exchange.send([UInt8](repeating: 1, count: Self.largestExcerpt + 1))
        task.cancel()
        #expect(await rig.response.error?.isCancelled == true)
        await rig.expectOneCompletion()
    }
}
