import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Async forms of the chain", .timeLimit(.minutes(1)))
struct SerializingTests {
    private struct User: Decodable, Sendable, Equatable { let name: String }

    private let rig = StubRig()
    private let transport = ManualTransport()
    private var waiting: HTTPSessionManager { HTTPSessionManager(transport: transport) }

    @Test("values, results and responses of every kind")
    func kinds() async throws {
        rig.answer((0..<4).map { _ in StubResponse(200, body: Data(#"{"name":"Ann"}"#.utf8)) })
        let manager = rig.manager
        let user = try await manager.request("a").serializingDecodable(User.self).value
        #expect(user == User(name: "Ann"))
        let text = await manager.request("a").serializingString().result
        #expect((try? text.get()) == #"{"name":"Ann"}"#)
        let data = await manager.request("a").serializingData().response
        #expect(data.value?.count == 14 && data.head?.statusCode == 200)
        let own = try await manager.request("a")
            .serializingResponse(using: StringResponseSerializer()).value
        #expect(own.count == 14)
    }

    @Test("a request starts at once, and every await gets the same result")
    func shared() async throws {
        let task = waiting.request("http://h/").serializingString()
        let transfer = await transport.exchange()
        async let first = task.value
        async let second = task.response
        transfer.replyAtOnce(200, [:], "b")
        #expect(try await first == "b")
        #expect(await second.value == "b")
        #expect(try await task.value == "b")
        #expect(transport.exchanges.count == 1)
    }

    @Test("errors are typed and equal the request's error")
    func errors() async {
        rig.answer(.init(404, body: Data("b".utf8)))
        do {
            _ = try await rig.manager.request("a").validate().serializingString().value
            Issue.record("no error")
        } catch {
            #expect(error.responseCode == 404 && error.context.data == Data("b".utf8))
        }
    }

    @Test(
        "canceling the awaiting Swift task cancels the request by default")
    func cancelledWaiter() async {
        let task = waiting.request("http://h/").serializingString()
        let waiter = Task { await task.result }
        _ = await transport.exchange()
        waiter.cancel()
        guard case .failure(.cancelled) = await waiter.value else {
            Issue.record("not canceled")
            return
        }
        let other = waiting.request("http://h/").serializingString(automaticallyCancelling: false)
        let transfer = await transport.exchange(1)
        let patient = Task { await other.result }
        patient.cancel()
        transfer.replyAtOnce(200, [:], "b")
        #expect((try? await patient.value.get()) == "b")
    }

    @Test(
        "a request created in a canceled Swift task is canceled without being sent")
    func madeWhenCancelled() async {
        let manager = waiting
        let made = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return manager.request("http://h/").serializingString()
        }
        let result = await made.value.result
        #expect(throws: AFError.self) { try result.get() }
        #expect(transport.exchanges.isEmpty)
    }

    @Test("the handle cancels, suspends and resumes")
    func control() async {
        let task = waiting.request("http://h/").serializingData()
        let transfer = await transport.exchange()
        task.suspend()
        task.resume()
        #expect(transfer.controls == [.suspend, .resume])
        task.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
    }

    @Test("a request continues when its handle is released")
    func letGo() async {
        let responses = Recorder<String>()
        waiting.request("http://h/").responseString { responses.add($0.value ?? "none") }
        _ = waiting.request("http://h/").serializingData()
        await transport.exchange(0).replyAtOnce(200, [:], "a")
        await transport.exchange(1).replyAtOnce(200, [:], "b")
        #expect(await responses.wait(for: 1) == ["a"])
        #expect(await until { transport.exchanges.allSatisfy { !$0.wasCutOff.withLock { $0 } } })
    }
}
