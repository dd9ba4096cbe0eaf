import Bluebonnet
import BluebonnetTesting
import Foundation

extension ServerScenario {
    static let responses: [ServerScenario] = [
        ServerScenario("text", nginx: #"location /a { return 200 "hello"; }"#) { run in
            await run.send("a", serializer: StringResponseSerializer())
        }.stub("/a", .text("hello", type: "text/plain")),
        ServerScenario(
            "JSON", nginx: #"location /a { default_type application/json; return 200 '{"id":1}'; }"#
        ) { run in
            await run.send("a", serializer: JSONResponseSerializer())
        }.stub("/a", .json(["id": 1])),
        ServerScenario("empty", nginx: "location /a { return 204; }") { run in
            await run.send("a")
        }.stub("/a", .status(204)),
        ServerScenario("HEAD", nginx: #"location /a { return 200 "hello"; }"#) { run in
            await run.send("a", .head)
        }.stub("/a", .text("hello", type: "text/plain")),
        ServerScenario("DELETE", nginx: "location /a { return 204; }") { run in
            await run.send("a", .delete)
        }.stub("/a", .status(204)),
        ServerScenario("not modified", nginx: "location /files/ { }") { run in
            await run.send("files/a.txt", headers: ["If-None-Match": etag(5)])
        }
        .files(["a.txt": Data("hello".utf8)])
        .stub(
            "/files/a.txt", StubResponse(304).header("ETag", etag(5)).header("Last-Modified", age)),
        ServerScenario(
            "statuses with a body",
            nginx: statuses.map { status in
                "location /\(status) { return \(status) \"no\"; }"
            }.joined(separator: "\n")
        ) { run in
            for status in statuses { await run.send("\(status)") }
        }.stub { stub, _ in
            for status in statuses {
                stub.on("/\(status)", .text("no", type: "text/plain", status: status))
            }
        },
        ServerScenario(
            "statuses with pages",
            nginx: pages.keys.map { "location /\($0) { return \($0); }" }.joined(separator: "\n")
        ) { run in
            for status in pages.keys.sorted() { await run.send("\(status)") }
        }.stub { stub, _ in
            for (status, reason) in pages { stub.on("/\(status)", .nginxPage(status, reason)) }
        },
        ServerScenario(
            "a type that is not accepted", nginx: #"location /a { return 200 "hello"; }"#
        ) { run in
            await run.send("a", serializer: JSONResponseSerializer())
        }.stub("/a", .text("hello", type: "text/plain")),
        ServerScenario(
            "malformed JSON",
            nginx: #"location /a { default_type application/json; return 200 '{"id":'; }"#
        ) { run in
            await run.send("a", serializer: JSONResponseSerializer())
        }.stub("/a", .text(#"{"id":"#, type: "application/json")),
    ]

    private static let statuses = [400, 403, 404, 405, 409, 410, 422, 429, 500, 502, 503]

    private static let pages = [
        400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Not Allowed",
        429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
        503: "Service Temporarily Unavailable",
    ]

    /// Returns nginx's entity tag for a file of this size.
    static func etag(_ count: Int) -> String {
        #""\#(String(Int(ScenarioServer.modified.timeIntervalSince1970), radix: 16))-\#(String(count, radix: 16))""#
    }

    /// The date of `ScenarioServer.modified`.
    static let age = "Sun, 09 Sep 2001 01:46:40 GMT"
}

extension StubResponse {
    /// Returns nginx's page for a status code.
    static func nginxPage(_ status: Int, _ reason: String) -> Self {
        let title = "\(status) \(reason)"
        return .text(
            "<html>\r\n<head><title>\(title)</title></head>\r\n<body>\r\n<center><h1>\(title)</h1>"
                + "</center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n",
            type: "text/html", status: status)
    }
}
