import BluebonnetTestSupport
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Retry budgets", .timeLimit(.minutes(5)))
struct RetryBudgetTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("an origin starts with two retries, ten requests add another, and no more are saved")
    func amounts() async throws {
        let (clock, url) = (ManualClock(), try url("http://a.test/"))
        let budget = RetryBudget(clock: clock)
        #expect(budget.state(for: url).availableRetries == 2 && budget.originCount == 0)
        #expect(budget.takeRetry(to: url) && budget.takeRetry(to: url))
        #expect(!budget.takeRetry(to: url))
        for _ in 0..<9 { budget.recordRequest(to: url) }
        #expect(budget.state(for: url).availableRetries == 0.9)
        #expect(!budget.takeRetry(to: url))
        budget.recordRequest(to: url)
        #expect(budget.takeRetry(to: url) && !budget.takeRetry(to: url))
        for _ in 0..<100 {
            await clock.advance(by: .seconds(5))
            budget.recordRequest(to: url)
        }
        let state = budget.state(for: url)
        #expect(state.availableRetries == 2 && state.requestCount == 110)
        #expect(state.retryCount == 3 && state.refusalCount == 3)
        #expect((0..<20).filter { _ in budget.takeRetry(to: url) }.count == 2)
    }

    @Test("a busy origin saves about as many retries as it received requests in 1.5 seconds")
    func traffic() async throws {
        let (clock, url) = (ManualClock(), try url("http://a.test/"))
        let budget = RetryBudget(clock: clock)
        for _ in 0..<10_000 {
            await clock.advance(by: .milliseconds(10))
            budget.recordRequest(to: url)
        }
        #expect((149...152).contains(budget.state(for: url).availableRetries))
        // Ten minutes later, it is a quiet one.
        await clock.advance(by: .seconds(600))
        budget.recordRequest(to: url)
        #expect(budget.state(for: url).availableRetries == 2)
    }

    @Test("an origin is scheme, host in lowercase, and port")
    func origins() throws {
        let budget = RetryBudget()
        let same = ["http://A.test/x?y", "http://a.TEST:80", "HTTP://a.test/#z"]
        for text in same { budget.recordRequest(to: try url(text)) }
        let relative = try #require(URL(string: "b", relativeTo: url("http://a.test/c/")))
        budget.recordRequest(to: relative)
        #expect(budget.originCount == 1)
        #expect(budget.state(for: try url("http://a.test")).requestCount == 4)
        for text in ["https://a.test", "http://a.test:81", "http://b.test"] {
            #expect(budget.takeRetry(to: try url(text)))
            #expect(budget.state(for: try url(text)).availableRetries == 1)
        }
        #expect(budget.originCount == 4)
        #expect(try budget.state(for: url("https://a.test:443")).retryCount == 1)
    }

    @Test("a URL without a host has no budget")
    func noOrigin() throws {
        let budget = RetryBudget()
        for text in ["mailto:a@b.test", "file:///a", "/a", "http:///a"] {
            let url = try url(text)
            budget.recordRequest(to: url)
            #expect(!budget.takeRetry(to: url), "\(text)")
        }
        #expect(budget.originCount == 0)
    }

    @Test("invalid numbers are harmless")
    func nonsense() throws {
        let url = try url("http://a.test/")
        let numbers: [Double] = [.nan, -.infinity, -1, 0, .infinity, .greatestFiniteMagnitude, 0.3]
        for share in numbers {
            for maximum in numbers {
                for count in [Int.min, -1, 0, 1, 3] {
                    let budget = RetryBudget(
                        retriesPerRequest: share, maximumRetries: maximum, maximumOrigins: count)
                    for _ in 0..<20 { budget.recordRequest(to: url) }
                    let available = budget.state(for: url).availableRetries
                    #expect(
                        available >= 0 && available <= max(0, min(maximum, 1e6)) + 20
                            || maximum.isNaN)
                    #expect(budget.takeRetry(to: url) == (available >= 1))
                }
            }
        }
        #expect(!RetryBudget(retriesPerRequest: 1, maximumRetries: .nan).takeRetry(to: url))
    }

    @Test("memory is bounded for any number of origins, and forgetting one adds no retries")
    func memory() throws {
        let budget = RetryBudget(maximumOrigins: 100)
        let urls = try (0..<1000).map { try url("http://host\($0).test/") }
        // Each of the origins that are remembered first has two.
        var retryCount = 0
        for round in 0..<3 {
            for url in urls {
                budget.recordRequest(to: url)
                for _ in 0..<3 where budget.takeRetry(to: url) { retryCount += 1 }
                #expect(budget.originCount <= 100)
            }
            // Origins in use are not forgotten.
            #expect(retryCount <= 200, "round \(round)")
        }
        #expect(retryCount == 200)
    }

    @Test("an origin that is used regularly is remembered among many others")
    func recency() throws {
        let budget = RetryBudget(maximumOrigins: 100)
        let known = try url("http://known.test/")
        for number in 0..<1000 {
            budget.recordRequest(to: try url("http://host\(number).test/"))
            if number.isMultiple(of: 40) { budget.recordRequest(to: known) }
        }
        #expect(budget.state(for: known).requestCount == 25)
    }

    @Test("many threads together take no more retries than available")
    func threads() async throws {
        let (budget, url) = (RetryBudget(), try url("http://a.test/"))
        let granted = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<1000).reduce(0) { count, _ in
                        budget.recordRequest(to: url)
                        return count + (budget.takeRetry(to: url) ? 1 : 0)
                    }
                }
            }
            return await group.reduce(0, +)
        }
        let state = budget.state(for: url)
        #expect(state.requestCount == 8000 && state.retryCount == granted)
        #expect(granted <= 802 && state.retryCount + state.refusalCount == 8000)
        #expect(state.availableRetries < 1)
    }

    @Test("retries never exceed two plus a tenth of the requests")
    func share() throws {
        let seed = SeededGenerator.givenSeed ?? .random(in: 0...(.max / 2))
        var random = SeededGenerator(seed: seed)
        let urls = try (0..<5).map { try url("http://host\($0).test/") }
        let budget = RetryBudget(maximumOrigins: 3)
        for _ in 0..<20_000 {
            guard let url = urls.randomElement(using: &random) else { continue }
            if Bool.random(using: &random) {
                budget.recordRequest(to: url)
            } else {
                _ = budget.takeRetry(to: url)
            }
            let state = budget.state(for: url)
            let bound = 2 + Double(state.requestCount) / 10
            #expect(Double(state.retryCount) <= bound, "BLUEBONNET_SEED=\(seed)")
        }
    }

    /// Returns the number of requests that a server receives in an outage of 30 seconds, per request
    /// that is made.
    private func load(
        managers: Int, perSecond: Int, warmedUpFor warmUp: Int
    ) async throws -> Double {
        let (clock, stub) = (ManualClock(), StubTransport())
        var configuration = SessionConfiguration()
        configuration.clock = clock
        let url = try url("http://a.test/")
        let counts = Locked((made: 0, sent: 0))
        stub.on("/") { _ in
            let isDown = clock.now >= .seconds(warmUp)
            if isDown { counts.withLock { $0.sent += 1 } }
            return StubResponse(isDown ? 503 : 200)
        }
        let fleet = (0..<managers).map { _ in
            let manager = HTTPSessionManager(configuration: configuration, transport: stub)
            manager.interceptors = [.server]
            return manager
        }
        let interval = Duration.seconds(1) / perSecond
        for number in 0..<(warmUp + 30) * perSecond {
            for manager in fleet { manager.dataTask(with: URLRequest(url: url)) { _ in }.resume() }
            if number >= warmUp * perSecond { counts.withLock { $0.made += managers } }
            await clock.advance(by: interval)
        }
        // Those that still wait for their retry.
        await clock.advance(by: .seconds(60))
        return counts.withLock { Double($0.sent) / Double($0.made) }
    }

    /// The factor for the size of a fleet, whose managers do not affect one another.
    private static let size =
        ProcessInfo.processInfo.environment["BLUEBONNET_OUTAGE"].flatMap { Int($0) } ?? 1

    @Test("an outage adds a tenth to the load of processes that have just started")
    func coldOutage() async throws {
        let load = try await load(managers: 1 * Self.size, perSecond: 100, warmedUpFor: 0)
        #expect((1.09...1.105).contains(load), "\(load)")
    }

    @Test("an outage adds 15% to the load of processes that have been busy")
    func warmOutage() async throws {
        let load = try await load(managers: 1 * Self.size, perSecond: 100, warmedUpFor: 10)
        #expect((1.10...1.155).contains(load), "\(load)")
    }

    @Test(
        "an outage adds at most 15% to the load of processes at one request a second",
        arguments: [0, 60])
    func quietOutage(warmUp: Int) async throws {
        let load = try await load(managers: 20 * Self.size, perSecond: 1, warmedUpFor: warmUp)
        #expect((1.05...1.15).contains(load), "\(load)")
    }

    @Test("managers have their own budgets, which are released with them")
    func managers() async throws {
        let budgets = ManagerBudgets()
        let first = HTTPSessionManager(transport: StubTransport())
        let budget = budgets.budget(of: first)
        #expect(budgets.budget(of: first) === budget)
        for _ in 0..<20 {
            let manager = HTTPSessionManager(transport: StubTransport())
            let other = budgets.budget(of: manager)
            #expect(other !== budget)
            #expect(other.state(for: try url("http://a.test/")).retryCount == 0)
            #expect(other.takeRetry(to: try url("http://a.test/")))
        }
        // The last one is removed when a new one is created.
        #expect(budgets.count <= 3)
        #expect(budgets.budget(of: first) === budget)
        let policy: RetryPolicy = .server
        #expect(policy.budget(for: first) != nil && policy.budget(for: first) !== budget)
        #expect(RetryPolicy.server === policy)
    }
}
