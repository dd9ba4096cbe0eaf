/// A binary min-heap of deadlines.
///
/// Entries are never removed early. The handler of an expired entry must check that its subject
/// still waits for it.
struct TimerQueue {
    struct Entry {
        var deadline: MonotonicTime
        /// Makes equal deadlines expire in the order in which they were added.
        var sequence: UInt64
        var subject: UInt64
        var generation: Int

        fileprivate func precedes(_ other: Entry) -> Bool {
            (deadline.nanoseconds, sequence) < (other.deadline.nanoseconds, other.sequence)
        }
    }

    private var heap: [Entry] = []
    private var nextSequence: UInt64 = 0

    var earliestDeadline: MonotonicTime? { heap.first?.deadline }

    mutating func add(deadline: MonotonicTime, subject: UInt64, generation: Int) {
        heap.append(
            Entry(
                deadline: deadline, sequence: nextSequence, subject: subject,
                generation: generation))
        nextSequence += 1
        siftUp(from: heap.count - 1)
    }

    mutating func popExpired(at now: MonotonicTime) -> Entry? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown(from: 0)
        }
        return first
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].precedes(heap[smallest]) {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
