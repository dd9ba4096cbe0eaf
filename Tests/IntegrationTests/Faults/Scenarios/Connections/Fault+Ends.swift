import BluebonnetFixtureServer
import Foundation

// Connections that end where a response should be.
extension Fault {
    private static var lost: FaultOutcome { .failure(.connectionLost) }
    private static let sendsAgain = "sends the request again once, on a new connection"
    private static let staysLost = "fails, because a POST is not sent again automatically"

    static var ends: [Fault] {
        [
            Fault(
                "1a", "a new connection is closed without a response", lost, "fails",
                FaultScript([.request, .close])),
            Fault(
                "1b", "a kept connection is closed without a response", .good, sendsAgain,
                .thenOnKept(.close)
            ) {
                $0.warmUps = 1
                ($0.connectionCount, $0.requestCount) = (2, 4)
            },
            Fault(
                "1c", "a kept connection is closed without a response to a POST", lost, staysLost,
                .thenOnKept(.close)
            ) {
                $0.warmUps = 1
                ($0.method, $0.body) = ("POST", Data("once".utf8))
                $0.requestCount = 3
            },
            Fault(
                "2a", "a new connection is reset without a response", lost, "fails",
                FaultScript([.request, .reset])),
            Fault(
                "2b", "a kept connection is reset without a response", .good, sendsAgain,
                .thenOnKept(.reset)
            ) {
                $0.warmUps = 1
                ($0.connectionCount, $0.requestCount) = (2, 4)
            },
            Fault(
                "2c", "a kept connection is reset without a response to a POST", lost, staysLost,
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
                "4b", "the connection ends after a header line", .failure(.badResponse), "fails",
                .answering("HTTP/1.1 200 OK\r\nA: b\r\n", .close)),
            Fault(
                "5", "the connection ends before the empty line of the head",
                .failure(.badResponse), "fails",
                .answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", .close)),
            Fault(
                "6", "the connection ends before the declared length",
                .failure(.connectionLost, partial: "abc"), "fails and keeps the received bytes",
                .answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .close)),
            Fault(
                "7", "the connection is reset before the declared length", lost,
                "fails and keeps the bytes that were read",
                .answering(
                    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .pause(milliseconds: 20),
                    .reset)
            ),
        ]
    }
}
