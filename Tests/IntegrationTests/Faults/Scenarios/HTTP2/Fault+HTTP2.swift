import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport

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
