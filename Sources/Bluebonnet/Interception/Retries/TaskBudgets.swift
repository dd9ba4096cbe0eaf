import Foundation

/// The retry budgets that a task has used, each of which counts the task's request once.
struct TaskBudgets {
    private var counted: [RetryBudget] = []
    private var refusing: [RetryBudget] = []
    /// The attempt whose retry was refused.
    private var refusedAttempt = 0

    /// Records that a budget counts the request, and returns false if it was counted before.
    fileprivate mutating func count(in budget: RetryBudget) -> Bool {
        if counted.contains(where: { $0 === budget }) { return false }
        counted.append(budget)
        return true
    }

    /// Returns whether a budget has refused the retry of an attempt.
    fileprivate func hasRefused(_ attempt: Int, by budget: RetryBudget) -> Bool {
        attempt == refusedAttempt && refusing.contains { $0 === budget }
    }

    /// Records that a budget refuses the retry of an attempt.
    fileprivate mutating func noteRefusal(of attempt: Int, by budget: RetryBudget) {
        if attempt != refusedAttempt { (refusedAttempt, refusing) = (attempt, []) }
        refusing.append(budget)
    }
}

extension Request {
    /// Counts the request in a budget, unless the budget has already counted it.
    func record(in budget: RetryBudget, to url: URL) {
        guard delegate.state.withLock({ $0.rare.budgets.count(in: budget) }) else { return }
        budget.recordRequest(to: url)
    }

    /// Takes a retry from a budget, which refuses at most once per attempt.
    func takeRetry(from budget: RetryBudget, to url: URL) -> Bool {
        let attempt = attemptNumber
        if delegate.state.withLock({ $0.rare.budgets.hasRefused(attempt, by: budget) }) {
            return false
        }
        if budget.takeRetry(to: url) { return true }
        delegate.state.withLock { $0.rare.budgets.noteRefusal(of: attempt, by: budget) }
        return false
    }
}
