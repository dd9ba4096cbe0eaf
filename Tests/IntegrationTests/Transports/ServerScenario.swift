import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Foundation

/// Requests to a server, and a stub that answers like that server.
struct ServerScenario: Sendable, CustomStringConvertible {
    /// The server on a socket.
    enum Server: Sendable {
        /// An nginx with these locations.
        ///
        /// `OTHER` stands for the port of another origin with the same locations, `SILENT` for one
        /// that never answers, and `BROKEN` for one that closes the connection.
        case nginx(String)
        case httpbin
        /// Nothing listens on the port.
        case nothing
    }

    typealias Steps = @Sendable (ScenarioRun) async throws -> Void

    let name: String
    var server: Server
    /// The contents of nginx's directory `files`, all with the same date.
    var files: [String: Data] = [:]
    /// The bytes that are sent to each connection on the port `BROKEN` before it is closed.
    var brokenResponse = ""
    var configure: @Sendable (inout SessionConfiguration) -> Void = { _ in }
    /// Adds the routes with which a stub answers like the server.
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

    /// Returns the scenario with a stub's routes.
    func stub(_ routes: @escaping @Sendable (StubTransport, ScenarioPorts) -> Void) -> Self {
        var copy = self
        copy.stub = routes
        return copy
    }

    /// Returns the scenario with one route, for any method.
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

/// The ports of a scenario's servers.
struct ScenarioPorts: Sendable {
    let main: UInt16
    /// The same server as another origin.
    let other: UInt16

    var mainURL: String { "http://127.0.0.1:\(main)" }
    var otherURL: String { "http://127.0.0.1:\(other)" }
}
