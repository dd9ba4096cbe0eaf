import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Refreshing credentials", .timeLimit(.minutes(2)))
struct AuthenticationInterceptorTests {
    struct Token: AuthenticationCredential, Sendable, Hashable {
        var text: String
        var requiresRefresh = false
    }

    final class Tokens: Authenticator {
        private let refreshCount = Locked(0)
        private let refreshing: @Sendable (Token, Session, Int) async throws -> Token

        init(
            refresh: @escaping @Sendable (Token, Session, Int) async throws -> Token = {
                _, _, number in Token(text: "new\(number)")
            }
        ) { refreshing = refresh }

        var count: Int { refreshCount.withLock { $0 } }

        func apply(_ credential: Token, to urlRequest: inout URLRequest) {
            urlRequest.setValue(
                "Bearer \(credential.text)", forHTTPHeaderField: "Authorization")
        }

        func refresh(_ credential: Token, for session: Session) async throws -> Token {
            let number = refreshCount.withLock { count in
                count += 1
                return count
            }
            return try await refreshing(credential, session, number)
        }

        func didRequest(
            _ urlRequest: URLRequest, with response: HTTPURLResponse,
            failDueToAuthenticationError error: any Error
        ) -> Bool { response.statusCode == 401 }

        func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
            urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer \(credential.text)"
        }
    }

    private let clock = ManualClock()

    private func rig(
        _ interceptor: AuthenticationInterceptor<Tokens>,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> StubRig {
        let rig = StubRig(clock: clock, change)
        rig.manager.interceptors = [interceptor]
        return rig
    }

    /// Refuses all tokens that begin with "old".
    private func serve(_ rig: StubRig) {
        rig.stub.on("/**") { request in
            guard let field = request.headers["Authorization"], !field.hasPrefix("Bearer old")
            else { return StubResponse(401) }
            return .text(field)
        }
    }

    private func get(_ rig: StubRig, _ path: String = "a") async -> Response<Data> {
        await rig.manager.response(.get, path, serializer: HTTPResponseSerializer())
    }

    /// Performs many tasks at once and returns how often each text or error occurred.
    private func getMany(_ count: Int, _ rig: StubRig) async -> [String: Int] {
        await clock.run {
            await withTaskGroup(of: String.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        let response = await get(rig)
                        return response.value.map { String(decoding: $0, as: UTF8.self) }
                            ?? "\(response.error?.stage.rawValue ?? "")"
                    }
                }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
        }
    }

    @Test("1,000 tasks with a refused token wait for one refresh and are sent once more")
    func refused() async {
        let tokens = Tokens(refresh: { [clock] _, _, number in
            try await clock.sleep(for: .seconds(1))
            return Token(text: "new\(number)")
        })
        let rig = rig(
            AuthenticationInterceptor(authenticator: tokens, credential: Token(text: "old")))
        serve(rig)
        #expect(await getMany(1_000, rig) == ["Bearer new1": 1_000])
        #expect(tokens.count == 1 && rig.stub.requests.count == 2_000)
    }

    @Test("1,000 tasks with an expired token wait for one refresh before they are sent")
    func expired() async {
        let tokens = Tokens(refresh: { [clock] _, _, number in
            try await clock.sleep(for: .seconds(1))
            return Token(text: "new\(number)")
        })
        let rig = rig(
            AuthenticationInterceptor(
                authenticator: tokens, credential: Token(text: "old", requiresRefresh: true)))
        serve(rig)
        #expect(await getMany(1_000, rig) == ["Bearer new1": 1_000])
        #expect(tokens.count == 1 && rig.stub.requests.count == 1_000)
    }

    @Test(
        "a failed refresh ends all tasks that wait for it, once each",
        arguments: [true, false])
    func failed(isExpired: Bool) async {
        let tokens = Tokens(refresh: { [clock] _, _, _ in
            try await clock.sleep(for: .seconds(1))
            throw TestError()
        })
        let rig = rig(
            AuthenticationInterceptor(
                authenticator: tokens, credential: Token(text: "old", requiresRefresh: isExpired)))
        serve(rig)
        #expect(await getMany(1_000, rig) == ["interception": 1_000])
        #expect(tokens.count == 1)
    }

    @Test(
        "a refusal after a failed refresh fails without another, except for new requests")
    func failureIsKept() async {
        let tokens = Tokens(refresh: { _, _, _ in throw TestError() })
        let interceptor = AuthenticationInterceptor(
            authenticator: tokens, credential: Token(text: "old"))
        let rig = rig(interceptor)
        rig.stub.on("/fast", StubResponse(401))
        rig.stub.on("/slow", StubResponse(401).after(.seconds(5)))
        await clock.run {
            async let slow = get(rig, "slow")
            let fast = await get(rig, "fast")
            #expect(fast.error?.context.underlying is TestError)
            #expect(await slow.error?.context.underlying is TestError)
        }
        #expect(tokens.count == 1)
        _ = await clock.run { await get(rig, "fast") }
        #expect(tokens.count == 2)
    }

    @Test("without a credential nothing is sent")
    func missing() async {
        let rig = rig(AuthenticationInterceptor(authenticator: Tokens()))
        let response = await clock.run { await get(rig) }
        #expect(response.error?.context.underlying as? CredentialError == .missingCredential)
        #expect(rig.stub.requests.isEmpty)
    }

    @Test("the window limits refreshes; 0 allows none, and nil any number")
    func window() async {
        for (window, most) in [(2, 2), (0, 0), (nil, 4)] as [(Int?, Int)] {
            let tokens = Tokens(refresh: { _, _, _ in Token(text: "old") })
            let rig = rig(
                AuthenticationInterceptor(
                    authenticator: tokens, credential: Token(text: "old"),
                    refreshWindow: window.map { .init(interval: 30, maximumAttempts: $0) }))
            serve(rig)
            for number in 0..<4 {
                let response = await clock.run { await get(rig) }
                if number >= most {
                    #expect(
                        response.error?.context.underlying as? CredentialError
                            == .excessiveRefresh)
                } else {
                    #expect(response.error?.stage == .validation)
                }
            }
            #expect(tokens.count == most)
            await clock.advance(by: .seconds(30))
            _ = await clock.run { await get(rig) }
            #expect(tokens.count == most + (window == 0 ? 0 : 1))
        }
    }

    @Test("a server that refuses every token receives each request twice")
    func refusedForEver() async {
        let tokens = Tokens(refresh: { [clock] _, _, number in
            try await clock.sleep(for: .milliseconds(100))
            return Token(text: "old\(number)")
        })
        let rig = rig(
            AuthenticationInterceptor(
                authenticator: tokens, credential: Token(text: "old"), refreshWindow: nil))
        rig.stub.on("/**", StubResponse(401).after(.milliseconds(70)))
        let errors = await clock.run {
            await withTaskGroup(of: String.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        // While the credential changes again and again.
                        try? await clock.sleep(for: .milliseconds(10 * number))
                        return await get(rig).error.map { "\($0)" } ?? ""
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(rig.stub.requests.count == 400)
        #expect(errors.count { $0.contains("the server also refused the new credential") } == 200)
    }

    @Test("a task whose first token was fetched is sent again with another if that is refused")
    func fetchedAndRefused() async {
        let tokens = Tokens(refresh: { _, _, number in
            Token(text: number == 1 ? "old1" : "new\(number)")
        })
        let rig = rig(
            AuthenticationInterceptor(
                authenticator: tokens, credential: Token(text: "", requiresRefresh: true)))
        serve(rig)
        let response = await clock.run { await get(rig) }
        #expect(response.value == Data("Bearer new2".utf8))
        #expect(tokens.count == 2 && rig.stub.requests.count == 2)
    }

    @Test("a credential that is expired when it arrives is used, and refreshed if it is refused")
    func expiredForEver() async {
        let tokens = Tokens(refresh: { _, _, _ in Token(text: "old", requiresRefresh: true) })
        let rig = rig(
            AuthenticationInterceptor(
                authenticator: tokens, credential: Token(text: "old", requiresRefresh: true),
                refreshWindow: nil))
        serve(rig)
        let response = await clock.run { await get(rig) }
        #expect(response.error?.stage == .validation)
        #expect(tokens.count == 2 && rig.stub.requests.count == 2)
    }

    @Test("a credential that was set meanwhile, and is expired, is refreshed before the retry")
    func expiredMeanwhile() async {
        let tokens = Tokens()
        let interceptor = AuthenticationInterceptor(
            authenticator: tokens, credential: Token(text: "old"))
        let rig = rig(interceptor)
        rig.stub.on("/**") { request in
            guard request.number > 1 else {
                interceptor.credential = Token(text: "expired", requiresRefresh: true)
                return StubResponse(401)
            }
            return StubResponse(
                200, body: Data((request.headers["Authorization"] ?? "").utf8))
        }
        let response = await clock.run { await get(rig) }
        #expect(response.value == Data("Bearer new1".utf8))
        #expect(tokens.count == 1 && rig.stub.requests.count == 2)
    }

    @Test("a request of the refresh on the same manager does not wait", arguments: [true, false])
    func sameManager(isExpired: Bool) async {
        let tokens = Tokens(refresh: { _, session, _ in
            let text = try await session.data(
                for: URLRequest(url: try #require(URL(string: "http://stub.test/token"))))
            return Token(text: String(decoding: text, as: UTF8.self))
        })
        let rig = rig(
            AuthenticationInterceptor(
                authenticator: tokens, credential: Token(text: "old", requiresRefresh: isExpired)))
        rig.manager.interceptors = [Interceptor(interceptors: [rig.manager.interceptors[0]])]
        rig.stub.on("/token") { request in
            #expect(request.headers["Authorization"] == nil)
            return .text("fresh")
        }
        serve(rig)
        let response = await clock.run { await get(rig) }
        #expect(response.value == Data("Bearer fresh".utf8))
    }

    @Test("a refresh that hangs fails after one minute, and the next request starts another")
    func hanging() async {
        let tokens = Tokens(refresh: { [clock] _, _, number in
            if number == 1 { try await clock.sleep(for: .seconds(3_600)) }
            return Token(text: "new")
        })
        let rig = rig(
            AuthenticationInterceptor(authenticator: tokens, credential: Token(text: "old")))
        serve(rig)
        let first = await clock.run { await get(rig) }
        #expect(first.error?.stage == .interception && clock.now == .seconds(60))
        let second = await clock.run { await get(rig) }
        #expect(second.value == Data("Bearer new".utf8))
    }

    @Test(
        "all tasks that wait for a refresh that hangs fail with its error, when it has had its time",
        arguments: [true, false])
    func hangingForMany(isExpired: Bool) async {
        let tokens = Tokens(refresh: { [clock] _, _, _ in
            // Throws when it is canceled.
            try await clock.sleep(for: .seconds(3_600))
            return Token(text: "new")
        })
        let rig = rig(
            AuthenticationInterceptor(
                authenticator: tokens, credential: Token(text: "old", requiresRefresh: isExpired)))
        serve(rig)
        let errors = await clock.run {
            await withTaskGroup(of: CredentialError?.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try? await clock.sleep(for: .milliseconds(100 * number))
                        return await get(rig).error?.context.underlying as? CredentialError
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(errors.count == 100)
        #expect(errors.allSatisfy { $0 == .refreshTimedOut(60) })
        #expect(clock.now == .seconds(60) && tokens.count == 1)
    }

    @Test("the time of other interceptors goes on after a refresh")
    func limitAfterRefresh() async {
        let tokens = Tokens(refresh: { [clock] _, _, _ in
            try await clock.sleep(for: .seconds(50))
            return Token(text: "new")
        })
        let rig = rig(
            AuthenticationInterceptor(
                authenticator: tokens, credential: Token(text: "old", requiresRefresh: true)))
        rig.manager.interceptors.append(
            Adapter { [clock] request, _ in
                try await clock.sleep(for: .seconds(3_600))
                return request
            })
        let response = await clock.run { await get(rig) }
        #expect("\(String(describing: response.error))".contains("did not answer within 60.0"))
        #expect(clock.now == .seconds(110) && rig.stub.requests.isEmpty)
    }

    @Test("a refresh that waits for itself from another queue fails with an error that says so")
    func waitingForItself() async {
        let tokens = Tokens(refresh: { _, session, _ in
            let request = URLRequest(url: try #require(URL(string: "http://stub.test/token")))
            let text = try await Task.detached { try await session.data(for: request) }.value
            return Token(text: String(decoding: text, as: UTF8.self))
        })
        let rig = rig(
            AuthenticationInterceptor(
                authenticator: tokens, credential: Token(text: "old", requiresRefresh: true)))
        serve(rig)
        let error = await clock.run { await get(rig) }.error
        #expect(error?.context.underlying as? CredentialError == .refreshTimedOut(60))
        #expect(error.map { "\($0)" }?.contains("on another queue wait for the refresh") == true)
    }

    @Test("an authenticator that implements no refresh fails with an explanation")
    func neither() async {
        final class Neither: Authenticator {
            func apply(_ credential: Token, to urlRequest: inout URLRequest) {}
            func didRequest(
                _ urlRequest: URLRequest, with response: HTTPURLResponse,
                failDueToAuthenticationError error: any Error
            ) -> Bool { true }
            func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
                true
            }
        }
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [
            AuthenticationInterceptor(authenticator: Neither(), credential: Token(text: "old"))
        ]
        rig.stub.on("/a", StubResponse(401))
        let response = await clock.run { await get(rig) }
        #expect(response.error?.context.underlying as? CredentialError == .refreshNotImplemented)
    }

    @Test("a refusal by another origin after a redirect refreshes nothing")
    func otherOrigin() async {
        let tokens = Tokens()
        let rig = rig(
            AuthenticationInterceptor(authenticator: tokens, credential: Token(text: "x")))
        rig.answer(.moved(to: "http://other.test/b"), StubResponse(401))
        let response = await clock.run { await get(rig) }
        #expect(response.error?.stage == .validation && tokens.count == 0)
    }

    /// Replaces an interceptor's credential during the question whether it has expired.
    final class Meddler: AuthenticationCredential, Sendable {
        let text: String
        private let asked: @Sendable () -> Bool

        init(_ text: String, asked: @escaping @Sendable () -> Bool = { false }) {
            self.text = text
            self.asked = asked
        }

        var requiresRefresh: Bool { asked() }
    }

    final class Meddlers: Authenticator {
        let count = Locked(0)
        let interceptor = Locked<AuthenticationInterceptor<Meddlers>?>(nil)

        func apply(_ credential: Meddler, to urlRequest: inout URLRequest) {
            urlRequest.setValue(
                "Bearer \(credential.text)", forHTTPHeaderField: "Authorization")
        }

        func refresh(_ credential: Meddler, for session: Session) async throws -> Meddler {
            count.withLock { $0 += 1 }
            return Meddler("refreshed")
        }

        func didRequest(
            _ urlRequest: URLRequest, with response: HTTPURLResponse,
            failDueToAuthenticationError error: any Error
        ) -> Bool { response.statusCode == 401 }

        func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Meddler) -> Bool {
            let isSame =
                urlRequest.value(forHTTPHeaderField: "Authorization")
                == "Bearer \(credential.text)"
            interceptor.withLock { $0 }?.credential = Meddler("meanwhile")
            return isSame
        }
    }

    @Test(
        "a credential that replaces another during its check is not refreshed",
        arguments: [true, false])
    func replacedMeanwhile(isExpired: Bool) async {
        let authenticator = Meddlers()
        let interceptor = AuthenticationInterceptor(authenticator: authenticator)
        interceptor.credential = Meddler("old") { [weak interceptor] in
            guard isExpired else { return false }
            interceptor?.credential = Meddler("meanwhile")
            return true
        }
        authenticator.interceptor.withLock { $0 = interceptor }
        defer { authenticator.interceptor.withLock { $0 = nil } }
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [interceptor]
        serve(rig)
        let response = await clock.run { await get(rig) }
        #expect(response.value == Data("Bearer meanwhile".utf8))
        #expect(authenticator.count.withLock { $0 } == 0)
    }

    @Test(
        "setting the credential ends a refresh, and waiting tasks use the new one or none",
        arguments: [Token(text: "set"), nil])
    func setDuringRefresh(credential: Token?) async {
        let tokens = Tokens(refresh: { [clock] _, _, _ in
            try await clock.sleep(for: .seconds(50))
            return Token(text: "refreshed")
        })
        let interceptor = AuthenticationInterceptor(
            authenticator: tokens, credential: Token(text: "old", requiresRefresh: true))
        let rig = rig(interceptor)
        serve(rig)
        clock.schedule(after: .seconds(1)) { interceptor.credential = credential }
        let response = await clock.run { await get(rig) }
        #expect(clock.now == .seconds(1))
        if credential == nil {
            #expect(response.error?.context.underlying as? CredentialError == .missingCredential)
        } else {
            #expect(response.value == Data("Bearer set".utf8))
        }
        await clock.advance(by: .seconds(60))
        #expect(interceptor.credential == credential)
    }

    @Test("an error of the refresh contains its own requests, and not the task's")
    func errorOfRefresh() async throws {
        let tokens = Tokens(refresh: { _, session, _ in
            var request = URLRequest(url: try #require(URL(string: "http://stub.test/token")))
            request.httpMethod = "POST"
            _ = try await session.data(for: request)
            return Token(text: "new")
        })
        let rig = rig(
            AuthenticationInterceptor(authenticator: tokens, credential: Token(text: "old")))
        rig.stub.on("/token") { _ in throw Exchange.Failure(.networkConnectionLost, message: "lost")
        }
        serve(rig)
        let error = try #require(await clock.run { await get(rig) }.error)
        #expect(error.isSafeToRetry)
        let below = try #require(error.context.underlying as? BluebonnetError)
        #expect(!below.isSafeToRetry && below.context.head == nil)
        #expect(below.context.request?.url?.path == "/token")
    }

    @Test("a request from a refresh that outlives it is authenticated")
    func outlivesRefresh() async throws {
        let late = Recorder<Response<Data>>()
        let tokens = Tokens(refresh: { [clock] _, session, _ in
            Task(executorPreference: session.hookExecutor) {
                try? await clock.sleep(for: .seconds(5))
                late.add(
                    await session.response(.get, "late", serializer: HTTPResponseSerializer()))
            }
            return Token(text: "new")
        })
        let rig = rig(
            AuthenticationInterceptor(authenticator: tokens, credential: Token(text: "old")))
        serve(rig)
        #expect(await clock.run { await get(rig) }.value == Data("Bearer new".utf8))
        await clock.advance(by: .seconds(10))
        #expect(await late.wait(for: 1)[0].value == Data("Bearer new".utf8))
    }

    @Test("a credential that is set during a refresh is kept")
    func setMeanwhile() async {
        let tokens = Tokens(refresh: { [clock] _, _, _ in
            try await clock.sleep(for: .seconds(5))
            return Token(text: "refreshed")
        })
        let interceptor = AuthenticationInterceptor(
            authenticator: tokens, credential: Token(text: "old"))
        let rig = rig(interceptor)
        serve(rig)
        clock.schedule(after: .seconds(1)) { interceptor.credential = Token(text: "set") }
        let response = await clock.run { await get(rig) }
        #expect(response.value == Data("Bearer set".utf8))
        #expect(interceptor.credential == Token(text: "set"))
    }

    @Test(
        "a task canceled during a refresh ends at once, and the others get the credential"
    )
    func cancelled() async {
        let tokens = Tokens(refresh: { [clock] _, _, _ in
            try await clock.sleep(for: .seconds(5))
            return Token(text: "new")
        })
        let rig = rig(
            AuthenticationInterceptor(authenticator: tokens, credential: Token(text: "old")))
        serve(rig)
        let cancelled = rig.task()
        cancelled.resume()
        await clock.idle()
        cancelled.cancel()
        #expect(await rig.response.error?.isCancelled == true)
        let other = await clock.run { await get(rig) }
        #expect(other.value == Data("Bearer new".utf8) && tokens.count == 1)
        await clock.idle()
        #expect(clock.pendingCount == 0)
    }
}
