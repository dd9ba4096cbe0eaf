import Bluebonnet
import BluebonnetChain
import BluebonnetFixtureServer
import Foundation
import FoundationNetworking

/// A server that records requests, and a manager that records the requests of its tasks.
final class HeaderScene: Sendable {
    let server: FixtureServer
    let manager: HTTPSessionManager
    private let completed = Locked<[URLRequest]>([])

    /// The last request of each task that has completed.
    var requests: [URLRequest] { completed.withLock { $0 } }

    init(_ change: (inout SessionConfiguration) -> Void = { _ in }) throws {
        let good = #"{"a":1}"#
        let visits = Locked(0)
        server = try FixtureServer { request in
            switch request.path {
            case "/moved": .response(status: 302, headers: [("Location", "/a")])
            case "/private" where request.headers["Authorization"] == nil:
                .response(status: 401, headers: [("WWW-Authenticate", #"Basic realm="r""#)])
            case "/busy": .json(good, status: visits.next() == 1 ? 503 : 200)
            default: .json(good)
            }
        }
        server.recordsRequests = true
        var configuration = SessionConfiguration()
        change(&configuration)
        manager = HTTPSessionManager(
            baseURL: URL(string: server.baseURL), configuration: configuration)
        manager.taskDidComplete = { [completed] task, _ in
            if let request = task.currentRequest { completed.withLock { $0.append(request) } }
        }
        manager.didReceiveChallenge = { _, _ in
            .useCredential(URLCredential(user: "user", password: "pw", persistence: .forSession))
        }
    }

    /// The URL of a path below the server.
    func url(_ path: String = "a") -> String { "\(server.baseURL)/\(path)" }

    func request(_ change: (inout URLRequest) -> Void) throws -> URLRequest {
        var request = try URLRequest(url: url(), method: .get)
        change(&request)
        return request
    }
}

extension Locked<Int> {
    fileprivate func next() -> Int {
        withLock { count in
            count += 1
            return count
        }
    }
}
