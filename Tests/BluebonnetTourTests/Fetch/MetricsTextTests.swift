import Bluebonnet
import Testing

@testable import BluebonnetTour

@Suite("What was measured, in words")
struct MetricsTextTests {
    @Test("connection, times and sizes have a line each")
    func one() {
        var metrics = Exchange.Metrics()
        (metrics.localAddress, metrics.localPort) = ("10.0.0.1", 40000)
        (metrics.remoteAddress, metrics.remotePort) = ("::1", 443)
        metrics.protocolVersion = "HTTP/1.1"
        (metrics.tlsVersion, metrics.tlsCipherSuite) = ("TLSv1.3", "TLS_AES_128_GCM_SHA256")
        (metrics.nameLookupDuration, metrics.connectDuration) = (0.0012, 0.002)
        (metrics.tlsDuration, metrics.totalDuration) = (0.01, 0.025)
        (metrics.firstByteDuration, metrics.requestHeaderBytes) = (0.02, 120)
        (metrics.responseHeaderBytes, metrics.responseBodyBytes) = (80, 100)
        metrics.decodedBodyBytes = 2048
        let interval = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 0.025)
        #expect(
            MetricsText.lines(of: TaskMetrics(exchanges: [metrics], taskInterval: interval)) == [
                "new connection from 10.0.0.1:40000 to [::1]:443, HTTP/1.1, TLSv1.3, "
                    + "TLS_AES_128_GCM_SHA256",
                "look-up 1.2 ms, connect 2.0 ms, TLS 10.0 ms, first byte at 20.0 ms, end at 25.0 ms",
                "sent 120 B of head and 0 B of body, received 80 B and 100 B (2.0 KiB decoded)",
            ])
    }

    @Test("several exchanges have their lines one after the other, and a sum")
    func several() {
        var again = Exchange.Metrics()
        (again.isConnectionReused, again.remoteAddress) = (true, "::1")
        let interval = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 1)
        let lines = MetricsText.lines(
            of: TaskMetrics(exchanges: [Exchange.Metrics(), again], taskInterval: interval))
        #expect(lines.count == 6)
        #expect(lines[2].hasPrefix("connection kept open from "))
        #expect(lines.last == "2 exchanges took 1000.0 ms in all")
    }
}
