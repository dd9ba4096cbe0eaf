import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation

/// A server with the routes of ``FaultyRoutes``, in plain text and behind TLS, in its own process.
///
/// It reads commands from its standard input, one per line, and stops when the input ends. `idle`
/// closes the connections that wait for a request. `reset` resets all connections.
struct SoakServer {
    let certificates: TestCertificates

    func run() throws {
        let server = try FixtureServer(routes: FaultyRoutes.all)
        let relay = try TLSRelay(
            ServerIdentity(chainFile: certificates.certificate, keyFile: certificates.key),
            to: server.port)
        print(server.port, relay.port)
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
