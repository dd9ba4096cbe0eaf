import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Overridden forms of interceptors", .timeLimit(.minutes(1)))
struct OverriddenFormTests {
    private let clock = ManualClock()

    @Test(
        "the form that a subclass overrides is called once, and super does what the class does",
        arguments: FormSubclass.allCases)
    func overridden(subclass: FormSubclass) async {
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [subclass.make()]
        rig.stub.on("/**", .status(503))
        #expect(await rig.get(on: clock) != nil)
        let stamps = rig.stub.requests.map { $0.headers["X-Stamp"] }
        #expect(stamps == ["using,for,own", "using,for,own"])
    }

    @Test(
        "an interceptor in a composite is called in the same way",
        arguments: FormSubclass.allCases)
    func nested(subclass: FormSubclass) async {
        let rig = StubRig(clock: clock)
        let composite = FormSubclass.CompletionInterceptor(interceptors: [subclass.make()])
        rig.manager.interceptors = [Interceptor(interceptors: [composite])]
        rig.stub.on("/**", .status(503))
        #expect(await rig.get(on: clock) != nil)
        let stamps = rig.stub.requests.map { $0.headers["X-Stamp"] }
        #expect(stamps == ["using,for,using,for,own", "using,for,using,for,own"])
    }

    @Test(
        "each form is answered by the override, whichever form of it there is",
        arguments: FormSubclass.allCases)
    func direct(subclass: FormSubclass) async throws {
        let asked = try AskedRequest()
        let (interceptor, session) = (subclass.make(), asked.rig.manager as Session)
        let (plain, request) = (URLRequest(url: URL(filePath: "/")), asked.request)
        let state = RequestAdapterState(session: session, request: request, attempt: 1)
        let adapted = Recorder<Result<URLRequest, any Error>>()
        adapted.add(.success(try await interceptor.adapt(plain, for: session)))
        interceptor.adapt(plain, for: session) { adapted.add($0) }
        await adapted.wait(for: 2)
        adapted.add(.success(try await interceptor.adapt(plain, using: state)))
        interceptor.adapt(plain, using: state) { adapted.add($0) }
        let stamps = try await adapted.wait(for: 4).map {
            try $0.get().value(forHTTPHeaderField: "X-Stamp")
        }
        #expect(stamps == ["for,own", "for,own", "using,for,own", "using,for,own"])
        let decided = Recorder<RetryResult>()
        let error = BluebonnetError.status(503)
        decided.add(await interceptor.retry(request, for: session, dueTo: error))
        interceptor.retry(request, for: session, dueTo: error) { decided.add($0) }
        for result in await decided.wait(for: 2) {
            switch result {
            case .retry, .retryWithDelay(0.5): break
            default: Issue.record("\(result)")
            }
        }
    }

    // MARK: Ways to call super

    private typealias Adapted = FormSubclass.Adapted
    private typealias Decided = FormSubclass.Decided

    /// How an override calls `super`.
    enum Way: CaseIterable {
        /// In the form of the override, in its Swift task or on another queue.
        case sameForm, sameFormOnQueue
        /// In the other form, in the Swift task of the override or outside of it.
        case otherForm, otherFormOnQueue
    }

    private final class CompletionWays: RetryPolicy, @unchecked Sendable {
        let way: Way
        let log = Recorder<String>()

        init(_ way: Way) {
            self.way = way
            super.init(retryLimit: 1, exponentialBackoffScale: 0)
        }

        override func adapt(
            _ urlRequest: URLRequest, for session: Session,
            completion: @escaping Adapted
        ) {
            log.add("for")
            switch way {
            case .sameForm: super.adapt(urlRequest, for: session, completion: completion)
            case .sameFormOnQueue:
                DispatchQueue.global().async {
                    super.adapt(urlRequest, for: session, completion: completion)
                }
            case .otherForm:
                Task { completion(.success(try await super.adapt(urlRequest, for: session))) }
            case .otherFormOnQueue:
                Task.detached {
                    completion(.success(try await super.adapt(urlRequest, for: session)))
                }
            }
        }

        override func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState,
            completion: @escaping Adapted
        ) {
            log.add("using")
            switch way {
            case .sameForm: super.adapt(urlRequest, using: state, completion: completion)
            case .sameFormOnQueue:
                DispatchQueue.global().async {
                    super.adapt(urlRequest, using: state, completion: completion)
                }
            case .otherForm:
                Task { completion(.success(try await super.adapt(urlRequest, using: state))) }
            case .otherFormOnQueue:
                Task.detached {
                    completion(.success(try await super.adapt(urlRequest, using: state)))
                }
            }
        }

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping Decided
        ) {
            log.add("retry")
            switch way {
            case .sameForm:
                super.retry(request, for: session, dueTo: error, completion: completion)
            case .sameFormOnQueue:
                DispatchQueue.global().async {
                    super.retry(request, for: session, dueTo: error, completion: completion)
                }
            case .otherForm:
                Task { completion(await super.retry(request, for: session, dueTo: error)) }
            case .otherFormOnQueue:
                Task.detached {
                    completion(await super.retry(request, for: session, dueTo: error))
                }
            }
        }
    }

    @Test(
        "an override of a completion form can call super in either form, on any thread",
        arguments: Way.allCases)
    func ways(way: Way) async {
        let policy = CompletionWays(way)
        let rig = StubRig()
        rig.manager.interceptors = [policy]
        rig.stub.on("/**", .status(503))
        // Many at once, because a call of one request must not be taken for that of another.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let response = await rig.manager.response(
                        .get, "a", serializer: HTTPResponseSerializer())
                    #expect(response.error?.context.head?.statusCode == 503)
                }
            }
        }
        #expect(rig.stub.requests.count == 100)
        for name in ["for", "using", "retry"] {
            #expect(policy.log.all.count { $0 == name } == 100, "\(name)")
        }
    }

    private final class BothForms: RetryPolicy, @unchecked Sendable {
        let log = Recorder<String>()

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error
        ) async -> RetryResult {
            log.add("async")
            return await super.retry(request, for: session, dueTo: error)
        }

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping Decided
        ) {
            log.add("completion")
            super.retry(request, for: session, dueTo: error, completion: completion)
        }
    }

    @Test("a class that overrides both forms is answered, and neither is called twice")
    func both() async {
        let policy = BothForms(retryLimit: 1)
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [policy]
        rig.stub.on("/**", .status(503))
        #expect(await rig.get(on: clock) != nil)
        #expect(rig.stub.requests.count == 2)
        #expect(policy.log.all == ["async", "completion", "async", "completion"])
    }

    // MARK: What an override must not lose

    @Test("a request that an override sends through the same manager is adapted by it, too")
    func inner() async {
        final class KeyAdapter: Adapter, @unchecked Sendable {
            override func adapt(
                _ urlRequest: URLRequest, for session: Session,
                completion: @escaping FormSubclass.Adapted
            ) {
                let request = urlRequest.stamped("key")
                guard request.url?.path != "/token" else { return completion(.success(request)) }
                session.get("token", serializer: .http) { _ in
                    super.adapt(request, for: session, completion: completion)
                }
            }
        }
        let rig = StubRig(clock: clock)
        rig.stub.on("/**", .good)
        rig.manager.interceptors = [
            KeyAdapter { request, _, completion in completion(.success(request.stamped("own"))) }
        ]
        #expect(await rig.get(on: clock) == nil)
        let stamps = rig.stub.requests.map { "\($0.path) \($0.headers["X-Stamp"] ?? "")" }
        #expect(stamps == ["/token key", "/a key,own"])
    }

    @Test("an override that does not wait runs on the thread that resumes the task")
    func thread() async {
        let threads = Recorder<pthread_t>()
        let policy = FormSubclass.CompletionPolicy()
        let last = LoggingInterceptor(adapt: { request, _ in
            threads.add(pthread_self())
            return request
        })
        let rig = SessionRig()
        rig.manager.interceptors = [policy, last]
        let task = rig.task()
        await onOwnThread {
            task.resume()
            #expect(threads.all == [pthread_self()])
        }
        await rig.stub.exchange().reply()
        await rig.expectOneCompletion()
    }

    @Test("a subclass of any class gets the end of each attempt")
    func ends() async {
        final class Ends: RetryPolicy, @unchecked Sendable {
            let numbers = Recorder<Int>()

            override func attemptDidEnd(_ attempt: EndedAttempt) {
                super.attemptDidEnd(attempt)
                numbers.add(attempt.number)
            }
        }
        let policy = Ends(retryLimit: 2)
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [policy]
        rig.stub.on("/**", .status(503))
        #expect(await rig.get(on: clock) != nil)
        await clock.idle()
        #expect(policy.numbers.all == [1, 2, 3])
    }
}
