/// A queue of timers in the order of their deadlines.
///
/// Timers with equal deadlines keep the order in which they were added. Adding or removing a timer
/// takes logarithmic time. Removing a timer returns its closure, so that the owner of the queue can
/// release it outside its lock.
package struct TimerQueue {
    /// A closure to call at a deadline.
    package typealias Action = @Sendable () -> Void

    /// A binary heap.
    private var timers: [QueuedTimer] = []
    private var lastNumber: UInt64 = 0

    package init() {}

    package var count: Int { timers.count }

    /// The deadline of the first timer.
    package var firstDeadline: Duration? { timers.first?.deadline }

    package mutating func add(at deadline: Duration, _ action: @escaping Action) -> QueuedTimer {
        lastNumber += 1
        let timer = QueuedTimer(deadline: deadline, number: lastNumber, action: action)
        timer.index = timers.count
        timers.append(timer)
        moveUp(from: timer.index)
        return timer
    }

    /// Removes a timer and returns its action, or nil if the timer is no longer in the queue.
    package mutating func remove(_ timer: QueuedTimer) -> Action? {
        let index = timer.index
        guard timers.indices.contains(index), timers[index] === timer else { return nil }
        timer.index = -1
        let last = timers.removeLast()
        if last !== timer {
            put(last, at: index)
            moveUp(from: index)
            moveDown(from: last.index)
        }
        return timer.action.take()
    }

    /// Removes the first timer if it is due at a time, and returns its deadline and action.
    package mutating func takeFirst(dueAt time: Duration) -> (deadline: Duration, action: Action)? {
        guard let first = timers.first, first.deadline <= time, let action = remove(first) else {
            return nil
        }
        return (first.deadline, action)
    }

    private mutating func put(_ timer: QueuedTimer, at index: Int) {
        timers[index] = timer
        timer.index = index
    }

    private mutating func moveUp(from start: Int) {
        let timer = timers[start]
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard timer.isBefore(timers[parent]) else { break }
            put(timers[parent], at: index)
            index = parent
        }
        if index != start { put(timer, at: index) }
    }

    private mutating func moveDown(from start: Int) {
        let timer = timers[start]
        var index = start
        while true {
            var child = index * 2 + 1
            guard child < timers.count else { break }
            if child + 1 < timers.count, timers[child + 1].isBefore(timers[child]) { child += 1 }
            guard timers[child].isBefore(timer) else { break }
            put(timers[child], at: index)
            index = child
        }
        if index != start { put(timer, at: index) }
    }
}

// Sendable: only the queue reads and writes the variables, under the lock of the queue's owner.
/// A timer that is, or was, in one ``TimerQueue``.
package final class QueuedTimer: @unchecked Sendable {
    package let deadline: Duration
    private let number: UInt64
    /// The position in the queue, or -1 outside it.
    fileprivate var index = -1
    fileprivate var action: TimerQueue.Action?

    fileprivate init(deadline: Duration, number: UInt64, action: @escaping TimerQueue.Action) {
        self.deadline = deadline
        self.number = number
        self.action = action
    }

    fileprivate func isBefore(_ other: QueuedTimer) -> Bool {
        deadline != other.deadline ? deadline < other.deadline : number < other.number
    }
}
