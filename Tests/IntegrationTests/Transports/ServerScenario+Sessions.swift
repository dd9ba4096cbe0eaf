import Bluebonnet
import BluebonnetTesting
import Foundation

extension ServerScenario {
    static let sessions: [ServerScenario] = [
        ServerScenario(
            "cookies",
            nginx: """
                location /set {
                    add_header Set-Cookie "a=1; Path=/";
                    add_header Set-Cookie "b=2; Path=/sent";
                    return 204;
                }
                location /delete { add_header Set-Cookie "a=; Path=/; Max-Age=0"; return 204; }
                location /sent { return 200 "cookies: $http_cookie"; }
                """
        ) { run in
            for path in ["set", "sent", "delete", "sent", "set"] { await run.send(path) }
        }.stub { stub, _ in
            stub.on(
                "/set",
                .status(204).header("Set-Cookie", "a=1; Path=/")
                    .header("Set-Cookie", "b=2; Path=/sent"))
            stub.on("/delete", .status(204).header("Set-Cookie", "a=; Path=/; Max-Age=0"))
            stub.on("/sent") { request in
                .text("cookies: \(request.headers["Cookie"] ?? "")", type: "text/plain")
            }
        },
        challenge("Basic", password: "secret"),
        challenge("Basic that is refused", password: "wrong"),
        ServerScenario("Basic that nobody answers", nginx: login) { run in
            await run.send("files/a.txt")
        }
        .files(["a.txt": Data("hello".utf8)])
        .stub("/files/a.txt", refusal),
    ]

    private static let login = """
        location /files/ { auth_basic "here"; auth_basic_user_file DIRECTORY/passwords; }
        """

    private static let refusal = StubResponse.nginxPage(401, "Authorization Required")
        .header("WWW-Authenticate", #"Basic realm="here""#)

    private static func challenge(_ name: String, password: String) -> ServerScenario {
        ServerScenario(name, nginx: login) { run in
            run.api.answerChallenges(password: password)
            for _ in 0..<2 { await run.send("files/a.txt") }
        }
        .files(["a.txt": Data("hello".utf8)])
        .stub { stub, _ in
            stub.on("/files/a.txt") { request in
                request.headers["Authorization"] == "Basic dXNlcjpzZWNyZXQ="
                    ? .nginxFile("hello") : refusal
            }
        }
    }
}

extension HTTPSessionManager {
    /// Answers each challenge once.
    func answerChallenges(password: String) {
        didReceiveChallenge = { _, challenge in
            challenge.previousFailureCount > 0
                ? .performDefaultHandling
                : .useCredential(
                    URLCredential(user: "user", password: password, persistence: .forSession))
        }
    }
}

extension StubResponse {
    /// Returns a text file as nginx serves it.
    static func nginxFile(_ text: String) -> Self {
        .text(text, type: "text/plain").header("Accept-Ranges", "bytes")
            .header("ETag", ServerScenario.etag(text.utf8.count))
            .header("Last-Modified", ServerScenario.age)
    }
}
