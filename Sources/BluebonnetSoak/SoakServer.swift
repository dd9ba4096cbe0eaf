import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation

/// The other process: a server with the routes of ``FaultyRoutes``, in plain text and behind TLS,
/// ruled by lines on its standard input, which ends with that.
///
/// `idle` closes the connections that wait for a request, `reset` resets all.
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
