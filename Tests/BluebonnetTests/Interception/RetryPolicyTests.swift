import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("What retry policies retry", .timeLimit(.minutes(5)))
struct RetryPolicyTests {
    @Test("the defaults are Alamofire's, and QUERY")
    func defaults() {
        let policy = RetryPolicy()
        #expect(policy.retryLimit == 2)
        #expect(policy.exponentialBackoffBase == 2)
        #expect(policy.exponentialBackoffScale == 0.5)
        #expect(
            policy.retryableHTTPMethods.map(\.rawValue).sorted()
                == ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "QUERY", "TRACE"])
        #expect(policy.retryableHTTPStatusCodes.sorted() == [408, 500, 502, 503, 504])
        #expect(
            policy.retryableURLErrorCodes
                == [
                    .backgroundSessionInUseByAnotherProcess, .backgroundSessionWasDisconnected,
                    .badServerResponse, .callIsActive, .cannotConnectToHost, .cannotFindHost,
                    .cannotLoadFromNetwork, .dataNotAllowed, .dnsLookupFailed,
                    .downloadDecodingFailedMidStream, .downloadDecodingFailedToComplete,
                    .internationalRoamingOff, .networkConnectionLost, .notConnectedToInternet,
                    .secureConnectionFailed, .serverCertificateHasBadDate,
                    .serverCertificateNotYetValid, .timedOut,
                ])
        #expect(policy.maximumDelay == 30 && policy.maximumRetryAfter == nil)
    }

    @Test("the factories forward all of their parameters")
    func factories() async throws {
        let budget = RetryBudget()
        let asked = try AskedRequest()
        let policy: RetryPolicy = .retryPolicy(
            retryLimit: 7, exponentialBackoffBase: 3, exponentialBackoffScale: 4,
            retryableHTTPMethods: [.get], retryableHTTPStatusCodes: [418],
            retryableURLErrorCodes: [.timedOut], maximumDelay: 5, jitter: .full { _ in 3 },
            maximumRetryAfter: 6, budget: budget)
        #expect(policy.retryLimit == 7 && policy.exponentialBackoffBase == 3)
        #expect(policy.exponentialBackoffScale == 4 && policy.retryableHTTPMethods == [.get])
        #expect(policy.retryableHTTPStatusCodes == [418])
        #expect(policy.retryableURLErrorCodes == [.timedOut] && policy.maximumDelay == 5)
        #expect(policy.maximumRetryAfter == 6 && policy.budget(for: asked.rig.manager) === budget)
        #expect(await asked.delay(policy, BluebonnetError.status(418)) == 3)
        let other = RetryBudget()
        let lost: ConnectionLostRetryPolicy = .connectionLostRetryPolicy(
            retryLimit: 7, exponentialBackoffBase: 3, exponentialBackoffScale: 4,
            retryableHTTPMethods: [.get], jitter: .full { _ in 3 }, budget: other)
        #expect(lost.retryLimit == 7 && lost.exponentialBackoffBase == 3)
        #expect(lost.exponentialBackoffScale == 4 && lost.retryableHTTPMethods == [.get])
        #expect(lost.retryableURLErrorCodes == [.networkConnectionLost])
        #expect(lost.budget(for: asked.rig.manager) === other)
        #expect(await asked.delay(lost, BluebonnetError.failed(.networkConnectionLost)) == 3)
        #expect(await !asked.isRetried(by: lost, BluebonnetError.status(503)))
    }

    @Test(
        "a listed status code is retried for a listed method",
        arguments: ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "POST", "PATCH", "QUERY"]
    )
    func statuses(method: String) async throws {
        let asked = try AskedRequest(method)
        let isListed = !["POST", "PATCH"].contains(method)
        for status in [400, 401, 403, 404, 409, 429, 501, 505, 599] {
            let isRetried = await asked.isRetried(by: .retryPolicy, BluebonnetError.status(status))
            #expect(!isRetried, "\(status)")
        }
        for status in [408, 500, 502, 503, 504] {
            let isRetried = await asked.isRetried(by: .retryPolicy, BluebonnetError.status(status))
            #expect(isRetried == isListed, "\(status)")
        }
    }

    @Test("a listed error code is retried, also one level inside")
    func codes() async throws {
        let asked = try AskedRequest()
        let policy = RetryPolicy(retryableURLErrorCodes: [.timedOut])
        for (code, isRetried) in [(URLError.Code.timedOut, true), (.cannotFindHost, false)] {
            let inside = BluebonnetError.Context(underlying: URLError(code))
            let below = BluebonnetError.Context(underlying: BluebonnetError.failed(code))
            let errors: [any Error] = [
                URLError(code), BluebonnetError.failed(code),
                BluebonnetError.adaptation("no token", inside),
                BluebonnetError.adaptation("no token", below),
                BluebonnetError.validation("no", inside),
            ]
            for error in errors {
                #expect(await asked.isRetried(by: policy, error) == isRetried, "\(error)")
            }
        }
    }

    @Test("a verdict is not a connection failure, even if its URLError has a listed code")
    func verdicts() async throws {
        let asked = try AskedRequest()
        let context = BluebonnetError.Context()
        let errors: [any Error] = [
            BluebonnetError.status(404), BluebonnetError.validation("no", context),
            BluebonnetError.unacceptableContentType("a/b", acceptable: [], context),
            BluebonnetError.redirect("no", context), BluebonnetError.requestBody("no", context),
            BluebonnetError.cancelled(context), BluebonnetError.authentication("no", context),
            BluebonnetError.invalidRequest("no", context), CancellationError(),
            BluebonnetError.adaptation("no", context), CocoaError(.fileNoSuchFile),
        ]
        #expect(BluebonnetError.status(404).urlError.code == .badServerResponse)
        for error in errors { #expect(await !asked.isRetried(by: .server, error), "\(error)") }
    }

    @Test("the status code counts, whatever else is wrong with the response")
    func statusOfOtherError() async throws {
        let asked = try AskedRequest()
        let context = BluebonnetError.status(503).context
        let error = BluebonnetError.unacceptableContentType("text/html", acceptable: [], context)
        #expect(await asked.isRetried(by: .retryPolicy, error))
    }

    @Test("exceeded limits and denials are not retried, whatever the status code")
    func limits() async throws {
        let asked = try AskedRequest()
        let tooLarge = Exchange.Failure(.badServerResponse, message: "large", limit: .bodySize)
        var denied = Exchange.Failure(
            .cannotConnectToHost, message: "denied", proxyStatus: 503)
        denied.denial = AddressGuard.Denial(rule: .loopback, host: "a.test", port: 80)
        for failure in [tooLarge, denied] {
            let alone = BluebonnetError.transport(failure, .init())
            let errors: [BluebonnetError] = [
                alone, .transport(failure, BluebonnetError.status(503).context),
                .adaptation("no token", .init(underlying: alone)),
                .validation("no", .init(head: alone.context.head, underlying: alone)),
            ]
            for error in errors { #expect(await !asked.isRetried(by: .server, error), "\(error)") }
        }
    }

    @Test("the status code and Retry-After of a proxy that refuses a tunnel count")
    func tunnels() async throws {
        let asked = try AskedRequest()
        var failure = Exchange.Failure(.unknown, message: "no tunnel", proxyStatus: 503)
        failure.proxyFields = [Exchange.Field(name: "Retry-After", value: "7")]
        let policy = RetryPolicy(maximumRetryAfter: 10)
        #expect(await asked.delay(policy, BluebonnetError.transport(failure, .init())) == 7)
        failure.proxyStatus = 407
        #expect(await asked.delay(policy, BluebonnetError.transport(failure, .init())) == nil)
    }

    @Test("a non-idempotent method is retried with an Idempotency-Key, or if it is listed")
    func keys() async throws {
        let error = BluebonnetError.status(503)
        #expect(await !(try AskedRequest("POST")).isRetried(by: .server, error))
        #expect(await !(try AskedRequest("POST", key: "")).isRetried(by: .server, error))
        #expect(await (try AskedRequest("POST", key: "k")).isRetried(by: .server, error))
        let declared = RetryPolicy(retryableHTTPMethods: [.post])
        #expect(await (try AskedRequest("POST")).isRetried(by: declared, error))
    }

    @Test("a non-idempotent method is retried if nothing was sent")
    func unsent() async throws {
        let asked = try AskedRequest("POST")
        let context = BluebonnetError.Context(underlying: URLError(.timedOut))
        #expect(await asked.isRetried(by: .server, BluebonnetError.adaptation("no", context)))
        #expect(await !asked.isRetried(by: .server, BluebonnetError.failed(.timedOut)))
    }

    @Test(
        "a method that is not listed is retried only if nothing was sent",
        arguments: ["PUT", "DELETE", "POST", "PATCH"])
    func unlisted(method: String) async throws {
        let asked = try AskedRequest(method)
        let policy = RetryPolicy(retryableHTTPMethods: [.get])
        let context = BluebonnetError.Context(underlying: URLError(.timedOut))
        #expect(await !asked.isRetried(by: policy, BluebonnetError.status(503)))
        #expect(await !asked.isRetried(by: policy, BluebonnetError.failed(.timedOut)))
        #expect(await asked.isRetried(by: policy, BluebonnetError.adaptation("no", context)))
    }

    @Test("the policy for services also retries 429, and a limit of 0 retries nothing")
    func server() async throws {
        let asked = try AskedRequest()
        #expect(await asked.isRetried(by: .server, BluebonnetError.status(429)))
        let never = RetryPolicy(retryLimit: 0)
        #expect(await !asked.isRetried(by: never, BluebonnetError.status(503)))
    }

    @Test("every policy for services has full jitter, 429, a cap, Retry-After and a budget")
    func serverProperties() async throws {
        let budget = RetryBudget()
        let policies: [RetryPolicy] = [
            .server, .server(), .server(budget: budget), .server(retryLimit: 5),
            .server(retryableHTTPMethods: [.post]), .server(maximumRetryAfter: 300),
            .server(exponentialBackoffScale: 0.05),
        ]
        for policy in policies {
            #expect(policy.retryLimit == (policy === policies[3] ? 5 : 2))
            let scale = policy === policies[6] ? 0.05 : 0.5
            #expect(policy.exponentialBackoffBase == 2 && policy.exponentialBackoffScale == scale)
            let methods = RetryPolicy.defaultRetryableHTTPMethods
            #expect(policy.retryableHTTPMethods == (policy === policies[4] ? [.post] : methods))
            #expect(policy.retryableHTTPStatusCodes == [408, 429, 500, 502, 503, 504])
            #expect(policy.retryableURLErrorCodes == RetryPolicy.defaultRetryableURLErrorCodes)
            #expect(policy.maximumDelay == 20)
            #expect(policy.maximumRetryAfter == (policy === policies[5] ? 300 : 60))
            let rig = StubRig()
            let own = try #require(policy.budget(for: rig.manager))
            let ofManager = try #require(RetryPolicy.server.budget(for: rig.manager))
            #expect(own === (policy === policies[2] ? budget : ofManager))
            let asked = try AskedRequest(policy === policies[4] ? "POST" : "GET")
            var delays: Set<TimeInterval> = []
            for _ in 0..<20 {
                let error = BluebonnetError.status(429)
                delays.insert(try #require(policy.delay(of: asked.request, dueTo: error)))
            }
            #expect(delays.count == 20 && delays.allSatisfy { (0...scale).contains($0) })
        }
    }

    @Test("the policy for lost connections retries nothing else")
    func connectionLost() async throws {
        let asked = try AskedRequest()
        let policy: ConnectionLostRetryPolicy = .connectionLostRetryPolicy
        #expect(await asked.delay(policy, BluebonnetError.failed(.networkConnectionLost)) == 0.5)
        #expect(await !asked.isRetried(by: policy, BluebonnetError.failed(.timedOut)))
        #expect(await !asked.isRetried(by: policy, BluebonnetError.status(503)))
        let posts = ConnectionLostRetryPolicy(retryableHTTPMethods: [.post])
        let lost = BluebonnetError.failed(.networkConnectionLost)
        #expect(await !asked.isRetried(by: posts, lost))
        #expect(await (try AskedRequest("POST")).isRetried(by: posts, lost))
    }

    private final class Teapots: RetryPolicy, @unchecked Sendable {
        override func shouldRetry(request: Request, dueTo error: any Error) -> Bool {
            (error as? BluebonnetError)?.context.head?.statusCode == 418
        }
    }

    @Test("a subclass decides what is retried, up to the limit")
    func subclass() async throws {
        let asked = try AskedRequest("POST")
        #expect(await asked.delay(Teapots(), BluebonnetError.status(418)) == 0.5)
        #expect(await asked.delay(Teapots(), BluebonnetError.status(503)) == nil)
        #expect(await asked.delay(Teapots(retryLimit: 0), BluebonnetError.status(418)) == nil)
    }

    private final class Slow: RetryPolicy, @unchecked Sendable {
        override func delay(of request: Request, dueTo error: any Error) -> TimeInterval? {
            super.delay(of: request, dueTo: error).map { $0 * 10 }
        }
    }

    @Test("a subclass decides the delays")
    func slowSubclass() async throws {
        let asked = try AskedRequest()
        #expect(await asked.delay(Slow(), BluebonnetError.status(503)) == 5)
        let long = BluebonnetError.status(503, ["Retry-After": "61"])
        #expect(await asked.delay(Slow(maximumRetryAfter: 60), long) == nil)
    }
}
