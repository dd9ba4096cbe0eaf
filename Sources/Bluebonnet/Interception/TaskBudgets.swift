import Foundation

/// The retry budgets that a task has used, each of which counts its request once.
struct TaskBudgets {
    private var counted: [RetryBudget] = []
    private var refusing: [RetryBudget] = []
    /// The attempt whose retry was refused.
    private var refusedAttempt = 0

    /// Notes that a budget counts the request; false if it has done so.
    fileprivate mutating func count(in budget: RetryBudget) -> Bool {
        if counted.contains(where: { $0 === budget }) { return false }
        counted.append(budget)
        return true
    }

    /// Whether a budget has refused the retry of an attempt.
    fileprivate func hasRefused(_ attempt: Int, by budget: RetryBudget) -> Bool {
        attempt == refusedAttempt && refusing.contains { $0 === budget }
    }

    /// Notes that a budget refuses the retry of an attempt.
    fileprivate mutating func noteRefusal(of attempt: Int, by budget: RetryBudget) {
        if attempt != refusedAttempt { (refusedAttempt, refusing) = (attempt, []) }
        refusing.append(budget)
    }
}

extension Request {
    /// Counts the request in a budget, unless that has counted it.
    func record(in budget: RetryBudget, to url: URL) {
        guard delegate.state.withLock({ $0.budgets.count(in: budget) }) else { return }
        budget.recordRequest(to: url)
    }

    /// Has a budget pay for a retry, which it refuses at most once an attempt.
    func takeRetry(from budget: RetryBudget, to url: URL) -> Bool {
        let attempt = attemptNumber
        if delegate.state.withLock({ $0.budgets.hasRefused(attempt, by: budget) }) { return false }
        if budget.takeRetry(to: url) { return true }
        delegate.state.withLock { $0.budgets.noteRefusal(of: attempt, by: budget) }
        return false
    }
}
