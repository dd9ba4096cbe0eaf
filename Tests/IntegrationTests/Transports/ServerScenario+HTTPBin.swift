import Bluebonnet
import BluebonnetTesting
import Foundation

extension ServerScenario {
    static let nginx = [responses, requests, redirects, sessions, bodies, failures].flatMap { $0 }

    static let httpbin: [ServerScenario] = [
        digest("Digest", password: "secret"),
        digest("Digest that is refused", password: "wrong"),
        ServerScenario(httpbin: "three redirects") { run in
            await run.send("redirect/3")
        }.stub { stub, _ in
            stub.on("/redirect/3", .httpbinRedirect(to: "/relative-redirect/2"))
            stub.on("/relative-redirect/2", .httpbinEmptyRedirect(to: "/relative-redirect/1"))
            stub.on("/relative-redirect/1", .httpbinEmptyRedirect(to: "/get"))
            stub.on("/get") { request in .httpbinEcho(request) }
        },
        ServerScenario(httpbin: "cookies beside redirects") { run in
            await run.send("cookies/set?petal=five")
            await run.send("cookies/delete?petal=")
        }.stub { stub, _ in
            stub.on(
                "/cookies/set",
                .httpbinRedirect(to: "/cookies").header("Set-Cookie", "petal=five; Path=/"))
            stub.on(
                "/cookies/delete",
                .httpbinRedirect(to: "/cookies").header(
                    "Set-Cookie",
                    "petal=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/"))
            stub.on("/cookies") { request in
                let pair = request.headers["Cookie"]?.split(separator: "=").map(String.init)
                let cookies = pair.map { [$0[0]: $0[1]] } ?? [:]
                return .json(["cookies": cookies] as [String: [String: String]]).fromHTTPBin
            }
        },
        ServerScenario(httpbin: "a known entity") { run in
            await run.send("etag/abc", headers: ["If-None-Match": "abc"])
        }.stub("/etag/abc", StubResponse(304).header("ETag", "abc").fromHTTPBin),
        ServerScenario(httpbin: "a range of letters") { run in
            await run.send("range/26", headers: ["Range": "bytes=2-5"])
        }.stub(
            "/range/26",
            .data(Data("cdef".utf8), status: 206).header("ETag", "range26")
                .header("Accept-Ranges", "bytes").header("Content-Range", "bytes 2-5/26")
                .fromHTTPBin),
        ServerScenario(httpbin: "drops") { run in
            await run.send("drip?duration=0&numbytes=10&code=200")
        }.stub("/drip", .data(Data("**********".utf8)).fromHTTPBin),
        ServerScenario(httpbin: "a status alone") { run in
            for status in [201, 404, 503] { await run.send("status/\(status)") }
        }.stub { stub, _ in
            for status in [201, 404, 503] {
                stub.on(
                    "/status/\(status)",
                    .text("", type: "text/html; charset=utf-8", status: status).fromHTTPBin)
            }
        },
    ]

    private static func digest(_ name: String, password: String) -> ServerScenario {
        ServerScenario(httpbin: name) { run in
            run.api.answerChallenges(password: password)
            await run.send("digest-auth/auth/user/secret/MD5")
        }.stub { stub, _ in
            let accepted = StubResponse.json(["authenticated": true, "user": "user"])
                .header("Set-Cookie", "fake=fake_value; Path=/")
                .header("Set-Cookie", "stale_after=never; Path=/")
            stub.on("/digest-auth/auth/user/secret/MD5") { request in
                if request.headers["Authorization"] != nil, password == "secret" {
                    return accepted.fromHTTPBin
                }
                let refusal = StubResponse.text(
                    "", type: "text/html; charset=utf-8", status: 401
                ).header("Set-Cookie", "stale_after=never; Path=/")
                let isRefused = request.headers["Authorization"] != nil
                return (isRefused ? refusal.header("Set-Cookie", "last_nonce=1; Path=/") : refusal)
                    .header(
                        "WWW-Authenticate",
                        #"Digest realm="me@kennethreitz.com", nonce="1", qop="auth", algorithm=MD5"#
                    )
                    .header("Set-Cookie", "fake=fake_value; Path=/").fromHTTPBin
            }
        }
    }
}

extension StubResponse {
    /// The response with the fields that httpbin adds to each.
    fileprivate var fromHTTPBin: Self {
        header("Access-Control-Allow-Origin", "*").header(
            "Access-Control-Allow-Credentials", "true")
    }

    fileprivate static func httpbinRedirect(to path: String) -> Self {
        .text(
            """
            <!doctype html>
            <html lang=en>
            <title>Redirecting...</title>
            <h1>Redirecting...</h1>
            <p>You should be redirected automatically to the target URL: <a href="\(path)">\(path)</a>. \
            If not, click the link.

            """, type: "text/html; charset=utf-8", status: 302
        ).header("Location", path).fromHTTPBin
    }

    fileprivate static func httpbinEmptyRedirect(to path: String) -> Self {
        .text("", type: "text/html; charset=utf-8", status: 302).header("Location", path)
            .fromHTTPBin
    }

    /// Returns the response of `/get`.
    fileprivate static func httpbinEcho(_ request: StubRequest) -> Self {
        var headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { $1 }
        headers["Host"] = "127.0.0.1:\(request.url.port ?? 0)"
        headers["Accept"] = headers["Accept"] ?? "*/*"
        return .json(Echo(args: [:], headers: headers, origin: "127.0.0.1", url: "\(request.url)"))
            .fromHTTPBin
    }
}

/// httpbin's description of a request.
private struct Echo: Encodable {
    let args: [String: String]
    let headers: [String: String]
    let origin: String
    let url: String
}
