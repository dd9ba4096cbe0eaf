import Bluebonnet
import BluebonnetFixtureServer
import Foundation

// Chunked bodies that are cut or malformed, and transfer codings nobody asked for.
extension Fault {
    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static var lost: FaultOutcome { .failure(.connectionLost) }
    private static var bad: FaultOutcome { .failure(.badResponse) }
    private static var abc: FaultOutcome { .response(200, body: "abc") }

    private static func coded(_ coding: String) -> FaultScript {
        .answering(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n3\r\nabc\r\n0\r\n\r\n", .drain)
    }

    static var chunks: [Fault] {
        [
            Fault(
                "16a", "the connection ends inside a chunk", lost,
                "fails and keeps the received bytes",
                .answering(head + "9\r\nabc", .close)),
            Fault(
                "16b", "the connection ends before the last chunk",
                .failure(.connectionLost, partial: "abc"), "fails and keeps the received bytes",
                .answering(head + "3\r\nabc\r\n", .close)),
            Fault(
                "16c", "the connection ends before the last chunk's empty line",
                .failure(.connectionLost, partial: "abc"), "fails and keeps the received bytes",
                .answering(head + "3\r\nabc\r\n0\r\n", .close)),
            Fault(
                "17a", "a chunk size that is not a number", bad, "fails",
                .answering(head + "xyz\r\nabc\r\n0\r\n\r\n", .drain)),
            Fault(
                "17b", "a chunk size beyond 64 bits", bad, "fails",
                .answering(head + "fffffffffffffffff\r\nabc", .drain)),
            Fault(
                "17c", "a negative chunk size", bad, "fails",
                .answering(head + "-3\r\nabc\r\n0\r\n\r\n", .drain)),
            Fault(
                "17d", "a chunk longer than its size",
                .failure(.badResponse, partial: "abc"), "fails and keeps the received bytes",
                .answering(head + "3\r\nabcdef\r\n0\r\n\r\n", .drain)),
            Fault(
                "18a", "chunk lines that end with a bare LF", bad, "fails",
                .answering(head + "3\nabc\n0\n\n", .drain)),
            Fault(
                "18b", "a chunk extension of 200 KB", abc, "ignores it",
                .answering(head + "3;\(String(repeating: "x", count: 200_000))\r\nabc\r\n0\r\n\r\n")
            ),
            Fault(
                "18c", "an endless chunk extension", bad,
                "fails after 4 MiB of it",
                FaultScript([.request, .send(head + "3;"), .repeatForever(Array("x".utf8))])
            ) {
                $0.maximumTurnCount = .max
                // libcurl 7.88 reads a hundred buffers in one call, and tells nobody of extensions.
                $0.turnAllowance = 3
            },
            Fault(
                "18d", "an endless series of 15 KB chunk extensions", bad,
                "fails after 4 MiB plus 256 bytes per byte of the body",
                FaultScript([
                    .request, .send(head),
                    .repeatForever(
                        Array("3;\(String(repeating: "x", count: 15_000))\r\nabc\r\n".utf8)),
                ])
            ) {
                $0.turnAllowance = 3
                $0.maximumTurnCount = .max
            },
            Fault(
                "19a", "20,000 trailer fields", .failure(.limit(.trailerFieldCount)), "fails",
                .answering(
                    head + "3\r\nabc\r\n0\r\n" + String(repeating: "T: u\r\n", count: 20_000)
                        + "\r\n",
                    .drain)),
            Fault(
                "19b", "a trailer of 200 KB", .failure(.limit(.trailerSize)), "fails",
                .answering(
                    head + "3\r\nabc\r\n0\r\n"
                        + String(
                            repeating: "T: \(String(repeating: "u", count: 3000))\r\n", count: 70)
                        + "\r\n", .drain)),
            Fault(
                "20a", "an unknown transfer coding", bad, "fails", coded("magic, chunked")),
            Fault(
                "20b", "an unrequested transfer coding", bad, "fails",
                coded("gzip, chunked")),
            Fault(
                "21a", "chunked coding named twice", abc,
                "accepts it and does not reuse the connection", coded("chunked, chunked")
            ) { $0.connectionCount = 2 },
            Fault(
                "21b", "identity named before chunked", abc,
                "accepts it and does not reuse the connection", coded("identity, chunked")
            ) { $0.connectionCount = 2 },
            Fault(
                "21c", "chunked coding in HTTP/1.0", abc,
                "accepts it and does not reuse the connection",
                .answering(
                    "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n"
                        + "3\r\nabc\r\n0\r\n\r\n", .drain)
            ) { $0.connectionCount = 2 },
        ]
    }
}
