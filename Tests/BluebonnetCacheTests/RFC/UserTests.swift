import Bluebonnet
import BluebonnetCache
import BluebonnetTesting
import Foundation
import Testing

@Suite("Two users of a shared cache at the same time", .timeLimit(.minutes(1)))
struct UserTests {
    /// What a server answers to a token.
    struct Answer: Sendable, CustomTestStringConvertible {
        let control: String
        var fields: [String: String] = [:]
        let isShared: Bool
        var testDescription: String { "\(control) \(fields)" }

        static let all: [Self] = [
            Self(control: "max-age=10", isShared: false),
            Self(control: "private, max-age=10", isShared: false),
            Self(control: "no-store", isShared: false),
            Self(control: "public, no-store, max-age=10", isShared: false),
            Self(control: "public, no-cache, max-age=10", isShared: false),
            Self(control: "public, max-age=10", fields: ["Vary": "*"], isShared: false),
            Self(
                control: "public, max-age=10", fields: ["Vary": "Authorization, Cookie, X-Api-Key"],
                isShared: false),
            Self(control: "public, max-age=10", fields: ["Set-Cookie": "a=b"], isShared: false),
            Self(control: "max-age=10, proxy-revalidate", isShared: false),
            Self(control: "", isShared: false),
            Self(control: "public, max-age=10", isShared: true),
            Self(control: "s-maxage=10", isShared: true),
            Self(control: "must-revalidate, max-age=10", isShared: true),
        ]
    }

    private static let policy = {
        var policy = CachePolicy.shared
        policy.credentialFields = ["X-Api-Key"]
        return policy
    }()

    @Test(
        "no waiting user gets the response to the token of another without its permission (3.5)",
        arguments: Answer.all, ["Authorization", "Cookie", "x-api-key"])
    func waiting(_ answer: Answer, _ field: String) async {
        let fixture = CacheFixture(Self.policy) { exchange, _ in
            let token = exchange.fields.first { $0.name == field }?.value ?? "none"
            var fields = answer.fields
            fields["Cache-Control"] = answer.control
            fields["X-Token"] = token
            return .init(200, fields, body: token)
        }
        fixture.origin.hold()
        let tokens = ["A", "B", "A", "C"]
        let callers = tokens.map { _ in Caller() }
        let transfers = zip(tokens, callers).map { token, caller in
            fixture.cache.start(
                fixture.exchange("GET", "http://a.test/", [field: token]), reportingTo: caller)
        }
        fixture.origin.release()
        for (token, caller) in zip(tokens, callers) {
            let received = await caller.result()
            let wanted = answer.isShared ? "A" : token
            #expect(received.text == wanted && received["X-Token"] == wanted)
        }
        withExtendedLifetime(transfers) {}
    }

    @Test(
        "no waiting user gets what a validation says to another alone (3.5)",
        arguments: [
            "private, max-age=10", "no-store", "no-cache, max-age=10", "max-age=10",
            "public, max-age=10",
        ])
    func validating(_ control: String) async {
        let fixture = CacheFixture(Self.policy) { exchange, _ in
            let token = exchange.fields.first { $0.name == "Authorization" }?.value ?? "none"
            let isValidation = exchange.fields.contains { $0.name == "If-None-Match" }
            return .init(
                isValidation ? 304 : 200,
                ["Cache-Control": control, "X-Token": token, "ETag": "\"a\""], body: "body")
        }
        let answer = fixture.origin.answer
        fixture.origin.answers { _, _ in
            .init(200, ["Cache-Control": "public, max-age=10", "ETag": "\"a\""], body: "body")
        }
        _ = await fixture.send()
        await fixture.clock.advance(by: .seconds(20))
        fixture.origin.answers(answer)
        fixture.origin.hold()
        let tokens = ["A", "B", "C"]
        let callers = tokens.map { _ in Caller() }
        let transfers = zip(tokens, callers).map { token, caller in
            fixture.cache.start(
                fixture.exchange("GET", "http://a.test/", ["Authorization": token]),
                reportingTo: caller)
        }
        fixture.origin.release()
        for (token, caller) in zip(tokens, callers) {
            let received = await caller.result()
            let wanted = control.hasPrefix("public") ? "A" : token
            #expect(received.text == "body" && received["X-Token"] == wanted)
        }
        withExtendedLifetime(transfers) {}
    }

    @Test("a GET that is under way when its URL is invalidated is not stored (4.4)")
    func invalidated() async {
        let fixture = CacheFixture(Self.policy) { _, number in
            .init(200, ["Cache-Control": "max-age=10"], body: "\(number)")
        }
        fixture.origin.hold()
        let caller = Caller()
        let transfer = fixture.cache.start(fixture.exchange(), reportingTo: caller)
        let get = fixture.origin.held[0]
        let put = Caller()
        let other = fixture.cache.start(fixture.exchange("PUT"), reportingTo: put)
        fixture.origin.held[1].reply(204)
        get.reply(
            200, fields: [.init(name: "Cache-Control", value: "max-age=10")], body: Data("old".utf8)
        )
        #expect(await caller.result().text == "old")
        fixture.origin.release()
        #expect(await fixture.send().text != "old")
        withExtendedLifetime((transfer, other)) {}
    }
}
