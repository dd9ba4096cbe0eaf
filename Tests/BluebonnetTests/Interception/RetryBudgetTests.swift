import BluebonnetTestSupport
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Retry budgets", .timeLimit(.minutes(5)))
struct RetryBudgetTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("an origin starts with one retry, and ten requests add another, up to ten")
    func amounts() throws {
        let (budget, url) = (RetryBudget(), try url("http://a.test/"))
        #expect(budget.state(for: url).availableRetries == 1 && budget.originCount == 0)
        #expect(budget.takeRetry(to: url) && !budget.takeRetry(to: url))
        for _ in 0..<9 { budget.recordRequest(to: url) }
        #expect(budget.state(for: url).availableRetries == 0.9)
        #expect(!budget.takeRetry(to: url))
        budget.recordRequest(to: url)
        #expect(budget.takeRetry(to: url) && !budget.takeRetry(to: url))
        for _ in 0..<1000 { budget.recordRequest(to: url) }
        let state = budget.state(for: url)
        #expect(state.availableRetries == 10 && state.requestCount == 1010)
        #expect(state.retryCount == 2 && state.refusalCount == 3)
        #expect((0..<20).filter { _ in budget.takeRetry(to: url) }.count == 10)
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
                        available >= 0 && available <= max(0, min(maximum, 1e6)) || maximum.isNaN)
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
        var retryCount = 0
        for round in 0..<3 {
            for url in urls {
                budget.recordRequest(to: url)
                if budget.takeRetry(to: url) { retryCount += 1 }
                #expect(budget.originCount <= 100)
            }
            // Origins in use are not forgotten.
            #expect(retryCount <= 100, "round \(round)")
        }
        #expect(retryCount == 100)
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
        #expect(granted <= 801 && state.retryCount + state.refusalCount == 8000)
        #expect(state.availableRetries < 1)
    }

    @Test("retries never exceed one plus a tenth of the requests")
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
            let bound = 1 + Double(state.requestCount) / 10
            #expect(Double(state.retryCount) <= bound, "BLUEBONNET_SEED=\(seed)")
        }
    }

    /// A fleet of processes that send one request a second each, to a server that fails them all.
    private struct Outage {
        let budgets: [RetryBudget]
        let url: URL

        /// Returns the number of requests sent per request made.
        func load(seconds: Int, isServerDown: Bool = true) -> Double {
            var count = 0
            for _ in 0..<seconds {
                for budget in budgets {
                    budget.recordRequest(to: url)
                    count += 1
                    guard isServerDown else { continue }
                    for _ in 0..<RetryPolicy.defaultRetryLimit where budget.takeRetry(to: url) {
                        count += 1
                    }
                }
            }
            return Double(count) / Double(seconds * budgets.count)
        }
    }

    @Test("during an outage, 1,000 processes at one request a second send 10% more requests")
    func outage() throws {
        let budgets = (0..<1000).map { _ in RetryBudget() }
        let fleet = Outage(budgets: budgets, url: try url("http://a.test/"))
        // A floor of 0.1 retries a second would give 1.5, and one of a whole retry 2.33.
        #expect(fleet.load(seconds: 120) < 1.11)
        #expect((1.09...1.101).contains(fleet.load(seconds: 60)))
    }

    @Test("saved retries are spent once")
    func savings() throws {
        let budgets = (0..<100).map { _ in RetryBudget() }
        let fleet = Outage(budgets: budgets, url: try url("http://a.test/"))
        #expect(fleet.load(seconds: 200, isServerDown: false) == 1)
        // Ten for each process, plus 10%.
        #expect(fleet.load(seconds: 60) <= 1 + 10.0 / 60 + 0.1)
        #expect((1.09...1.101).contains(fleet.load(seconds: 60)))
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
