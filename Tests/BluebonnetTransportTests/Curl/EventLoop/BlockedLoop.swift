import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation

/// A loop that is blocked until released, so that much can happen between two turns.
struct BlockedLoop {
    private let gate = DispatchSemaphore(value: 0)

    /// Blocks the loop of a transport in the delivery of a server's response.
    init(of transport: CurlTransport, with server: FixtureServer) async {
        let recorder = ExchangeRecorder(gate: gate)
        let url = server.baseURL + "/text"
        _ = transport.start(
            Exchange(method: "GET", url: url, pool: Exchange.Pool()), reportingTo: recorder)
        _ = await recorder.when { $0.byteCount > 0 }
    }

    func letGo() { gate.signal() }
}
