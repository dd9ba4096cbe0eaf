import Bluebonnet
import BluebonnetTesting
import Foundation
import Testing

/// Requests that carry a secret in each place where one can be.
enum Secrets {
    static let secret = "s3cr3t"

    /// Sends requests that succeed, are redirected and fail, and shuts the manager down.
    static func send(with manager: HTTPSessionManager, _ stub: StubTransport) async {
        stub.on(.get, "/plain", .text("token=\(secret)"))
        stub.on(.get, "/moved", .redirect(to: "https://api.test/plain?token=\(secret)"))
        stub.on(
            .get, "/denied",
            StubResponse(401, headers: ["Set-Cookie": "session=\(secret)"], body: Data(secret.utf8))
        )
        stub.on(
            .get, "/lost",
            .failure(
                Exchange.Failure(
                    .networkConnectionLost,
                    message: "lost https://user:\(secret)@api.test/lost?token=\(secret)")))
        var results: [String] = []
        for path in ["plain", "moved", "denied", "lost"] {
            let response = await manager.response(
                .get, "https://api.test/\(path)?token=\(secret)",
                headers: [
                    "Authorization": "Bearer \(secret)", "Cookie": "session=\(secret)",
                    "X-Api-Key": secret,
                ], serializer: HTTPResponseSerializer())
            results.append(response.head.map { "\($0.statusCode)" } ?? "none")
        }
        // They were really sent.
        #expect(results == ["200", "200", "401", "none"])
        #expect(stub.requests.allSatisfy { $0.headers["X-Api-Key"] == secret })
        _ = await manager.response(
            .get, "https://user:\(secret)@api.test/plain", serializer: HTTPResponseSerializer())
        await manager.shutdown()
    }
}

/// Values that threads add, in order.
final class Recorder<Value: Sendable>: @unchecked Sendable {
    // Unchecked Sendable: the lock guards the values.
    private let lock = NSLock()
    private var values: [Value] = []

    var all: [Value] { lock.withLock { values } }

    func add(_ value: Value) { lock.withLock { values.append(value) } }
}
