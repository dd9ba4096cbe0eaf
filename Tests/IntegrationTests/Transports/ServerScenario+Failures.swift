import Bluebonnet
import BluebonnetTesting
import Foundation

extension ServerScenario {
    static let failures: [ServerScenario] = [
        ServerScenario("nobody listens", .nothing) { run in
            await run.send("a")
        }.stub("/a", .failure(.cannotConnectToHost)),
        ServerScenario("lost before the head", nginx: "location /a { return 444; }") { run in
            await run.send("a", .post)
        }.stub("/a", .failure(.networkConnectionLost)),
        ServerScenario(
            "a body that is cut",
            nginx: "location /a { proxy_buffering off; proxy_pass http://127.0.0.1:BROKEN; }"
        ) { run in
            await run.send("a")
        }
        .broken("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhe")
        .stub("/a", .text("hello", type: "text/plain").cut(after: 2)),
        ServerScenario(
            "a body announced beyond the limit", nginx: #"location /a { return 200 "hello"; }"#
        ) { run in
            await run.send("a")
        }
        .configure { $0.maximumResponseBodySize = 4 }
        .stub("/a", .text("hello", type: "text/plain")),
        ServerScenario(
            "a body that grows beyond the limit",
            nginx: "location /a { proxy_pass http://127.0.0.1:BROKEN; }"
        ) { run in
            await run.send("a")
        }
        .configure { $0.maximumResponseBodySize = 4 }
        .broken("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello")
        .stub(
            "/a", .text("hello", type: "text/plain").header("Transfer-Encoding", "chunked")),
        silence("a silent server") { $0.timeouts.idle = 0.2 },
        silence("a head that does not come") { $0.timeouts.head = 0.2 },
        silence("a deadline") { $0.timeouts.whole = 0.2 },
    ]

    private static func silence(
        _ name: String, _ configure: @escaping @Sendable (inout SessionConfiguration) -> Void
    ) -> ServerScenario {
        ServerScenario(name, nginx: "location /a { proxy_pass http://127.0.0.1:SILENT; }") { run in
            await run.send("a")
        }
        .configure(configure)
        .stub("/a", .silence)
    }
}
