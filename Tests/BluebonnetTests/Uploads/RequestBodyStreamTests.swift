import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("A request's own stream with a length", .timeLimit(.minutes(5)))
struct RequestBodyStreamTests {
    static let body = sampleBytes(10_000)

    let rig = SessionRig()

    func task(length: String, progress: ProgressHandler? = nil) throws -> DataTask {
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data(Self.body))
        request.setValue(length, forHTTPHeaderField: "Content-Length")
        return rig.manager.dataTask(with: request, uploadProgress: progress) {
            [log = rig.log, responses = rig.responses] in
            log.add("handler")
            responses.add($0)
        }
    }

    @Test("its Content-Length is the total for hook, progress and transport")
    func total() async throws {
        let (hook, told) = (Recorder<[Int64]>(), Recorder<[Int64]>())
        rig.manager.taskDidSendBodyData = {
            hook.add([$2, $3]); _ = ($0, $1)
        }
        let task = try task(length: "10000") {
            told.add([$0.completedUnitCount, $0.totalUnitCount])
        }
        task.resume()
        let exchange = await rig.stub.exchange()
        #expect(exchange.exchange.body?.length == 10_000)
        #expect(exchange.readBody() == Self.body)
        // The transport writes the field itself, once.
        #expect(exchange.value(of: "Content-Length") == nil)
        exchange.sent(4000)
        exchange.sent(10_000)
        exchange.reply()
        await rig.expectOneCompletion()
        #expect(hook.all == [[4000, 10_000], [10_000, 10_000]])
        #expect(told.all == hook.all)
        #expect(task.uploadProgress.fractionCompleted == 1)
    }

    @Test("an invalid length is refused, and so is one that differs from the upload's body")
    func noLength() async throws {
        try task(length: "many").resume()
        guard case .invalidRequest(let text, _)? = await rig.response.error else {
            Issue.record("\(await rig.response)")
            return
        }
        #expect(text.contains("Content-Length is \"many\""))
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        request.httpMethod = "POST"
        request.setValue("5", forHTTPHeaderField: "Content-Length")
        let upload = await rig.manager.upload(for: request, from: Data([1, 2]))
        guard case .invalidRequest? = upload.error else {
            Issue.record("\(upload)")
            return
        }
        #expect(rig.stub.exchanges.isEmpty)
    }

    @Test("a stream of unknown length is sent chunked, and the request can say so")
    func chunked() async throws {
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data(Self.body))
        request.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding")
        rig.manager.dataTask(with: request) { [responses = rig.responses] in responses.add($0) }
            .resume()
        let exchange = await rig.stub.exchange()
        #expect(exchange.exchange.body?.length == nil && exchange.readBody() == Self.body)
        #expect(exchange.value(of: "Transfer-Encoding") == nil)
        exchange.reply()
        #expect(await rig.response.error == nil)
    }

    @Test(
        "fewer or more bytes than declared fail the body (S12, fault 80)",
        arguments: [(StreamFailure.Reason.tooShort, "10001"), (.tooLong, "9999")])
    func wrong(reason: StreamFailure.Reason, length: String) async throws {
        try task(length: length).resume()
        #expect(await rig.stub.exchange().readBody() == nil)
        guard case .requestBody(_, let context)? = await rig.response.error else {
            Issue.record("\(await rig.response)")
            return
        }
        #expect((context.underlying as? StreamFailure)?.reason == reason)
        await rig.expectOneCompletion()
    }
}
