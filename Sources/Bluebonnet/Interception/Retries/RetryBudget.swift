import BluebonnetTransport
public import Foundation

/// Limits the retries to each origin to a share of the requests to that origin.
///
/// The first attempt of each request adds a tenth of a retry to the budget of its origin. Each retry
/// takes a whole one. A new origin starts with two retries. An origin can save two retries, or as
/// many as it received requests in about the last 1.5 seconds, if that is more. Time adds nothing
/// to a budget, because a fleet of many quiet processes could then retry every request in an
/// outage. In an outage of half a minute, retries add at most 15% to the number of requests, and 10%
/// of those that follow.
///
/// The budget counts the requests and the retries of ``RetryPolicy``. It ignores retries that other
/// retriers request.
///
/// An origin is a scheme, a host and a port. Policies and managers can share a budget and use it on
/// any thread. It remembers a bounded number of origins.
public final class RetryBudget: Sendable {
    /// The state of an origin's budget.
    public struct State: Sendable, Hashable {
        /// The number of retries that the budget would pay for now.
        public let availableRetries: Double
        /// The number of requests counted, excluding retries.
        public let requestCount: Int
        /// The number of retries that the budget has paid for.
        public let retryCount: Int
        /// The number of retries that the budget has refused.
        public let refusalCount: Int

        fileprivate init(_ account: Account) {
            availableRetries = Double(account.balance) / Account.unit
            requestCount = account.requestCount
            retryCount = account.retryCount
            refusalCount = account.refusalCount
        }
    }

    /// A balance in millionths of a retry, because tenths do not add up exactly in binary.
    fileprivate struct Account {
        /// The time in seconds after which a request counts as 1/e of one.
        ///
        /// The recent requests are then about those of that time.
        private static let memory = 1.5
        static let unit = 1_000_000.0
        static let retry = Int(unit)

        var balance: Int
        /// The number of recent requests; the older a request, the less it counts.
        var recentCount = 0.0
        /// The time of the last request on the clock.
        var lastRequest = Duration.zero
        var requestCount = 0
        var retryCount = 0
        var refusalCount = 0

        mutating func noteRequest(at now: Duration) {
            // A budget can be shared by threads, whose times do not arrive in order.
            let elapsed = max(0, (now - lastRequest) / .seconds(1))
            recentCount = 1 + recentCount * exp(-elapsed / Self.memory)
            lastRequest = max(now, lastRequest)
        }
    }

    private let share: Int
    /// What an origin with few requests can save.
    private let maximum: Int
    private let clock: any SessionClock
    private let accounts: Locked<RecentEntries<AuthenticationOrigin, Account>>

    /// Creates a budget.
    ///
    /// If there are more origins than `maximumOrigins`, the budget forgets the least recently used
    /// ones. From then on, new origins start with no retry, because the budget cannot know whether
    /// it has seen them before.
    ///
    /// - Parameters:
    ///   - retriesPerRequest: The share of a retry that each request adds. The default is 0.1. The
    ///     maximum is `maximumRetries`. A negative number or NaN counts as 0.
    ///   - maximumRetries: The number of retries that an origin starts with, and can always save.
    ///     The default is 2. The maximum is one million. With 0, a negative number, or NaN, no
    ///     request is retried.
    ///   - maximumOrigins: The number of origins to remember. The default is 10,000. The minimum is
    ///     2.
    ///   - clock: The clock on which requests are recent. The default is the system's.
    public init(
        retriesPerRequest: Double = 0.1, maximumRetries: Double = 2, maximumOrigins: Int = 10_000,
        clock: any SessionClock = .system
    ) {
        // Comparisons with NaN are false.
        let most = maximumRetries > 0 ? min(maximumRetries, 1_000_000) : 0
        let each = retriesPerRequest > 0 ? min(retriesPerRequest, most) : 0
        share = Int((each * Account.unit).rounded())
        maximum = Int((most * Account.unit).rounded())
        self.clock = clock
        accounts = Locked(RecentEntries(maximumCount: maximumOrigins))
    }

    /// The number of origins that the budget remembers.
    public var originCount: Int { accounts.withLock { $0.count } }

    /// Returns the state of the budget for a URL's origin.
    ///
    /// - Parameter url: Any URL of the origin.
    /// - Returns: The current state, or the initial state for an unused origin.
    public func state(for url: URL) -> State {
        let account = accounts.withLock { accounts in
            AuthenticationOrigin(url.absoluteURL).flatMap { accounts[$0] }
                ?? newAccount(accounts.hasForgotten)
        }
        return State(account)
    }

    /// The states for all origins that the budget remembers.
    var states: [(origin: AuthenticationOrigin, state: State)] {
        accounts.withLock { $0.all }.map { ($0.key, State($0.value)) }
    }

    /// Counts the first attempt of a request.
    ///
    /// ``RetryPolicy`` calls this method. Call it from your own retriers.
    ///
    /// - Parameter url: The URL of the request, before redirects.
    public func recordRequest(to url: URL) {
        let now = clock.now
        change(url) { account in
            account.requestCount += 1
            account.noteRequest(at: now)
            account.balance = min(account.balance + share, limit(of: account))
        }
    }

    /// Returns what an origin can save.
    private func limit(of account: Account) -> Int {
        guard maximum > 0 else { return 0 }
        return max(maximum, Int(min(account.recentCount, 1_000_000) * Account.unit))
    }

    /// Takes a retry from the budget, if there is one.
    ///
    /// ``RetryPolicy`` calls this method. Call it from your own retriers, after all other checks.
    ///
    /// - Parameter url: The URL of the request, before redirects.
    /// - Returns: Whether the budget pays for the retry. False for a URL without a host.
    public func takeRetry(to url: URL) -> Bool {
        change(url) { account in
            guard account.balance >= Account.retry else {
                account.refusalCount += 1
                return false
            }
            account.balance -= Account.retry
            account.retryCount += 1
            return true
        } ?? false
    }

    @discardableResult
    private func change<Result>(_ url: URL, _ change: (inout Account) -> Result) -> Result? {
        guard let origin = AuthenticationOrigin(url.absoluteURL) else { return nil }
        return accounts.withLock { accounts in
            accounts.change(origin, default: newAccount, change)
        }
    }

    private func newAccount(_ hasForgotten: Bool) -> Account {
        Account(balance: hasForgotten ? 0 : maximum)
    }
}
