public import Foundation

/// Limits the retries to each origin to a share of the requests to it.
///
/// Each first attempt adds a tenth of a retry to the budget of its origin, up to ten retries, and each retry takes a
/// whole one. An origin begins with one retry. Nothing but requests adds to a budget: with an allowance for each
/// second, a fleet of many quiet processes would retry everything in an outage. An outage is answered with at most a
/// tenth more requests, and with ten retries for each process at its beginning.
///
/// It counts the requests and the retries of ``RetryPolicy``, and ignores retries that other retriers order.
///
/// An origin is a scheme, a host and a port. The budget may be shared by policies and managers, and used on any thread.
/// It remembers a bounded number of origins.
public final class RetryBudget: Sendable {
    /// The state of an origin.
    public struct State: Sendable, Hashable {
        /// How many retries it would pay for now.
        public let availableRetries: Double
        /// How many requests were counted, retries not included.
        public let requestCount: Int
        /// How many retries it has paid for.
        public let retryCount: Int
        /// How many retries it has refused.
        public let refusalCount: Int
    }

    /// Counts millionths of a retry, since tenths do not add up exactly in binary.
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
    /// When there are more origins than `maximumOrigins`, those that were not used for the longest time are
    /// forgotten. From then on origins begin with nothing rather than with one retry, since the budget cannot know
    /// whether they were there before.
    ///
    /// - Parameters:
    ///   - retriesPerRequest: The part of a retry that each request adds. Default 0.1. It is at most
    ///     `maximumRetries`; a negative number or NaN counts as 0.
    ///   - maximumRetries: The most retries that an origin can save up. Default 10. It is at most a million; a negative
    ///     number or NaN counts as 0.
    ///   - maximumOrigins: The number of origins that are remembered. Default 10,000. It is at least 2.
    public init(
        retriesPerRequest: Double = 0.1, maximumRetries: Double = 10, maximumOrigins: Int = 10_000
    ) {
        // NaN compares false.
        let most = maximumRetries > 0 ? min(maximumRetries, 1_000_000) : 0
        let each = retriesPerRequest > 0 ? min(retriesPerRequest, most) : 0
        share = Int((each * Account.unit).rounded())
        maximum = Int((most * Account.unit).rounded())
        accounts = Locked(RecentEntries(maximumCount: maximumOrigins))
    }

    /// How many origins are remembered.
    public var originCount: Int { accounts.withLock { $0.count } }

    /// Returns the state of a URL's origin.
    ///
    /// - Parameter url: Any URL of the origin.
    /// - Returns: The state now. For an unused origin, its initial state.
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
    /// ``RetryPolicy`` calls it. Call it from retriers of your own.
    ///
    /// - Parameter url: The URL of the request, before redirects.
    public func recordRequest(to url: URL) {
        change(url) { account in
            account.requestCount += 1
            account.balance = min(account.balance + share, maximum)
        }
    }

    /// Pays for a retry.
    ///
    /// ``RetryPolicy`` calls it. Call it from retriers of your own, last of all.
    ///
    /// - Parameter url: The URL of the request, before redirects.
    /// - Returns: Whether the budget pays for it. False for a URL without a host.
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
