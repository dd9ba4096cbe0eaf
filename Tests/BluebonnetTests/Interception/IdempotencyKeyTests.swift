import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("The Idempotency-Key adapter", .timeLimit(.minutes(5)))
struct IdempotencyKeyTests {
    private static func rig() -> StubRig {
        let rig = StubRig()
        rig.manager.interceptors = [
            .idempotencyKey,
            Retrier(async: { request, _, _ in request.retryCount < 2 ? .retry : .doNotRetry }),
        ]
        return rig
    }

    @Test("a key is a quoted UUID, the same in all attempts of a task, and unique per task")
    func attempts() async throws {
        let rig = Self.rig()
        rig.answer(.status(503), .status(503), .good, .status(503), .good)
        for count in [1, 2] {
            try rig.start { $0.httpMethod = "POST" }
            await rig.responses.wait(for: count)
        }
        let keys = rig.stub.requests.map { $0.headers.values(of: "Idempotency-Key") }
        #expect(keys.count == 5 && keys.allSatisfy { $0.count == 1 })
        #expect(Set(keys.prefix(3)).count == 1 && Set(keys.suffix(2)).count == 1)
        #expect(Set(keys).count == 2)
        let key = try #require(keys.first?.first)
        #expect(key.hasPrefix("\"") && key.hasSuffix("\""))
        #expect(UUID(uuidString: String(key.dropFirst().dropLast())) != nil)
        #expect(rig.responses.all.allSatisfy { $0.error == nil })
    }

    @Test(
        "only methods that are not idempotent get a key",
        arguments: [
            ("GET", false), ("HEAD", false), ("PUT", false), ("DELETE", false), ("OPTIONS", false),
            ("POST", true), ("PATCH", true), ("MERGE", true), ("post", true),
        ])
    func methods(method: String, getsKey: Bool) async throws {
        let rig = Self.rig()
        rig.answer(.good)
        try rig.start { $0.httpMethod = method }
        _ = await rig.response
        #expect((rig.stub.requests.last?.headers["Idempotency-Key"] != nil) == getsKey)
    }

    @Test("an existing key is kept, in any case and with a second adapter")
    func kept() async throws {
        let rig = Self.rig()
        rig.manager.interceptors.append(.idempotencyKey)
        rig.answer(.good, .good)
        try rig.start {
            $0.httpMethod = "POST"
            $0.setValue("own", forHTTPHeaderField: "idempotency-key")
        }
        await rig.responses.wait(for: 1)
        #expect(rig.stub.requests.last?.headers.values(of: "Idempotency-Key") == ["own"])
        try rig.start { $0.httpMethod = "POST" }
        await rig.responses.wait(for: 2)
        #expect(rig.stub.requests.last?.headers.values(of: "Idempotency-Key").count == 1)
    }

    @Test("the error of a request with a key is safe to retry")
    func safe() async throws {
        let rig = Self.rig()
        rig.stub.on("/**", .failure(.networkConnectionLost))
        try rig.start { $0.httpMethod = "POST" }
        #expect(await rig.response.error?.isSafeToRetry == true)
    }
}
