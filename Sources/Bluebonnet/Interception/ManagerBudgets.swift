/// A retry budget for each manager that is alive.
final class ManagerBudgets: Sendable {
    private struct Entry {
        weak var manager: Session?
        let budget: RetryBudget
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])

    /// How many budgets are kept, those of managers that were released since the last new one included.
    var count: Int { entries.withLock { $0.count } }

    func budget(of manager: Session) -> RetryBudget {
        let key = ObjectIdentifier(manager)
        let (budget, held) = entries.withLock { entries -> (RetryBudget, [Session]) in
            // A new manager may be at the address of a former one.
            if let entry = entries[key], entry.manager === manager { return (entry.budget, []) }
            var held: [Session] = []
            entries = entries.filter { _, entry in
                guard let manager = entry.manager else { return false }
                held.append(manager)
                return true
            }
            let budget = RetryBudget()
            entries[key] = Entry(manager: manager, budget: budget)
            return (budget, held)
        }
        // Released outside of the lock, since a manager's deinit can run anything.
        withExtendedLifetime(held) {}
        return budget
    }
}
