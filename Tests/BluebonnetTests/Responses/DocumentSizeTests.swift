import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("The maximum document size", .timeLimit(.minutes(5)))
struct DocumentSizeTests {
    static let serializers: [any ResponseSerializer] = [
        JSONResponseSerializer(acceptableContentTypes: nil, maximumDocumentSize: 10),
        DecodableResponseSerializer<[Int]>(acceptableContentTypes: nil, maximumDocumentSize: 10),
        XMLDocumentResponseSerializer(acceptableContentTypes: nil, maximumDocumentSize: 10),
        XMLParserResponseSerializer(acceptableContentTypes: nil, maximumDocumentSize: 10),
        PropertyListResponseSerializer(acceptableContentTypes: nil, maximumDocumentSize: 10),
        CompoundResponseSerializer([
            JSONResponseSerializer(acceptableContentTypes: nil, maximumDocumentSize: 4),
            JSONResponseSerializer(acceptableContentTypes: nil, maximumDocumentSize: 10),
        ]),
    ]

    let rig = SessionRig()

    private func isTooLarge(_ error: BluebonnetError?) -> Bool {
        guard case .unreadableBody(let text, _)? = error else { return false }
        return text.contains("larger than the 10 bytes") && text.contains("maximumDocumentSize")
    }

    @Test("it stops a larger declared transfer before any of the body")
    func declared() async throws {
        for serializer in Self.serializers {
            rig.manager.responseSerializer = serializer
            let count = rig.responses.count
            let task = rig.task()
            task.resume()
            let exchange = await rig.stub.exchange(count)
            exchange.respond(200, ["Content-Length": "11"])
            let response = await rig.responses.wait(for: count + 1)[count]
            #expect(isTooLarge(response.error), "\(serializer): \(response)")
            #expect(response.data?.isEmpty != false)
            #expect(exchange.calls.all.contains(.cancel), "\(serializer)")
        }
    }

    @Test("it stops a transfer when more has arrived, whatever was declared")
    func received() async throws {
        for serializer in Self.serializers {
            rig.manager.responseSerializer = serializer
            let count = rig.responses.count
            rig.task().resume()
            let exchange = await rig.stub.exchange(count)
            // The declared length is that of the encoded body.
            exchange.respond(200, ["Content-Encoding": "gzip", "Content-Length": "5"])
            exchange.send(Array("[1,2,3,4,5".utf8))
            await rig.settle()
            #expect(rig.responses.count == count)
            exchange.send(Array("]".utf8))
            let response = await rig.responses.wait(for: count + 1)[count]
            #expect(isTooLarge(response.error), "\(serializer): \(response)")
            #expect(exchange.calls.all.contains(.cancel), "\(serializer)")
        }
    }

    @Test("it accepts a body of exactly that size")
    func fitting() async throws {
        rig.manager.responseSerializer = Self.serializers[0]
        rig.task().resume()
        await rig.stub.exchange().reply(200, ["Content-Length": "10"], "[12345678]")
        #expect(await rig.response.error == nil)
    }

    @Test("an unacceptable status code or content type is reported first", arguments: [500, 200])
    func verdicts(status: Int) async throws {
        rig.manager.responseSerializer = JSONResponseSerializer(maximumDocumentSize: 10)
        rig.task().resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(status, ["Content-Type": status == 500 ? "application/json" : "text/html"])
        exchange.send(Array(repeating: UInt8(ascii: " "), count: 11))
        let error = try #require(await rig.response.error)
        switch error {
        case .unacceptableStatus(500, let context):
            #expect(isTooLarge(context.underlying as? BluebonnetError), "\(error)")
        case .unacceptableContentType("text/html", _, _): #expect(status == 200)
        default: Issue.record("\(error)")
        }
        #expect(exchange.calls.all.contains(.cancel))
    }

    @Test("it does not apply if another handler reads larger documents")
    func others() async throws {
        rig.manager.responseSerializer = Self.serializers[0]
        let task = rig.task()
        let data = Recorder<Data?>()
        task.addResponseHandler(serializer: .http) { data.add($0.value) }
        task.resume()
        let body = "[1,2,3,4,5,6]"
        await rig.stub.exchange().reply(200, ["Content-Length": "\(body.utf8.count)"], body)
        #expect(await data.wait(for: 1) == [Data(body.utf8)])
        #expect(await rig.response.error != nil)
    }

    @Test("it does not apply to streams and downloads")
    func otherFlows() async throws {
        rig.manager.responseSerializer = Self.serializers[0]
        let directory = try TemporaryDirectory()
        let file = directory.file("a")
        let body = "[1,2,3,4,5,6]"
        rig.manager.download("a", to: file) { _ in }
        await rig.stub.exchange().reply(200, ["Content-Length": "\(body.utf8.count)"], body)
        #expect(await until { (try? file.bytes) == Array(body.utf8) })
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/")))
        async let stream = rig.manager.stream(
            for: request, validatedBy: JSONResponseSerializer(maximumDocumentSize: 10))
        await rig.stub.exchange(1).reply(200, ["Content-Type": "application/json"], body)
        var count = 0
        for try await piece in try await stream { count += piece.count }
        #expect(count == body.utf8.count)
    }

    @Test("a user's own serializer can have its own")
    func own() async throws {
        rig.manager.responseSerializer = Lines()
        rig.task().resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Length": "4"])
        guard case .unreadableBody(let text, _)? = await rig.response.error else {
            Issue.record("\(await rig.response)")
            return
        }
        #expect(text.contains("larger than the 3 bytes"))
    }
}

private struct Lines: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>?
    var acceptableContentTypes: Set<String>?
    var maximumBodySize: Int? { 3 }

    func serialize(_ data: Data, head: ResponseHead?) throws -> Int { data.count }
}
