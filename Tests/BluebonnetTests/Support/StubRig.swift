import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking

import Bluebonnet

/// A rig on a stub with routes and a manual clock.
typealias StubRig = Rig<StubTransport>

extension Rig where Wire == StubTransport {
    convenience init(
        clock: ManualClock = ManualClock(),
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        change(&configuration)
        self.init(on: StubTransport()) {
            HTTPSessionManager(baseURL: $0, configuration: configuration, transport: $1)
        }
    }

    /// Answers the requests in order, for any URL.
    func answer(_ responses: [StubResponse]) {
        stub.on("/**") { request in
            guard request.number <= responses.count else {
                throw Exchange.Failure(
                    .resourceUnavailable,
                    message: "\(request) came after \(responses.count) responses")
            }
            return responses[request.number - 1]
        }
    }

    func answer(_ responses: StubResponse...) { answer(responses) }
}

extension StubResponse {
    /// A response that every serializer of a rig accepts.
    static var good: Self { .json(["a": 1]) }

    /// Returns a redirect with a body, which is read and discarded.
    static func moved(
        _ status: Int = 302, to location: String?, _ fields: [(String, String)] = [],
        body: String = "moved"
    ) -> Self {
        var headers = HTTPHeaders()
        if let location { headers.add("Location", location) }
        for (name, value) in fields { headers.add(name, value) }
        return Self(status, headers: headers, body: Data(body.utf8))
    }

    static func unauthorized(_ challenges: String...) -> Self {
        var headers = HTTPHeaders()
        for challenge in challenges { headers.add("WWW-Authenticate", challenge) }
        return Self(401, headers: headers, body: Data("who?".utf8))
    }
}
