import BluebonnetFixtureServer
import Foundation

// Connections that end where a response should be.
extension Fault {
    private static var lost: FaultOutcome { .failure(.connectionLost) }
    private static let sendsAgain = "sends it again, once, on a new connection"
    private static let staysLost = "fails; a POST is never sent twice unasked"

    static var ends: [Fault] {
        [
            Fault(
                "1a", "a new connection is closed without a byte", lost, "fails",
                FaultScript([.request, .close])),
            Fault(
                "1b", "a kept connection is closed without a byte", .good, sendsAgain,
                .thenOnKept(.close)
            ) {
                $0.warmUps = 1
                ($0.connectionCount, $0.requestCount) = (2, 4)
            },
            Fault(
                "1c", "a kept connection is closed without a byte after a POST", lost, staysLost,
                .thenOnKept(.close)
            ) {
                $0.warmUps = 1
                ($0.method, $0.body) = ("POST", Data("once".utf8))
                $0.requestCount = 3
            },
            Fault(
                "2a", "a new connection is reset without a byte", lost, "fails",
                FaultScript([.request, .reset])),
            Fault(
                "2b", "a kept connection is reset without a byte", .good, sendsAgain,
                .thenOnKept(.reset)
            ) {
                $0.warmUps = 1
                ($0.connectionCount, $0.requestCount) = (2, 4)
            },
            Fault(
                "2c", "a kept connection is reset without a byte after a POST", lost, staysLost,
                .thenOnKept(.reset)
            ) {
                $0.warmUps = 1
                ($0.method, $0.body) = ("POST", Data("once".utf8))
                $0.requestCount = 3
            },
            Fault(
                "3a", "the connection ends inside the status line", lost, "fails",
                .answering("HTTP/1.1 20", .close)),
            Fault(
                "3b", "the connection ends inside the version", lost, "fails",
                .answering("HT", .close)),
            Fault(
                "4a", "the connection ends inside a header line", .failure(.badResponse), "fails",
                .answering("HTTP/1.1 200 OK\r\nContent-Len", .close)),
            Fault(
                "4b", "the connection ends behind a header line", .failure(.badResponse), "fails",
                .answering("HTTP/1.1 200 OK\r\nA: b\r\n", .close)),
            Fault(
                "5", "the head is whole but for its empty line", .failure(.badResponse), "fails",
                .answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", .close)),
            Fault(
                "6", "the connection ends before the declared length",
                .failure(.connectionLost, partial: "abc"), "fails; what came is kept",
                .answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .close)),
            Fault(
                "7", "the connection is reset before the declared length", lost,
                "fails; what was read is kept",
                .answering(
                    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .pause(milliseconds: 20),
                    .reset)
            ),
        ]
    }
}
