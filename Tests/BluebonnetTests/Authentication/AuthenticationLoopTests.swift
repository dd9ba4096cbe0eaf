import Foundation
import FoundationNetworking
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

/// Servers that refuse every credential.
@Suite("Endless challenges are ended", .timeLimit(.minutes(5)))
struct AuthenticationLoopTests {
    struct Outcome {
        var exchanges = 0
        var questions = 0
        var reason: AuthenticationError.Reason?
    }

    /// Runs a task in which every exchange is answered with challenges from `server`.
    static func run(
        cache: AuthenticationCache = AuthenticationCache(),
        answer: ChallengeDisposition = .useCredential(.test()),
        server: (Int) -> [String]
    ) throws -> Outcome {
        var task = TaskAuthentication(cache: cache)
        var outcome = Outcome()
        let request = try AuthenticatedRequest.test()
        _ = task.fields(for: request)
        while outcome.exchanges < 1000 {
            outcome.exchanges += 1
            let fields = server(outcome.exchanges).map { ("WWW-Authenticate", $0) }
            var step = task.next(after: try .test(401, fields), to: request)
            while case .ask = step, outcome.questions < 10_000 {
                outcome.questions += 1
                step = task.answer(answer)
            }
            if case .retry = step { continue }
            outcome.reason = try? step.failed()
            break
        }
        return outcome
    }

    @Test("a wrong password is tried three times (fault 75)")
    func wrongPassword() throws {
        for challenge in ["Basic realm=r", "Digest realm=r, nonce=n, qop=auth"] {
            let outcome = try Self.run { _ in [challenge] }
            #expect(outcome.questions == 3)
            #expect(outcome.exchanges == 4)
            #expect(outcome.reason == .tooManyCredentials(3))
        }
    }

    @Test("a new realm in each challenge is followed for ten exchanges")
    func newRealms() throws {
        let outcome = try Self.run { ["Basic realm=r\($0)"] }
        #expect(outcome.questions == 9)
        #expect(outcome.exchanges == 10)
        #expect(outcome.reason == .tooManyChallenges(10))
    }

    @Test("nonces that are always stale are followed for ten exchanges")
    func staleForEver() throws {
        let outcome = try Self.run { ["Digest realm=r, nonce=n\($0), stale=true"] }
        #expect(outcome.questions == 1)
        #expect(outcome.exchanges == 10)
        #expect(outcome.reason == .tooManyChallenges(10))
    }

    @Test("a nonce that becomes stale again counts as a refusal")
    func sameStaleNonce() throws {
        let outcome = try Self.run { _ in ["Digest realm=r, nonce=n, stale=true"] }
        #expect(outcome.questions == 3)
        #expect(outcome.exchanges == 4)
    }

    @Test("alternating schemes and realms share the limits")
    func alternating() throws {
        let outcome = try Self.run { index in
            index % 2 == 0 ? ["Basic realm=r"] : ["Digest realm=r, nonce=n\(index)"]
        }
        #expect(outcome.exchanges == 4)
        let realms = try Self.run { ["Basic realm=r\($0 % 2)"] }
        #expect(realms.exchanges == 7)
    }

    @Test("each of many rejected challenges is asked about once")
    func rejections() throws {
        let offers = (0..<100).map { "Basic realm=r\($0)" }
        let outcome = try Self.run(answer: .rejectProtectionSpace) { _ in offers }
        #expect(outcome.questions == 32)
        #expect(outcome.exchanges == 1)
        #expect(outcome.reason == nil)
    }

    @Test("a server with random challenges is followed for ten exchanges at most")
    func random() throws {
        var generator = SeededGenerator(seed: 401)
        let cache = AuthenticationCache()
        for _ in 0..<500 {
            let outcome = try Self.run(cache: cache) { _ in
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    let number = Int.random(in: 0...3, using: &generator)
                    return [
                        "Basic realm=r\(number)", "Digest realm=r\(number), nonce=n, stale=true",
                        "Digest realm=r, nonce=n\(number), qop=\"auth\", algorithm=MD5-sess",
                        "Digest realm=r, nonce=\(number), stale=true, qop=auth-int", "Negotiate",
                    ].randomElement(using: &generator) ?? ""
                }
            }
            #expect(outcome.exchanges <= 10)
        }
    }
}
