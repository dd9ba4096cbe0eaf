import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Foundation

/// Requests to a server, and the stub that answers them as that server does.
struct ServerScenario: Sendable, CustomStringConvertible {
    /// What answers on a socket.
    enum Server: Sendable {
        /// nginx with these locations. `OTHER` stands for the port of another origin with the same
        /// locations, `SILENT` for one where nobody answers, and `BROKEN` for one that hangs up.
        case nginx(String)
        case httpbin
        /// Nothing listens on the port.
        case nothing
    }

    typealias Steps = @Sendable (ScenarioRun) async throws -> Void

    let name: String
    var server: Server
    /// Files that nginx has in `files`, all of the same age.
    var files: [String: Data] = [:]
    /// What is sent to each connection to the port `BROKEN`, before it is closed.
    var brokenResponse = ""
    var configure: @Sendable (inout SessionConfiguration) -> Void = { _ in }
    /// Adds the routes by which a stub answers the same.
    var stub: @Sendable (StubTransport, ScenarioPorts) -> Void = { _, _ in }
    var steps: Steps

    var description: String { name }

    init(_ name: String, nginx locations: String, steps: @escaping Steps) {
        self.init(name, .nginx(locations), steps)
    }

    init(httpbin name: String, steps: @escaping Steps) {
        self.init(name, .httpbin, steps)
    }

    init(_ name: String, _ server: Server, _ steps: @escaping Steps) {
        (self.name, self.server, self.steps) = (name, server, steps)
    }

    /// The same with a stub's routes.
    func stub(_ routes: @escaping @Sendable (StubTransport, ScenarioPorts) -> Void) -> Self {
        var copy = self
        copy.stub = routes
        return copy
    }

    /// The same with one route, for any method.
    func stub(_ path: String, _ response: StubResponse) -> Self {
        stub { stub, _ in stub.on(path, response) }
    }

    func configure(_ change: @escaping @Sendable (inout SessionConfiguration) -> Void) -> Self {
        var copy = self
        copy.configure = change
        return copy
    }

    func broken(_ response: String) -> Self {
        var copy = self
        copy.brokenResponse = response
        return copy
    }

    func files(_ files: [String: Data]) -> Self {
        var copy = self
        copy.files = files
        return copy
    }
}

/// Where a scenario's servers are.
struct ScenarioPorts: Sendable {
    let main: UInt16
    /// The same server as another origin.
    let other: UInt16

    var mainURL: String { "http://127.0.0.1:\(main)" }
    var otherURL: String { "http://127.0.0.1:\(other)" }
}
