import Bluebonnet
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@Suite("Limits of responses for every kind of task", .timeLimit(.minutes(5)))
struct ResponseLimitTests {
    enum Kind: CaseIterable, Sendable { case data, download, stream, becomesDownload }
    enum Form: CaseIterable, Sendable { case declared, undeclared, coded }

    /// Fetches a body of this many bytes and counts those that the caller receives.
    private func fetch(
        _ count: Int, _ form: Form, as kind: Kind,
        _ change: (inout SessionConfiguration) -> Void
    ) async throws -> Result<Int, BluebonnetError> {
        let stub = StubTransport()
        stub.on("/", .body(count, form).inPieces(of: 10_000))
        var configuration = SessionConfiguration()
        configuration.clock = ManualClock()
        change(&configuration)
        let manager = HTTPSessionManager(configuration: configuration, transport: stub)
        let request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        switch kind {
        case .data:
            return await manager.response(for: request, serializer: HTTPResponseSerializer())
                .result.map { $0.count }
        case .becomesDownload:
            manager.dataTaskDidReceiveResponse = { _, _ in .becomeDownload }
            let response = await manager.response(
                for: request, serializer: HTTPResponseSerializer())
            return response.result.map { _ in 0 }
        case .download:
            return await withCheckedContinuation { continuation in
                manager.downloadTask(with: request, destination: nil) { response in
                    continuation.resume(returning: response.result.map { _ in 0 })
                }.resume()
            }
        case .stream:
            var count = 0
            do throws(BluebonnetError) {
                let stream = try await manager.stream(for: request)
                for try await piece in stream { count += piece.count }
                return .success(count)
            } catch {
                return .failure(error)
            }
        }
    }

    private func expect(
        _ result: Result<Int, BluebonnetError>, beyond limit: Exchange.Failure.Limit
    ) {
        guard case .failure(let error) = result else {
            Issue.record("it was let through")
            return
        }
        #expect(error.limit == limit, "\(error)")
        #expect(!error.isTimeout)
        #expect(error.urlError.code == .dataLengthExceedsMaximum)
    }

    @Test(
        "a body over a limit fails every kind of task and names the limit",
        arguments: Form.allCases, Kind.allCases)
    func limits(form: Form, kind: Kind) async throws {
        let change: (inout SessionConfiguration) -> Void = {
            $0.maximumResponseBodySize = 50_000
            $0.maximumStreamedBodySize = 50_000
        }
        let allowed = try await fetch(50_000, form, as: kind, change)
        #expect(throws: Never.self) { try allowed.get() }
        expect(try await fetch(50_001, form, as: kind, change), beyond: .bodySize)
    }

    @Test(
        "a task that becomes a download has the limit of streamed bodies",
        arguments: Form.allCases)
    func becomingDownload(form: Form) async throws {
        let result = try await fetch(50_001, form, as: .becomesDownload) {
            $0.maximumStreamedBodySize = 50_000
        }
        expect(result, beyond: .bodySize)
    }

    @Test("without their own limits, files and streams can exceed the limit for memory")
    func separate() async throws {
        for kind in Kind.allCases {
            let result = try await fetch(60_000, .declared, as: kind) {
                $0.maximumResponseBodySize = 50_000
            }
            #expect((try? result.get()) == nil ? kind == .data : kind != .data)
        }
        let memory = try await fetch(60_000, .declared, as: .data) {
            $0.maximumStreamedBodySize = 50_000
        }
        #expect(try memory.get() == 60_000)
    }
}

extension StubResponse {
    /// Returns zeros, with a length, without one, or in uncompressed zlib blocks.
    fileprivate static func body(_ count: Int, _ form: ResponseLimitTests.Form) -> Self {
        let zeros = Data(count: count)
        switch form {
        case .declared: return .data(zeros)
        case .undeclared: return .data(zeros).header("Transfer-Encoding", "chunked")
        case .coded: return .data(stored(count)).header("Content-Encoding", "deflate")
        }
    }

    /// Returns zeros in one stored block.
    ///
    /// Their Adler-32 has the count in its upper half.
    private static func stored(_ count: Int) -> Data {
        let (length, sum) = (UInt16(count), UInt16(count % 65_521))
        var data = Data([0x78, 0x01, 0x01])
        for number in [length.littleEndian, (~length).littleEndian] {
            withUnsafeBytes(of: number) { data.append(contentsOf: $0) }
        }
        data.append(Data(count: count))
        for number in [sum.bigEndian, UInt16(1).bigEndian] {
            withUnsafeBytes(of: number) { data.append(contentsOf: $0) }
        }
        return data
    }
}
