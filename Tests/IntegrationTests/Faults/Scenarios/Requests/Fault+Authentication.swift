import Bluebonnet
import BluebonnetFixtureServer
import Foundation

// Servers that ask for credentials and mean something else.
extension Fault {
    private static func challenge(_ values: String...) -> FaultAction {
        let fields = values.map { "WWW-Authenticate: \($0)\r\n" }.joined()
        return .send("HTTP/1.1 401 Unauthorized\r\n\(fields)Content-Length: 3\r\n\r\nwho")
    }

    /// A client with a credential, which it gives for every challenge, be it the first or not.
    private static func asking(
        _ id: String, _ name: String, _ outcome: FaultOutcome, _ reaction: String,
        _ script: [FaultAction], requests: Int,
        _ change: @escaping (inout Fault) -> Void = { _ in }
    ) -> Fault {
        Fault(id, name, outcome, reaction, FaultScript(script)) {
            $0.prepare = { manager in
                manager.didReceiveChallenge = { _, _ in
                    .useCredential(
                        URLCredential(user: "me", password: "secret", persistence: .forSession))
                }
            }
            // And the next one.
            $0.requestCount = requests + 1
            change(&$0)
        }
    }

    /// What was sent in answer to the challenges.
    private static func answers(_ server: FaultServer) -> [String] {
        server.requests.compactMap { $0.headers["Authorization"] }
    }

    private static var whole: FaultOutcome { .response(401, body: "who") }
    private static let digest = #"Digest realm="r", nonce="1", qop="auth""#

    static var authentication: [Fault] {
        [
            asking(
                "75a", "a stale Digest nonce", .good,
                "uses the new nonce without requesting a credential again",
                [
                    .request, challenge(digest), .request,
                    challenge(#"Digest realm="r", nonce="2", qop="auth", stale=true"#), .request,
                    .answer,
                ], requests: 3
            ) {
                $0.prepare = { manager in
                    manager.didReceiveChallenge = { _, challenge in
                        challenge.previousFailureCount == 0
                            ? .useCredential(
                                URLCredential(user: "me", password: "x", persistence: .none))
                            : .cancel
                    }
                }
                $0.check = { _, server in
                    answers(server).last?.contains("nonce=\"2\"") == true
                        ? nil : "answered with \(answers(server))"
                }
            },
            asking(
                "75b", "a challenge with a duplicate parameter", whole,
                "delivers the 401, because the challenge is malformed",
                [.request, challenge(#"Digest realm="a", realm="b", nonce="1""#)], requests: 1),
            asking(
                "75c", "a challenge with an unclosed quote", whole,
                "delivers the 401, because the challenge is malformed",
                [.request, challenge(#"Digest realm="r, nonce=1"#)], requests: 1),
            asking(
                "75d", "a password that is refused every time", .failure(.authentication),
                "fails after three credentials",
                Array(
                    repeatElement([.request, challenge("Basic realm=\"r\"")], count: 4).joined()),
                requests: 4),
            asking(
                "75e", "100 Continue before the 401", .good, "answers the challenge",
                [
                    .request, .send("HTTP/1.1 100 Continue\r\n\r\n"), challenge(digest), .request,
                    .answer,
                ], requests: 2),
            asking(
                "75f", "Digest with an unknown algorithm", whole,
                "delivers the 401, because Bluebonnet cannot answer it",
                [.request, challenge(#"Digest realm="r", nonce="1", algorithm=ROT-13"#)],
                requests: 1),
            asking(
                "75g", "a nonce that is stale every time", .failure(.authentication),
                "fails after ten exchanges",
                (1...10).flatMap {
                    [.request, challenge(#"Digest realm="r", nonce="\#($0)", stale=true"#)]
                }, requests: 10),
            asking(
                "75h", "another realm every time", .failure(.authentication),
                "fails after ten exchanges",
                (1...10).flatMap { [.request, challenge("Basic realm=\"r\($0)\"")] }, requests: 10),
            asking(
                "76a", "only Negotiate and NTLM", whole,
                "delivers the 401, because credentials are never bound to connections",
                [.request, challenge("Negotiate", "NTLM")], requests: 1),
            asking(
                "76b", "NTLM beside Basic", .good,
                "answers Basic, whose credentials apply to a request",
                [.request, challenge("NTLM", "Basic realm=\"r\""), .request, .answer], requests: 2
            ) {
                $0.check = { _, server in
                    answers(server).allSatisfy { $0.hasPrefix("Basic ") }
                        ? nil : "answered with \(answers(server))"
                }
            },
        ]
    }
}
