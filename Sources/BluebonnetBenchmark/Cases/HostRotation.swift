import Foundation
import FoundationNetworking

// @unchecked Sendable: `lock` guards everything that changes.
/// Requests to `count` hosts, in turn.
final class HostRotation: @unchecked Sendable {
    let requests: [URLRequest]

    /// Guards `index`.
    private let lock = NSLock()
    private var index = 0

    /// Replaces the URL's host with 127.1.0.1, 127.1.0.2 and so on, 250 for each third number.
    init(_ url: URL, count: Int) throws {
        requests = try (0..<count).map { host in
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
            parts?.host = "127.1.\(host / 250).\(host % 250 + 1)"
            guard let url = parts?.url else {
                throw BenchmarkFailure("\(url) has no host to replace")
            }
            return URLRequest(url: url)
        }
    }

    func next() -> URLRequest {
        lock.withLock {
            defer { index = (index + 1) % requests.count }
            return requests[index]
        }
    }
}
