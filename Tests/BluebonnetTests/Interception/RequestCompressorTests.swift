import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Compressed request bodies", .timeLimit(.minutes(5)))
struct RequestCompressorTests {
    private static let text = String(repeating: "a text that repeats itself ", count: 50)

    /// Returns the request as it arrives, or the error of its task.
    private static func sent(
        _ compressor: any RequestInterceptor, _ change: (inout URLRequest) -> Void = { _ in }
    ) async throws -> Result<StubRequest, BluebonnetError> {
        let rig = StubRig()
        rig.stub.on("/**", .good)
        rig.manager.interceptors = [compressor]
        try rig.start {
            $0.httpMethod = "POST"
            $0.httpBody = Data(text.utf8)
            change(&$0)
        }
        if let error = await rig.response.error { return .failure(error) }
        return .success(try #require(rig.stub.requests.last))
    }

    @Test(
        "the body is encoded with each coding, and its header fields match",
        arguments: RequestCompressor.Coding.allCases)
    func codings(coding: RequestCompressor.Coding) async throws {
        let request = try await Self.sent(.compressor(coding)) {
            $0.setValue("\(Self.text.utf8.count)", forHTTPHeaderField: "Content-Length")
        }.get()
        #expect(request.headers["Content-Encoding"] == coding.rawValue)
        #expect(request.headers["Content-Length"] == nil)
        #expect(request.body.count < Self.text.utf8.count / 2)
        #expect(try request.body.decoded(coding.rawValue) == Data(Self.text.utf8))
    }

    @Test("`.deflateCompressor` uses deflate, with Alamofire's defaults")
    func deflate() async throws {
        let request = try await Self.sent(.deflateCompressor).get()
        #expect(request.headers["Content-Encoding"] == "deflate")
        #expect(request.body.starts(with: [0x78, 0x5E]))
        let compressor = DeflateRequestCompressor()
        guard case .error = compressor.duplicateHeaderBehavior else {
            Issue.record("\(compressor.duplicateHeaderBehavior)")
            return
        }
        #expect(compressor.shouldCompressBodyData(Data()))
    }

    @Test("a request with a Content-Encoding fails, is unchanged, or is encoded again")
    func duplicates() async throws {
        let own: (inout URLRequest) -> Void = {
            $0.setValue("own", forHTTPHeaderField: "content-encoding")
        }
        let error = try await #require(throws: BluebonnetError.self) {
            try await Self.sent(.deflateCompressor, own).get()
        }
        guard case .adaptation(let text, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.underlying is DeflateRequestCompressor.DuplicateHeaderError)
        #expect(text.contains("duplicateHeaderBehavior"))
        let skipped = try await Self.sent(
            .deflateCompressor(duplicateHeaderBehavior: .skip), own
        ).get()
        #expect(skipped.text == Self.text && skipped.headers["Content-Encoding"] == "own")
        let replaced = try await Self.sent(
            .deflateCompressor(duplicateHeaderBehavior: .replace), own
        ).get()
        #expect(replaced.headers.values(of: "Content-Encoding") == ["deflate"])
        #expect(try replaced.body.decoded("deflate") == Data(Self.text.utf8))
        let short = try await Self.sent(.deflateCompressor(duplicateHeaderBehavior: .replace)) {
            own(&$0)
            $0.httpBody = Data("{}".utf8)
        }.get()
        #expect(short.text == "{}" && short.headers["Content-Encoding"] == nil)
    }

    @Test(
        "bodies that would not shrink, are excluded, or are not data are unchanged"
    )
    func unchanged() async throws {
        let short = try await Self.sent(.compressor(.zstd)) { $0.httpBody = Data("{}".utf8) }.get()
        #expect(short.text == "{}" && short.headers["Content-Encoding"] == nil)
        let unwanted = try await Self.sent(
            .deflateCompressor(shouldCompressBodyData: { $0.count > 100_000 })
        ).get()
        #expect(unwanted.text == Self.text && unwanted.headers["Content-Encoding"] == nil)
        let stream = try await Self.sent(.compressor()) {
            $0.httpBody = nil
            $0.httpBodyStream = InputStream(data: Data(Self.text.utf8))
        }.get()
        #expect(stream.text == Self.text && stream.headers["Content-Encoding"] == nil)
        let none = try await Self.sent(.compressor()) {
            $0.httpMethod = "GET"
            $0.httpBody = nil
        }.get()
        #expect(none.body.isEmpty && none.headers["Content-Encoding"] == nil)
    }

    @Test("each attempt is compressed once, from the request's own body")
    func attempts() async throws {
        let rig = StubRig()
        rig.answer(.status(503), .status(503), .good)
        rig.manager.interceptors = [
            .compressor(),
            Retrier(async: { request, _, _ in request.retryCount < 2 ? .retry : .doNotRetry }),
        ]
        try rig.start {
            $0.httpMethod = "PUT"
            $0.httpBody = Data(Self.text.utf8)
        }
        #expect(await rig.response.error == nil)
        #expect(rig.stub.requests.count == 3)
        for request in rig.stub.requests {
            #expect(try request.body.decoded("gzip") == Data(Self.text.utf8))
        }
    }
}
