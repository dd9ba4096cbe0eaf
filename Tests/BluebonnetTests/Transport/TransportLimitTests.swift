import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Limits and guards on any transport", .timeLimit(.minutes(5)))
struct TransportLimitTests {
    private func failure(
        _ report: Exchange.Report, _ change: (inout SessionConfiguration) -> Void
    ) async throws -> Response<any Sendable> {
        let rig = SessionRig.configured(change)
        rig.task().resume()
        let exchange = await rig.stub.exchange()
        exchange.report(report)
        let response = await rig.response
        #expect(exchange.controls == [.cancel])
        await rig.expectOneCompletion()
        return response
    }

    private static let field = Exchange.Field(name: "abc", value: "defg")

    @Test("a head with more bytes or fields than configured fails the task at once")
    func head() async throws {
        let head = Exchange.Head(statusCode: 200, fields: [Self.field, Self.field])
        let large = try await failure(.init(head: head)) { $0.maximumResponseHeadSize = 13 }
        #expect(large.error?.limit == .headSize && large.head == nil)
        #expect("\(large.error as Any)".contains("larger than 13 bytes"))
        let long = try await failure(.init(head: head)) { $0.maximumResponseHeaderCount = 1 }
        #expect(long.error?.limit == .fieldCount)
    }

    @Test("a trailer with more bytes or fields than configured fails the task")
    func trailer() async throws {
        let report = Exchange.Report(
            head: Exchange.Head(statusCode: 200), trailers: [Self.field, Self.field])
        let large = try await failure(report) { $0.maximumTrailerSize = 13 }
        #expect(large.error?.limit == .trailerSize)
        let long = try await failure(report) { $0.maximumTrailerCount = 1 }
        #expect(long.error?.limit == .trailerFieldCount)
    }

    @Test("a response at the limits succeeds")
    func within() async throws {
        let rig = SessionRig.configured {
            $0.maximumResponseHeadSize = 14
            $0.maximumResponseHeaderCount = 2
            $0.maximumTrailerSize = 14
            $0.maximumTrailerCount = 2
            $0.maximumResponseBodySize = 2
        }
        rig.task().resume()
        let fields = [Self.field, Self.field]
        await rig.stub.exchange().report(
            .init(
                head: Exchange.Head(statusCode: 200, fields: fields),
                body: [Exchange.Chunk(Data("{}".utf8))], trailers: fields, end: Exchange.End()))
        let response = await rig.response
        #expect(response.head?.statusCode == 200 && response.error?.limit == nil)
        #expect(response.data == Data("{}".utf8))
    }

    @Test("a declared length over the limit fails the task before the body")
    func announced() async throws {
        let length = Exchange.Field(name: "Content-Length", value: "4")
        let json = Exchange.Field(name: "Content-Type", value: "application/json")
        // Both for accepted and for refused responses.
        for status in [200, 404] {
            let head = Exchange.Head(statusCode: status, fields: [length, json])
            let response = try await failure(.init(head: head)) { $0.maximumResponseBodySize = 3 }
            #expect(response.error?.limit == .bodySize)
        }
    }

    @Test("a stream's body over its limit fails the reader after the bytes before it")
    func stream() async throws {
        var configuration = SessionConfiguration()
        configuration.maximumStreamedBodySize = 3
        let stub = ManualTransport { $0.respond(200, [:], ["abc"]) }
        let manager = HTTPSessionManager(configuration: configuration, transport: stub)
        let url = try #require(URL(string: "http://stub.test/"))
        let stream = try await manager.stream(for: URLRequest(url: url))
        await stub.exchange().send(["d"])
        var data = Data()
        let error = await #expect(throws: BluebonnetError.self) {
            for try await piece in stream { data += piece }
        }
        #expect(error?.limit == .bodySize && data == Data("abc".utf8))
        #expect(stub.exchanges[0].controls == [.cancel])
    }

    @Test("a download's body over its limit fails the task and leaves no file")
    func download() async throws {
        var configuration = SessionConfiguration()
        configuration.maximumStreamedBodySize = 3
        let stub = StubTransport()
        stub.on(
            "/", StubResponse.text("abcd").header("Transfer-Encoding", "chunked").inPieces(of: 3))
        let manager = HTTPSessionManager(configuration: configuration, transport: stub)
        let directory = try TemporaryDirectory()
        let file = directory.url.appending(path: "file")
        let responses = Recorder<Response<URL>>()
        let url = try #require(URL(string: "http://stub.test/"))
        manager.downloadTask(with: URLRequest(url: url), destination: { _ in file }) {
            responses.add($0)
        }.resume()
        #expect(await responses.wait(for: 1)[0].error?.limit == .bodySize)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(
        "the address guard denies a URL with a denied address, and nothing is sent",
        arguments: [
            ("http://127.0.0.1/", AddressGuard.Rule.loopback), ("http://[::1]/", .loopback),
            ("http://169.254.169.254/latest", .metadata),
            ("http://10.1.2.3/", .privateNetwork),
        ])
    func literalAddress(url: String, rule: AddressGuard.Rule) async throws {
        let rig = StubRig { $0.addressGuard = .publicInternetOnly }
        try rig.start(url)
        let error = await rig.response.error
        #expect(error?.addressDenial?.rule == rule)
        #expect(error?.context.request?.url?.absoluteString == url)
        #expect(rig.stub.requests.isEmpty)
        await rig.expectOneCompletion()
    }

    @Test("the address guard denies a redirect to a denied address")
    func redirect() async throws {
        let rig = StubRig { $0.addressGuard = .publicInternetOnly }
        rig.stub.on("http://public.test/", .moved(to: "http://127.0.0.1:9200/"))
        try rig.start("http://public.test/")
        let error = await rig.response.error
        #expect(error?.addressDenial?.rule == .loopback)
        #expect(error?.addressDenial?.port == 9200)
        #expect(rig.stub.requests.count == 1)
        await rig.expectOneCompletion()
    }
}
