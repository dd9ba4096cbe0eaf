/// The retry budgets of all live managers.
final class ManagerBudgets: Sendable {
    private struct Entry {
        weak var manager: Session?
        let budget: RetryBudget
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])

    /// The number of stored budgets.
    ///
    /// It includes those of managers released since the last budget was added.
    var count: Int { entries.withLock { $0.count } }

    func budget(of manager: Session) -> RetryBudget {
        let (key, clock) = (ObjectIdentifier(manager), manager.clock)
        let (budget, held) = entries.withLock { entries -> (RetryBudget, [Session]) in
            // A new manager can have the address of a released one.
            if let entry = entries[key], entry.manager === manager { return (entry.budget, []) }
            var held: [Session] = []
            entries = entries.filter { _, entry in
                guard let manager = entry.manager else { return false }
                held.append(manager)
                return true
            }
            let budget = RetryBudget(clock: clock)
            entries[key] = Entry(manager: manager, budget: budget)
            return (budget, held)
        }
        // Released outside the lock, because a manager's deinitializer can run user code.
        withExtendedLifetime(held) {}
        return budget
    }
}
