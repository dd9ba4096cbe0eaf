import Bluebonnet
import BluebonnetFixtureServer
import Foundation
import Testing

/// One case of the fault matrix: what a server does to a client, and what must come of it.
///
/// It is a value: what it says is what ``FaultRun`` performs and what the documentation's table shows.
struct Fault: Sendable, CustomTestStringConvertible {
    /// How the client and the server speak with each other.
    enum Way: String, Sendable, CaseIterable {
        case plain = "http"
        case tls = "https"
        /// The client speaks TLS and the server does not.
        case tlsToPlain = "https to http"
    }

    /// The row of the matrix and, where it has several cases, a letter.
    let id: String
    /// What the server does.
    let name: String
    /// What the library does.
    let reaction: String
    let script: FaultScript
    let outcome: FaultOutcome

    var ways: [Way] = [.plain, .tls]
    var method = "GET"
    /// Where the request goes, `{port}` being the server's; a path is the server's own.
    var path = "/fault"
    /// Scheme and host of paths where they are not the server's, because it is a proxy.
    var origin: String?
    var fields: [String: String] = [:]
    var body: Data?
    /// Changes the configuration; the second is the server's port.
    var configure: @Sendable (inout SessionConfiguration, UInt16) -> Void = { _, _ in }
    /// Changes the manager, whose hooks it may set.
    var prepare: @Sendable (HTTPSessionManager) -> Void = { _ in }
    /// Changes what the server presents.
    var present: @Sendable (inout ServerIdentity) -> Void = { _ in }
    /// Good requests before the one with the fault, so that it goes out on a kept connection.
    var warmUps = 0
    /// What is waited for between the warm-ups and the request, and between that and the next.
    var pauses = Pauses()
    /// Whether another request waits in line for the one connection there may be; the script waits
    /// for a signal until it does.
    var hasNextInLine = false
    /// How many connections the server has seen when the next request is over; nil for any number.
    var connectionCount: Int?
    /// How many whole requests the server has seen by then; nil for any number.
    var requestCount: Int?
    /// Whether a request to the same server must succeed afterwards.
    var isServerWellAfterwards = true
    /// How many turns the loop may take; more would be spinning.
    var maximumTurnCount = 2000
    /// How many times the processor time of other cases a turn may take.
    var turnAllowance = 1.0
    /// What differs on some versions of libcurl.
    var difference: Difference?
    /// What else must hold of the response; the answer says what does not.
    var check: @Sendable (Response<Data>, FaultServer) -> String? = { _, _ in nil }
    /// Said where it is not the kind of failure that decides.
    var retry: RetrySafety?

    /// Moments that a scenario waits for.
    struct Pauses: Sendable {
        /// That the server has no connection any more.
        var afterWarmUps = false
        /// A signal to the script once the response is there, and then that there is no connection.
        var afterResponse = false
    }

    /// What some versions of libcurl make of the fault.
    struct Difference: Sendable {
        /// Whether the libcurl of this process is one of them.
        let isMet: @Sendable () -> Bool
        let outcome: FaultOutcome
        let explanation: String
    }

    init(
        _ id: String, _ name: String, _ outcome: FaultOutcome, _ reaction: String,
        _ script: FaultScript, _ change: (inout Fault) -> Void = { _ in }
    ) {
        self.id = id
        self.name = name
        self.reaction = reaction
        self.script = script
        self.outcome = outcome
        change(&self)
    }

    var testDescription: String { "\(id): \(name)" }
}

extension FaultScript {
    /// A first connection on which a request is answered with these characters, and what follows.
    static func answering(_ text: String, _ rest: FaultAction...) -> FaultScript {
        FaultScript([.request, .send(text)] + rest)
    }

    /// A first connection that serves well once and does this with the second request.
    static func thenOnKept(_ rest: FaultAction...) -> FaultScript {
        FaultScript([.request, .answer, .request] + rest)
    }
}
