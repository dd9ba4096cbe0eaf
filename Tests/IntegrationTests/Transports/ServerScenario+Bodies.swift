import Bluebonnet
import BluebonnetTesting
import Foundation

extension ServerScenario {
    static let bodies: [ServerScenario] = [
        coding("gzip", "H4sIAAAAAAACA0vKKU1Nys/LSy1RSBpuTACFH4Xh3AAAAA=="),
        coding("deflate", "eJxLyilNTcrPy0stUUgabkwARRNWGQ=="),
        coding("zstd", "KLUv/STclQAAWGJsdWVib25uZXQgAQBOU8ULjlH6Cw=="),
        coding("br", "G9sA+MVjbF17K08cYsAIoAV9sYkG"),
        coding("gzip that is none", "bm8=", "gzip"),
        ServerScenario(
            "chunks with a trailer",
            nginx: #"location /a { add_trailer X-Sum 1; return 200 "hello"; }"#
        ) { run in
            await run.send("a")
        }.stub("/a", .text("hello", type: "text/plain").trailers(["X-Sum": "1"])),
        ServerScenario("a range", nginx: "location /files/ { }") { run in
            await run.send("files/a.txt", headers: ["Range": "bytes=1-3"])
        }
        .files(["a.txt": Data("hello".utf8)])
        .stub("/files/a.txt", .part("ell", of: "hello", from: 1)),
        ServerScenario("a range that is not there", nginx: "location /files/ { }") { run in
            await run.send("files/a.txt", headers: ["Range": "bytes=9-"])
        }
        .files(["a.txt": Data("hello".utf8)])
        .stub(
            "/files/a.txt",
            .nginxPage(416, "Requested Range Not Satisfiable")
                .header("Content-Range", "bytes */5")),
        ServerScenario("a download", nginx: "location /files/ { }") { run in
            try await run.download("files/a.txt")
        }
        .files(["a.txt": Data(long.utf8)])
        .stub("/files/a.txt", .nginxFile(long)),
        ServerScenario("a download that is not there", nginx: "location /files/ { }") { run in
            try await run.download("files/a.txt")
        }.stub("/files/a.txt", .nginxPage(404, "Not Found")),
        ServerScenario(
            "a download that breaks and goes on",
            nginx: """
                location /files/ { if ($http_range = "") { proxy_pass http://127.0.0.1:BROKEN; } }
                """
        ) { run in
            let data = try await run.download("files/a.txt")
            try await run.download("files/a.txt", resumingWith: data)
        }
        .files(["a.txt": Data("hello".utf8)])
        .broken(
            """
            HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\
            Accept-Ranges: bytes\r\nETag: \(etag(5))\r\nLast-Modified: \(age)\r\n\r\nhe
            """
        )
        .stub { stub, _ in
            stub.on(
                "/files/a.txt", .nginxFile("hello").cut(after: 2),
                .part("llo", of: "hello", from: 2))
        },
        ServerScenario("a stream", nginx: "location /files/ { }") { run in
            let stream = try await run.api.stream("files/a.txt")
            var count = 0
            for try await piece in stream { count += piece.count }
            run.witness.note("\(stream.head.statusCode) \(count)")
        }
        .files(["a.txt": Data(long.utf8)])
        .stub("/files/a.txt", .nginxFile(long).inPieces(of: 10_000)),
        ServerScenario(
            "a stream that is canceled",
            nginx: "location /files/ { limit_rate_after 1k; limit_rate 1; }"
        ) { run in
            let stream = try await run.api.stream("files/a.txt")
            stream.task.cancel()
            do {
                for try await _ in stream {}
            } catch let error as BluebonnetError {
                run.witness.note("\(stream.head.statusCode) \(error.isCancelled)")
            }
        }
        .files(["a.txt": Data(long.utf8)])
        .stub("/files/a.txt", .nginxFile(long).stalled(after: 1000)),
    ]

    private static let long = String(repeating: "bluebonnet", count: 10_000)

    private static func coding(
        _ name: String, _ body: String, _ coding: String? = nil
    ) -> ServerScenario {
        let coding = coding ?? name
        let data = Data(base64Encoded: body) ?? Data()
        return ServerScenario(
            name, nginx: "location /files/ { add_header Content-Encoding \(coding); }"
        ) { run in
            await run.send("files/a", serializer: StringResponseSerializer())
        }
        .files(["a": data])
        .stub { stub, _ in
            let response = StubResponse.data(data, type: "text/plain")
            stub.on(
                "/files/a",
                response.header("Content-Encoding", coding).header("Accept-Ranges", "bytes")
                    .header("ETag", etag(data.count)).header("Last-Modified", age))
        }
    }
}

extension StubResponse {
    /// Returns a part of a text file as nginx serves it.
    fileprivate static func part(_ part: String, of text: String, from start: Int) -> Self {
        .text(part, type: "text/plain", status: 206)
            .header("ETag", ServerScenario.etag(text.utf8.count))
            .header("Last-Modified", ServerScenario.age)
            .header(
                "Content-Range", "bytes \(start)-\(start + part.utf8.count - 1)/\(text.utf8.count)")
    }
}
