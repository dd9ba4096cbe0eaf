public import Foundation

/// Limits the retries to each origin to a share of the requests to that origin.
///
/// The first attempt of each request adds a tenth of a retry to the budget of its origin, up to ten
/// retries. Each retry takes a whole one. A new origin starts with one retry. Time adds nothing to
/// a budget, because a fleet of many quiet processes could then retry every request in an outage.
/// In an outage, retries add at most 10% to the number of requests, plus up to ten saved retries
/// per process and origin.
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
    }

    /// A balance in millionths of a retry, because tenths do not add up exactly in binary.
    private struct Account {
        static let unit = 1_000_000.0
        static let retry = Int(unit)

        var balance: Int
        var requestCount = 0
        var retryCount = 0
        var refusalCount = 0
    }

    private let share: Int
    private let maximum: Int
    private let accounts: Locked<RecentEntries<AuthenticationOrigin, Account>>

    /// Creates a budget.
    ///
    /// If there are more origins than `maximumOrigins`, the budget forgets the least recently used
    /// ones. From then on, new origins start with no retry instead of one, because the budget
    /// cannot know whether it has seen them before.
    ///
    /// - Parameters:
    ///   - retriesPerRequest: The share of a retry that each request adds. The default is 0.1. The
    ///     maximum is `maximumRetries`. A negative number or NaN counts as 0.
    ///   - maximumRetries: The maximum number of retries that an origin can save. The default is
    ///     10. The maximum is one million. A negative number or NaN counts as 0.
    ///   - maximumOrigins: The number of origins to remember. The default is 10,000. The minimum is
    ///     2.
    public init(
        retriesPerRequest: Double = 0.1, maximumRetries: Double = 10, maximumOrigins: Int = 10_000
    ) {
        // Comparisons with NaN are false.
        let most = maximumRetries > 0 ? min(maximumRetries, 1_000_000) : 0
        let each = retriesPerRequest > 0 ? min(retriesPerRequest, most) : 0
        share = Int((each * Account.unit).rounded())
        maximum = Int((most * Account.unit).rounded())
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
        return State(
            availableRetries: Double(account.balance) / Account.unit,
            requestCount: account.requestCount, retryCount: account.retryCount,
            refusalCount: account.refusalCount)
    }

    /// Counts the first attempt of a request.
    ///
    /// ``RetryPolicy`` calls this method. Call it from your own retriers.
    ///
    /// - Parameter url: The URL of the request, before redirects.
    public func recordRequest(to url: URL) {
        change(url) { account in
            account.requestCount += 1
            account.balance = min(account.balance + share, maximum)
        }
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
        Account(balance: hasForgotten ? 0 : min(Account.retry, maximum))
    }
}
