import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation

// What the cases of HTTP/2 have in common.
extension Fault {
    /// A connection with HTTP/2 on which the first request has come whole.
    static let asked: [FaultAction] = [.beginHTTP2([]), .requestHTTP2(stream: 1)]

    /// A case in which this happens once the request has come whole.
    static func http2(
        _ id: String, _ name: String, _ outcome: FaultOutcome, _ reaction: String,
        _ actions: FaultAction..., change: (inout Fault) -> Void = { _ in }
    ) -> Fault {
        Fault(id, name, outcome, reaction, .http2(asked + actions), change)
    }

    /// A case in which this happens once a POST has come whole, on a connection that has served a
    /// request before.
    static func keptHTTP2Post(
        _ id: String, _ name: String, _ outcome: FaultOutcome, _ reaction: String,
        _ actions: FaultAction..., change: (inout Fault) -> Void = { _ in }
    ) -> Fault {
        let kept: [FaultAction] = [
            .beginHTTP2([]), .requestHTTP2(stream: 1),
            .send(HTTP2Frame.response(body: "good", stream: 1)), .requestHTTP2(stream: 3),
        ]
        return Fault(
            id, name + " after a POST on a kept connection", outcome, reaction,
            .http2(kept + actions)
        ) {
            ($0.method, $0.body, $0.warmUps) = ("POST", Data("once".utf8), 1)
            // The warm-up, the POST, perhaps again, and the next request.
            $0.requestCount = outcome.isGood ? 4 : 3
            change(&$0)
        }
    }

    /// An idle timeout that is worth waiting for.
    static let shortIdle: @Sendable (inout SessionConfiguration, UInt16) -> Void = {
        configuration, _ in configuration.timeouts.idle = 1
    }
    /// The same, where a slow machine must not let it come before what else ends the task.
    static let idleAfterAll: @Sendable (inout SessionConfiguration, UInt16) -> Void = {
        configuration, _ in configuration.timeouts.idle = ProcessState.isSanitized ? 15 : 1
    }
}

extension FaultOutcome {
    static var lost: FaultOutcome { .failure(.connectionLost) }
    static var refused: FaultOutcome { .failure(.refused) }
    fileprivate var isGood: Bool {
        if case .response = self { true } else { false }
    }
    /// Lost, after ``HTTP2Frame/abc``.
    static var lostWithABC: FaultOutcome { .failure(.connectionLost, partial: "abc") }
    static var idle: FaultOutcome { .failure(.timeout(.idle)) }
}

extension HTTP2Frame {
    /// The head of a response to the first request.
    static let ok = headers([.status(200)], stream: 1)
    /// The head of a response to it whose body has 30 bytes.
    static let ok30 = headers([.status(200), .literal("content-length", "30")], stream: 1)
    /// A first piece of its body.
    static let abc = data("abc", stream: 1)
    /// The end of its body.
    static let end = data("", stream: 1, endsStream: true)
}
