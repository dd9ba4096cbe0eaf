/// Timers in the order of their deadlines; equal deadlines keep the order in which they were added.
struct ManualTimers {
    /// A closure to call at a deadline.
    typealias Action = @Sendable () -> Void

    /// The key of a timer, which sorts timers by deadline and then by number.
    struct Timer: Comparable {
        let deadline: Duration
        let number: UInt64

        static func < (left: Self, right: Self) -> Bool {
            (left.deadline, left.number) < (right.deadline, right.number)
        }
    }

    private var entries: [(timer: Timer, action: Action)] = []
    private var lastNumber: UInt64 = 0

    var count: Int { entries.count }
    var nextDeadline: Duration? { entries.first?.timer.deadline }

    mutating func add(at deadline: Duration, _ action: @escaping Action) -> Timer {
        lastNumber += 1
        let timer = Timer(deadline: deadline, number: lastNumber)
        entries.insert((timer, action), at: place(of: timer))
        return timer
    }

    /// Removes a timer and returns its action; returns nil if it was already removed.
    mutating func remove(_ timer: Timer) -> Action? {
        let place = place(of: timer)
        guard place < entries.count, entries[place].timer == timer else { return nil }
        return entries.remove(at: place).action
    }

    /// Removes the first timer if it is due by a given time, and returns its deadline and action.
    mutating func takeFirst(dueAt time: Duration) -> (deadline: Duration, action: Action)? {
        guard let first = entries.first, first.timer.deadline <= time else { return nil }
        entries.removeFirst()
        return (first.timer.deadline, first.action)
    }

    /// Returns the index of the first entry that is not before a timer.
    private func place(of timer: Timer) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].timer < timer { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
