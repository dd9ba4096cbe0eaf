import Bluebonnet
import BluebonnetFixtureServer
import Testing

@Suite("Limits of responses", .timeLimit(.minutes(5)))
struct LimitTests {
    enum Kind: CaseIterable, Sendable { case data, download, stream, becomesDownload }

    /// A limit, a response that it allows, and one that just exceeds it.
    struct Case: Sendable, CustomTestStringConvertible {
        let limit: Exchange.Failure.Limit
        let allowed: String
        let refused: String
        let set: @Sendable (inout SessionConfiguration) -> Void

        var testDescription: String { "\(limit.rawValue) \(refused)" }
    }

    static let cases: [Case] = [
        Case(limit: .encodedBodySize, allowed: "/bytes/50000", refused: "/bytes/50001") {
            $0.maximumEncodedBodySize = 50_000
        },
        Case(limit: .encodedBodySize, allowed: "/chunked/50000", refused: "/chunked/50001") {
            $0.maximumEncodedBodySize = 50_000
        },
        // Stored blocks, which are slightly longer on the wire than the decoded bytes.
        Case(limit: .encodedBodySize, allowed: "/gzip/49000", refused: "/gzip/50000") {
            $0.maximumEncodedBodySize = 50_000
        },
        Case(limit: .expansionRatio, allowed: "/zeros/1000000", refused: "/zeros/8000000") {
            $0.maximumExpansionRatio = 20
        },
        Case(limit: .headSize, allowed: "/headers/1", refused: "/headers/100") {
            $0.maximumResponseHeadSize = 1000
        },
        Case(limit: .fieldCount, allowed: "/headers/8", refused: "/headers/11") {
            $0.maximumResponseHeaderCount = 10
        },
    ]

    let server: FixtureServer

    init() throws {
        server = try FixtureServer()
        let zeros = try Self.zeros()
        server.route("/zeros/*") { request in
            let body = request.path.hasSuffix("8000000") ? zeros.large : zeros.small
            return .response(status: 200, headers: [("Content-Encoding", "gzip")], body: body)
        }
    }

    /// Returns 8,000,000 and 1,000,000 zeros in gzip, which are about a thousandth of that.
    private static func zeros() throws -> (large: [UInt8], small: [UInt8]) {
        func compressed(_ count: Int) throws -> [UInt8] {
            try CompressedZeros.bytes(count, through: "gzip -n")
        }
        return (try compressed(8_000_000), try compressed(1_000_000))
    }

    private func fetch(
        _ path: String,
        as kind: Kind,
        _ change: (inout SessionConfiguration) -> Void
    ) async throws -> Result<Int, BluebonnetError> {
        var configuration = SessionConfiguration()
        change(&configuration)
        let manager = HTTPSessionManager(configuration: configuration)
        let request = URLRequest(url: try #require(URL(string: server.baseURL + path)))
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
            do {
                let stream = try await manager.stream(for: request)
                for try await piece in stream { count += piece.count }
                return .success(count)
            } catch {
                return .failure(error)
            }
        }
    }

    @Test(
        "a response over a limit fails every kind of task and names the limit",
        arguments: cases, Kind.allCases)
    func limits(limit: Case, kind: Kind) async throws {
        let allowed = try await fetch(limit.allowed, as: kind, limit.set)
        #expect(throws: Never.self) { try allowed.get() }
        let refused = try await fetch(limit.refused, as: kind, limit.set)
        guard case .failure(let error) = refused else {
            Issue.record("\(limit.refused) was let through")
            return
        }
        #expect(error.limit == limit.limit, "\(error)")
        #expect(!error.isTimeout)
        let isHead = limit.limit == .headSize || limit.limit == .fieldCount
        #expect(error.urlError.code == (isHead ? .badServerResponse : .dataLengthExceedsMaximum))
    }
}
