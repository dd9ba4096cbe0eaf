import BluebonnetTargets
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

private enum Caller {
    @TaskLocal static var name = "nobody"
    @TaskLocal static var token: Token?

    final class Token: Sendable {}
}

/// Records which caller each of its methods sees, and retries twice.
private final class Witness: RequestInterceptor {
    private let texts = Locked<[String]>([])
    private let ends = AsyncStream<Void>.makeStream()

    var seen: [String] { texts.withLock { $0 } }

    /// Returns what was seen until attempts have ended, which a task does not wait for.
    func seen(in attempts: Int = 3) async -> [String] {
        var ends = ends.stream.makeAsyncIterator()
        for _ in 0..<attempts { await ends.next() }
        return seen
    }

    func note(_ method: String) {
        texts.withLock { $0.append("\(method) \(Caller.name) \(Task.currentPriority == .low)") }
        if method == "end" { ends.continuation.yield() }
    }

    func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        note("adapt")
        await Task.yield()
        return urlRequest
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        note("retry")
        await Task.yield()
        return request.retryCount < 2 ? .retry : .doNotRetry
    }

    func attemptDidEnd(_ attempt: EndedAttempt) { note("end") }

    /// What a task with three attempts shows, of which the last succeeds.
    static func all(_ name: String) -> [String] {
        ["adapt", "end", "retry", "adapt", "end", "retry", "adapt", "end"]
            .map { "\($0) \(name) true" }
    }
}

/// The same in the completion forms.
private final class CompletionWitness: RequestInterceptor {
    let witness = Witness()

    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        witness.note("adapt")
        DispatchQueue.global().async { completion(.success(urlRequest)) }
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        witness.note("retry")
        DispatchQueue.global().async {
            completion(request.retryCount < 2 ? .retry : .doNotRetry)
        }
    }

    func attemptDidEnd(_ attempt: EndedAttempt) { witness.note("end") }
}

private struct GetThing: APIRequest {
    typealias Response = [String: Int]
    let path = "/a"
}

private enum ThingTarget: TargetType {
    case get

    var baseURL: URL { URL(string: "http://stub.test") ?? URL(filePath: "/") }
    var path: String { "/a" }
    var method: HTTPMethod { .get }
    var task: TargetTask { .requestPlain }
    var headers: [String: String]? { nil }
}

@Suite("What interceptors and sequences see of the caller", .timeLimit(.minutes(1)))
struct CallerContextTests {
    private let stub = StubTransport()
    private let witness = Witness()

    private func manager(_ interceptors: (any RequestInterceptor)...) -> HTTPSessionManager {
        stub.on("/**", .status(503), .status(503), .good)
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), transport: stub)
        manager.interceptors = interceptors
        return manager
    }

    /// Runs a call in a Swift task with a name and low priority.
    private func call<Value: Sendable>(
        as name: String, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await Task(priority: .low) {
            try await Caller.$name.withValue(name) { try await body() }
        }.value
    }

    @Test("all methods of interceptors see the caller's values and priority in each attempt")
    func verbs() async throws {
        let manager = manager(witness)
        _ = try await call(as: "A") { try await manager.get("a") }
        #expect(await witness.seen() == Witness.all("A"))
    }

    @Test("tasks of different callers see their own values, although they use one interceptor")
    func callers() async throws {
        let manager = manager(witness)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    _ = try? await call(as: "\(number)") { try await manager.get("a") }
                }
            }
            try await group.waitForAll()
        }
        // The stub refuses two of the attempts.
        let seen = Dictionary(grouping: await witness.seen(in: 52)) { $0.split(separator: " ")[1] }
        #expect(seen.count == 50 && seen["nobody"] == nil)
        #expect(
            seen.values.allSatisfy { texts in
                texts.count { $0.hasPrefix("adapt") } == texts.count { $0.hasPrefix("end") }
            })
    }

    @Test("so do completion forms")
    func completionForms() async throws {
        let interceptor = CompletionWitness()
        let manager = manager(interceptor)
        _ = try await call(as: "A") { try await manager.get("a") }
        #expect(await interceptor.witness.seen() == Witness.all("A"))
    }

    @Test("so do interceptors on a manual clock, with a delay before each retry")
    func delays() async throws {
        let (clock, witness) = (ManualClock(), witness)
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [
            witness,
            Retrier(async: { request, _, _ in
                witness.note("second")
                return request.retryCount < 3 ? .retryWithDelay(10) : .doNotRetry
            }),
        ]
        rig.answer(.status(503), .status(503), .status(503), .good)
        let manager = rig.manager
        _ = try await call(as: "A") { try await clock.run { try await manager.get("a") } }
        #expect(rig.requestTimes == [0, 0, 0, 10])
        let seen = await witness.seen(in: 4)
        #expect(seen.count == 12 && seen.allSatisfy { $0.contains(" A ") })
    }

    @Test("so do interceptors of chains")
    func chains() async throws {
        let manager = manager(witness)
        let value = try await call(as: "A") {
            try await manager.request("a").validate().serializingDecodable([String: Int].self)
                .value
        }
        #expect(value == ["a": 1])
        #expect(await witness.seen() == Witness.all("A"))
    }

    @Test("so do interceptors of typed requests")
    func typedRequests() async throws {
        let base = try #require(URL(string: "http://stub.test/"))
        let client = APIClient(baseURL: base, session: manager(witness))
        _ = try await call(as: "A") { try await client.send(GetThing()) }
        #expect(await witness.seen() == Witness.all("A"))
    }

    @Test("so do interceptors of targets")
    func targets() async throws {
        let provider = TargetProvider<ThingTarget>(session: manager(witness))
        let done = AsyncStream<Int?>.makeStream()
        Caller.$name.withValue("A") {
            _ = provider.request(.get) { done.continuation.yield(try? $0.get().statusCode) }
        }
        var results = done.stream.makeAsyncIterator()
        #expect(await results.next() == 200)
        let seen = await witness.seen()
        #expect(seen.count == 8 && seen.allSatisfy { $0.contains(" A ") })
    }

    @Test("values that are set on a thread without a Swift task are the caller's too")
    func threads() async throws {
        let manager = manager(witness)
        let done = AsyncStream<Bool>.makeStream()
        DispatchQueue.global().async {
            Caller.$name.withValue("thread") {
                _ = manager.get("a", parameters: nil) { response in
                    done.continuation.yield(response.error == nil)
                }
            }
        }
        var results = done.stream.makeAsyncIterator()
        #expect(await results.next() == true)
        let seen = await witness.seen()
        #expect(seen.count == 8 && seen.allSatisfy { $0.contains(" thread ") })
    }

    @Test(
        "a sequence that is sent sees the caller's values in each attempt, and so does its closure")
    func sequences() async throws {
        let names = Locked<[String]>([])
        let retrier = Retrier(async: { request, _, _ in
            request.retryCount < 2 ? .retry : .doNotRetry
        })
        let manager = manager(retrier)
        try await call(as: "A") {
            _ = try await manager.upload(
                .sequence {
                    names.withLock { $0.append("made \(Caller.name)") }
                    return AsyncStream<Data>(unfolding: {
                        let count = names.withLock { names in
                            names.append("piece \(Caller.name)")
                            return names.count
                        }
                        return count.isMultiple(of: 3) ? nil : Data("a".utf8)
                    })
                }, to: "a")
        }
        let attempt = ["made A", "piece A", "piece A"]
        #expect(names.withLock { $0 } == attempt + attempt + attempt)
        #expect(stub.requests.map(\.body) == Array(repeating: Data("a".utf8), count: 3))
    }

    @Test("a sequence sees the caller's values in a task without interceptors")
    func sequenceAlone() async throws {
        stub.on("/**", .good)
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), transport: stub)
        let names = Locked<[String]>([])
        let pieces = AsyncStream<Data>(unfolding: {
            names.withLock { names in
                names.append(Caller.name)
                return names.count > 1 ? nil : Data("a".utf8)
            }
        })
        try await call(as: "A") { _ = try await manager.upload(.sequence(pieces), to: "a") }
        #expect(names.withLock { $0 } == ["A", "A"])
    }

    @Test(
        "an adapter that never answers does not keep the retriers from seeing the caller's values")
    func hanging() async throws {
        let (clock, witness) = (ManualClock(), witness)
        let rig = StubRig(clock: clock) { $0.interceptorTimeout = 5 }
        let blocked = AsyncStream<Void>.makeStream()
        rig.manager.interceptors = [
            witness,
            Adapter(async: { request, _ in
                guard rig.stub.requests.isEmpty else { return request }
                // Ignores that it is canceled.
                await Task.detached { for await _ in blocked.stream {} }.value
                return request
            }),
        ]
        let manager = rig.manager
        _ = try? await call(as: "A") { try await clock.run { try await manager.get("a") } }
        blocked.continuation.finish()
        #expect(
            witness.seen.filter { !$0.hasPrefix("end") } == [
                "adapt A true", "retry A true", "adapt A true", "retry A true", "adapt A true",
                "retry A true",
            ])
        #expect(rig.stub.requests.isEmpty)
    }

    @Test("hooks of the manager do not see the caller's values")
    func hooks() async throws {
        let names = Locked<[String]>([])
        stub.on("/**", .moved(to: "/b"), .good)
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), transport: stub)
        manager.taskWillPerformHTTPRedirection = { _, _, request in
            names.withLock { $0.append(Caller.name) }
            return request
        }
        _ = try await call(as: "A") { try await manager.get("a") }
        #expect(names.withLock { $0 } == ["nobody"])
    }

    @Test("the caller's values are released with the task")
    func release() async throws {
        let manager = manager(witness)
        weak var token: Caller.Token?
        do {
            let strong = Caller.Token()
            token = strong
            _ = try await Caller.$token.withValue(strong) { try await manager.get("a") }
        }
        // The Swift task of the last notification can still be returning.
        let clock = ContinuousClock()
        let limit = clock.now + .seconds(10)
        while token != nil, clock.now < limit { await Task.yield() }
        #expect(token == nil)
    }
}
