import Bluebonnet
import BluebonnetTestSupport
import Foundation

extension MutualTLSServer {
    /// Fetches a path that describes its client.
    func client(
        _ manager: SessionManager, at path: String = "who", _ asking: Asking,
        host: String = "localhost"
    ) async throws -> Client {
        try await client(manager, at: url(path, asking, host: host))
    }

    func client(_ manager: SessionManager, at url: String) async throws -> Client {
        guard let url = URL(string: url) else { throw ServerFailure("\(url) is no URL") }
        return try Self.client(try await manager.data(for: URLRequest(url: url)))
    }
}
