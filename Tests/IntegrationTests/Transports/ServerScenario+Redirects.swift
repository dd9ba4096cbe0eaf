import Bluebonnet
import BluebonnetTesting
import Foundation

extension ServerScenario {
    static let redirects: [ServerScenario] =
        [
            redirect("301 of GET", .get, 301, "Moved Permanently"),
            redirect("302 of POST", .post, 302, "Found"),
            redirect("303 of POST", .post, 303, "See Other"),
            redirect("307 of POST", .post, 307, "Temporary Redirect"),
            redirect("308 of PUT", .put, 308, "Permanent Redirect"),
        ] + [
            ServerScenario("redirects in a circle", nginx: "location /a { return 302 /a; }") {
                run in
                await run.send("a")
            }.stub("/a", .nginxPage(302, "Found").header("Location", "/a")),
            ServerScenario(
                "more redirects than are followed",
                nginx: #"location ~ ^/a(x*)$ { return 302 /a$1x; }"#
            ) { run in
                await run.send("a")
            }
            .configure { $0.maximumRedirects = 3 }
            .stub { stub, _ in
                stub.on("/:path") { request in
                    .nginxPage(302, "Found").header("Location", request.path + "x")
                }
            },
            ServerScenario(
                "a redirect to another origin",
                nginx: """
                    location /a { return 302 http://127.0.0.1:OTHER/b; }
                    location /b { return 200 "$http_authorization$http_x_plain"; }
                    """
            ) { run in
                await run.send("a", headers: ["Authorization": "Bearer token", "X-Plain": "plain"])
            }.stub { stub, ports in
                stub.on(
                    "/a", .nginxPage(302, "Found").header("Location", "\(ports.otherURL)/b"))
                stub.on("\(ports.otherURL)/b") { request in
                    let fields = ["Authorization", "X-Plain"].map { request.headers[$0] ?? "" }
                    return .text(fields.joined(), type: "text/plain")
                }
            },
            ServerScenario(
                "a relative redirect",
                nginx: """
                    location /a/b { return 302 "../c?d=e"; }
                    location /c { return 200 "$request_uri"; }
                    """
            ) { run in
                await run.send("a/b")
            }.stub { stub, _ in
                stub.on("/a/b", .nginxPage(302, "Found").header("Location", "../c?d=e"))
                stub.on("/c", query: ["d": "e"], .text("/c?d=e", type: "text/plain"))
            },
            ServerScenario("an empty Location", nginx: #"location /a { return 302 ""; }"#) { run in
                await run.send("a")
            }.stub("/a", .nginxPage(302, "Found").header("Location", "")),
            ServerScenario(
                "a redirect without Location",
                nginx: "location /a { proxy_pass http://127.0.0.1:BROKEN; }"
            ) { run in
                await run.send("a")
            }
            .broken("HTTP/1.1 302 Found\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nno")
            .stub("/a", .text("no", type: "text/plain", status: 302)),
            ServerScenario(
                "a redirect to another scheme", nginx: "location /a { return 302 ftp://a.test/; }"
            ) { run in
                await run.send("a")
            }.stub("/a", .nginxPage(302, "Found").header("Location", "ftp://a.test/")),
        ]

    private static func redirect(
        _ name: String, _ method: HTTPMethod, _ status: Int, _ reason: String
    ) -> ServerScenario {
        ServerScenario(
            name,
            nginx: """
                location /a { return \(status) /b; }
                location /b { return 200 "$request_method $content_length"; }
                """
        ) { run in
            if method == .get {
                await run.send("a")
            } else {
                await run.upload(.data(Data("body".utf8)), to: "a", method)
            }
        }.stub { stub, _ in
            stub.on("/a", .nginxPage(status, reason).header("Location", "/b"))
            stub.on("/b") { request in
                let length = request.body.isEmpty ? "" : "\(request.body.count)"
                return .text("\(request.method.rawValue) \(length)", type: "text/plain")
            }
        }
    }
}
