import BluebonnetFixtureServer
import Foundation

// Kept connections that the server ends, or says that it will end.
extension Fault {
    private static func ended(
        _ id: String, _ name: String, _ actions: FaultAction..., change: (inout Fault) -> Void
    ) -> Fault {
        Fault(
            id, name, .good, "notices it at once and uses a new connection",
            FaultScript([.request, .answer] + actions)
        ) {
            $0.warmUps = 1
            $0.pauses.afterWarmUps = true
            ($0.connectionCount, $0.requestCount) = (2, 3)
            change(&$0)
        }
    }

    /// The end comes first, and the reset when the buffers on the way are full.
    private static let leaving: [FaultAction] = [
        .halfClose, .pause(milliseconds: 100), .abandon,
    ]
    private static var large: Data { Data(repeating: 0x61, count: 20_000_000) }

    private static let saysClose =
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\ngood"

    static var keptConnections: [Fault] {
        [
            Fault(
                "52a", "the server reads a GET on a kept connection and closes it", .good,
                "sends the request again once, on a new connection", .thenOnKept(.close)
            ) {
                $0.warmUps = 1
                $0.requestCount = 4
            },
            Fault(
                "52b", "the server reads a POST on a kept connection and closes it",
                .failure(.connectionLost), "fails, because a POST is not sent again automatically",
                .thenOnKept(.close)
            ) {
                $0.warmUps = 1
                $0.method = "POST"
                $0.body = Data("once".utf8)
                $0.requestCount = 3
            },
            Fault(
                "52c", "the server reads a PUT on a kept connection and closes it", .good,
                "sends the request again once, on a new connection", .thenOnKept(.close)
            ) {
                $0.warmUps = 1
                $0.method = "PUT"
                $0.body = Data("twice".utf8)
                $0.check = { _, server in
                    let bodies = server.requests.filter { $0.method == "PUT" }.map(\.body)
                    return bodies == Array(repeating: Array("twice".utf8), count: 2)
                        ? nil : "the bodies differ: \(bodies.map(\.count))"
                }
            },
            Fault(
                "52d", "every connection is closed after the request was read",
                .failure(.connectionLost), "fails after sending the request twice",
                FaultScript([.request, .answer, .request, .close], [.request, .close])
            ) {
                $0.warmUps = 1
                $0.requestCount = 4
            },
            Fault(
                "52e", "the server closes a kept connection during the body of a PUT",
                .good,
                "sends the request again once, on a new connection",
                FaultScript([.request, .answer, .receive(20_000)] + leaving)
            ) {
                $0.warmUps = 1
                ($0.method, $0.body) = ("PUT", large)
                ($0.connectionCount, $0.requestCount) = (2, 3)
            },
            Fault(
                "52f", "the server closes a kept connection during the body of a POST",
                .failure(.connectionLost), "fails, because a POST is not sent again automatically",
                FaultScript([.request, .answer, .receive(20_000)] + leaving)
            ) {
                $0.warmUps = 1
                ($0.method, $0.body) = ("POST", large)
                ($0.connectionCount, $0.requestCount) = (2, 2)
            },
            Fault(
                "53a", "Connection: close, and the server closes the connection", .good,
                "does not reuse the connection", .answering(saysClose, .close)
            ) { ($0.connectionCount, $0.requestCount) = (2, 2) },
            Fault(
                "53b", "Connection: close, and the server leaves the connection open", .good,
                "does not reuse the connection", .answering(saysClose, .drain)
            ) { ($0.connectionCount, $0.requestCount) = (2, 2) },
            ended("53c", "a kept connection is closed between two requests", .close) { _ in },
            ended("53d", "a kept connection is closed before a POST", .close) {
                $0.method = "POST"
                $0.body = Data("once".utf8)
            },
            ended("53e", "a kept connection is reset between two requests", .reset) { _ in },
            ended("53f", "a kept connection ends without close_notify", .halfClose, .drain) {
                $0.ways = [.tls]
            },
            Fault(
                "53g", "HTTP/1.0 without Connection: keep-alive", .good,
                "does not reuse the connection",
                .answering("HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\ngood", .drain)
            ) { ($0.connectionCount, $0.requestCount) = (2, 2) },
        ]
    }
}
