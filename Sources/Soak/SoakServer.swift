import FixtureServer
import Foundation

/// The other process: a server with the routes of ``FaultyRoutes``, ruled by lines on its standard
/// input, which ends with that.
///
/// `idle` closes the connections that wait for a request, `reset` resets all.
struct SoakServer {
    func run() throws {
        let server = try FixtureServer(routes: FaultyRoutes.all)
        print(server.port)
        fflush(nil)
        while let line = readLine() {
            switch line {
            case "idle": server.closeIdleConnections()
            case "reset": server.resetAllConnections()
            default: break
            }
        }
        server.stop()
    }
}
