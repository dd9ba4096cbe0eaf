import BluebonnetTransport
import Foundation
import FoundationNetworking

import Bluebonnet

extension Scenario {
    /// More than the excerpt that is read of a redirect or a challenge before the decision.
    private static let large = [UInt8](repeating: 1, count: 64 * 1024 + 1)
    private static let json = ["Content-Type": "application/json"]

    static let all: [Scenario] =
        [responses, failures, redirects, challenges, holders, requests, downloads, streams]
        .flatMap { $0 }

    static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }

    private static let responses: [Scenario] = [
        Scenario("success", "ok 200"),
        Scenario("an empty body", "ok 204") { $0.answer { $0.reply(204, [:], "") } },
        Scenario("HEAD", "ok 200") {
            $0.request = { $0.httpMethod = "HEAD" }
            $0.answer { $0.reply(200, json, "") }
        },
        Scenario("a status that is not accepted", "status 404") { $0.answer { $0.reply(404) } },
        Scenario("a type that is not accepted", "type") {
            $0.answer { $0.reply(200, ["Content-Type": "image/png"]) }
        },
        Scenario("a status and a type that are not accepted", "status 500") {
            $0.answer { $0.reply(500, ["Content-Type": "text/html"]) }
        },
        Scenario("a body that is no JSON", "unreadable") { $0.answer { $0.reply(200, json, "<") } },
        Scenario("a body in pieces", "ok 200") {
            $0.answer { transfer in
                transfer.respond(200, json, ["[1,", "2]"])
                transfer.end()
            }
        },
        Scenario("a body of a MiB", "ok 200") {
            $0.answer { $0.reply(200, json, "[" + String(repeating: " ", count: 1 << 20) + "]") }
        },
        Scenario("a body that is announced beyond the limit", "transport") {
            $0.configure = { $0.maximumResponseBodySize = 100 }
            $0.answer { $0.respond(200, json.merging(["Content-Length": "101"]) { $1 }) }
        },
        Scenario("a body that grows beyond the limit", "transport") {
            $0.configure = { $0.maximumResponseBodySize = 100 }
            $0.answer { transfer in
                transfer.respond(200, json)
                transfer.send([UInt8](repeating: 32, count: 100))
                transfer.send([32])
            }
        },
        Scenario("failed validation", "validation") {
            $0.prepare = { $0.addValidator(.body { _, _, _ in throw CancellationError() }) }
        },
        Scenario("a second handler", "ok 200") {
            $0.prepare = { $0.addResponseHandler(serializer: .http) { _ in } }
        },
    ]

    private static let failures: [Scenario] = [
        Scenario("lost before the head", "transport") { $0.answer { $0.fail(.lost) } },
        Scenario("lost after the head", "transport") {
            $0.answer { transfer in
                transfer.respond(200, json, ["["])
                transfer.fail(.lost)
            }
        },
        Scenario("lost with a connection, and sent again", "ok 200") {
            $0.answer { transfer in
                var failure = Exchange.Failure.lost
                failure.isResendable = true
                transfer.fail(failure)
            }
            $0.answer { $0.reply() }
        },
        Scenario("a bad certificate", "transport") {
            $0.answer { transfer in
                let fault = Exchange.Failure.CertificateFault(check: .hostName, host: "a.test")
                transfer.fail(Exchange.Failure(certificateFault: fault))
            }
        },
        Scenario("a transport that gives two heads", "transport") {
            $0.answer { transfer in
                transfer.respond()
                transfer.respond()
            }
        },
        Scenario("a head beyond the limit", "transport") {
            $0.configure = { $0.maximumResponseHeadSize = 10 }
        },
        Scenario("no time at all", "transport") { $0.configure = { $0.timeouts.whole = 0 } },
    ]

    private static let redirects: [Scenario] = [
        Scenario("redirect", "ok 200") {
            $0.answer { $0.redirect(to: "/two") }
            $0.answer { $0.reply() }
        },
        Scenario("a redirect without a body", "ok 200") {
            $0.answer { $0.redirect(to: "/two", body: "") }
            $0.answer { $0.reply() }
        },
        Scenario("a redirect whose body has no end", "ok 200") {
            $0.answer { transfer in
                transfer.respond(302, ["Location": "/two"])
                transfer.send(large)
            }
            $0.answer { $0.reply() }
        },
        Scenario("a redirect whose body is large, and ends", "ok 200") {
            $0.answer { transfer in
                transfer.respond(302, ["Location": "/two"])
                transfer.send(large + large)
                transfer.end()
            }
            $0.answer { $0.reply() }
        },
        Scenario("a redirect whose large body is cut off", "ok 200") {
            $0.answer { transfer in
                transfer.respond(302, ["Location": "/two"])
                transfer.send(large)
                transfer.fail(.lost)
            }
            $0.answer { $0.reply() }
        },
        Scenario("three redirects", "ok 200") {
            $0.answer { $0.redirect(to: "/two") }
            $0.answer { $0.redirect(303, to: "/three") }
            $0.answer { $0.redirect(308, to: "/four") }
            $0.answer { $0.reply() }
        },
        Scenario("redirects in a circle", "redirect") {
            $0.answer { $0.redirect(to: "/two") }
            $0.answer { $0.redirect(to: "/one") }
        },
        Scenario("more redirects than are followed", "redirect") {
            $0.configure = { $0.maximumRedirects = 1 }
            $0.answer { $0.redirect(to: "/two") }
            $0.answer { $0.redirect(to: "/three") }
        },
        Scenario("a redirect to another origin", "ok 200") {
            $0.sendField("Authorization", "a")
            $0.answer { $0.redirect(to: "http://b.test/") }
            $0.answer { $0.reply() }
        },
        Scenario("a redirect of a body", "ok 200") {
            $0.post("body")
            $0.answer { $0.redirect(307, to: "/two") }
            $0.answer { $0.reply() }
        },
        Scenario("a redirect of a stream that is used up", "transport") {
            $0.request = {
                $0.httpMethod = "POST"
                $0.httpBodyStream = InputStream(data: Data("body".utf8))
            }
            $0.answer { $0.redirect(307, to: "/two") }
        },
        Scenario("a redirect that leads nowhere", "status 302") {
            $0.answer { $0.reply(302, json, "{}") }
        },
        Scenario("a redirect to another scheme", "redirect") {
            $0.answer { $0.redirect(to: "ftp://a.test/") }
        },
        Scenario("a response that is not modified", "status 304") {
            $0.answer { $0.reply(304, json, "") }
        },
    ]

    private static let challenges: [Scenario] = [
        Scenario("challenge", "status 401") { $0.answer { $0.challenge("Basic realm=r") } },
        Scenario("a challenge whose body is large", "status 401") {
            $0.answer { transfer in
                transfer.whenResumed.withLock {
                    $0 = {
                        transfer.send([1, 2, 3])
                        transfer.end()
                    }
                }
                transfer.respond(401, ["WWW-Authenticate": "Basic realm=r"])
                transfer.send(large)
            }
        },
        Scenario("a challenge in a scheme that is not spoken", "status 401") {
            $0.answer { $0.challenge("Negotiate") }
        },
        Scenario("a challenge in a form of Digest that is not known", "status 401") {
            $0.answer { $0.challenge(#"Digest realm="r", nonce="n", algorithm=SHA-3"#) }
        },
        Scenario("a 401 that asks for nothing", "status 401") { $0.answer { $0.reply(401) } },
        Scenario("a challenge to a credential of the request's own", "status 401") {
            $0.sendField("Authorization", "a")
            $0.answer { $0.challenge("Basic realm=r") }
        },
        Scenario("a 407 where there is no proxy", "status 407") {
            $0.answer { $0.reply(407, ["Proxy-Authenticate": "Basic realm=r"]) }
        },
        Scenario("a redirect to a challenge", "status 401") {
            $0.answer { $0.redirect(to: "/two") }
            $0.answer { $0.challenge("Basic realm=r") }
        },
    ]

    private static let holders: [Scenario] = [
        Scenario("cancel before", "cancelled") { $0.holder = .cancelsAtOnce },
        Scenario("cancel during", "cancelled") {
            let box = Locked<SessionTask?>(nil)
            $0.prepare = { task in box.withLock { $0 = task } }
            $0.answer { _ in box.withLock { $0.take() }?.cancel() }
        },
        Scenario("suspended and resumed", "ok 200") {
            $0.holder = .suspendsAndResumes
            // Not before the task is resumed.
            $0.answer { transfer in transfer.whenResumed.withLock { $0 = { transfer.reply() } } }
        },
        Scenario("a session that is over", "sessionInvalidated") {
            $0.holder = .invalidatesBefore
        },
    ]

    private static let requests: [Scenario] = [
        Scenario("invalid request", "invalidRequest") { $0.request = { $0.httpMethod = "GE T" } },
        Scenario("a body", "ok 200") { $0.post("body") },
        Scenario("upload", "ok 200", .upload) {
            $0.post()
            $0.answer { transfer in
                transfer.sent(100_000)
                transfer.sent(200_000)
                transfer.reply()
            }
        },
        Scenario("an upload that is refused", "status 413", .upload) {
            $0.post()
            $0.answer { transfer in
                transfer.sent(100_000)
                transfer.reply(413)
            }
        },
    ]

    private static let downloads: [Scenario] = [
        Scenario("download", "ok 200", .download) {
            $0.answer { transfer in
                transfer.respond(200, ["Content-Length": "4"], ["body"])
                transfer.end()
            }
        },
        Scenario("a download that is not accepted", "status 404", .download) {
            $0.answer { $0.reply(404) }
        },
        Scenario("a download that breaks", "transport", .download) {
            $0.answer { transfer in
                // Not before the result of the write is known.
                transfer.whenConsumed.withLock { $0 = { transfer.fail(.lost) } }
                transfer.respond(200, ["Content-Length": "9", "ETag": #""1""#], ["body"])
            }
        },
        Scenario("a download that finds no place", "file", .download) {
            $0.place = "there/is/none"
            // The cancel ends it.
            $0.answer { $0.respond(200, [:], ["body"]) }
        },
        Scenario("a download behind a redirect", "ok 200", .download) {
            $0.answer { $0.redirect(to: "/two") }
            $0.answer { $0.reply() }
        },
        Scenario("a challenged download", "status 401", .download) {
            $0.answer { $0.challenge("Basic realm=r") }
        },
    ]

    private static let streams: [Scenario] = [
        Scenario("stream", "ok", .stream) {
            $0.answer { transfer in
                transfer.respond(200, [:], ["one", "two"])
                transfer.end()
            }
        },
        Scenario("a stream that is not accepted", "status 404", .stream) {
            $0.answer { $0.reply(404) }
        },
        Scenario("a stream that breaks", "transport", .stream) {
            $0.answer { transfer in
                transfer.whenConsumed.withLock { $0 = { transfer.fail(.lost) } }
                transfer.respond(200, [:], ["one"])
            }
        },
        Scenario("a stream behind a redirect without an end", "ok", .stream) {
            $0.answer { transfer in
                transfer.respond(302, ["Location": "/two"])
                transfer.send(large)
            }
            $0.answer { transfer in
                transfer.respond(200, [:], ["one"])
                transfer.end()
            }
        },
        Scenario("a challenged stream", "status 401", .stream) {
            $0.answer { $0.challenge("Basic realm=r") }
        },
    ]
}
