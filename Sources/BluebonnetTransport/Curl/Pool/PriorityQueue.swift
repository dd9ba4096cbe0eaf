/// The position of a member in a ``PriorityQueue``, which can be in only one at a time.
struct QueuePosition {
    fileprivate var index = -1
    fileprivate var share = 0
    fileprivate var priority: Float = 0
    fileprivate var number: Int64 = 0

    /// Whether it is in a queue.
    var isQueued: Bool { index >= 0 }
}

/// A member of a queue.
protocol QueueMember: AnyObject {
    var position: QueuePosition { get set }
}

/// A queue ordered by the smallest share, then the highest priority, then the order of arrival.
///
/// Adding, moving, and removing a member take logarithmic time.
final class PriorityQueue<Member: QueueMember> {
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) private var heap: [Member] = []
    private var lastNumber: Int64 = 0
    /// The last number of a member that was added before the others.
    private var lastEarlyNumber = Int64.min

    var isEmpty: Bool { heap.isEmpty }
    var count: Int { heap.count }
    var first: Member? { heap.first }

    /// Adds a member that is in no queue after all members of its share and priority.
    ///
    /// The share is how much the member already has of the resource that the members wait for.
    func append(_ member: Member, share: Int = 0, priority: Float) {
        lastNumber += 1
        insert(member, share: share, priority: priority, number: lastNumber)
    }

    /// Adds a member that is in no queue before all members of its priority, except those that were
    /// added so before.
    func prepend(_ member: Member, priority: Float) {
        lastEarlyNumber += 1
        insert(member, share: 0, priority: priority, number: lastEarlyNumber)
    }

    private func insert(_ member: Member, share: Int, priority: Float, number: Int64) {
        let index = heap.count
        member.position = QueuePosition(
            index: index, share: share, priority: usable(priority), number: number)
        heap.append(member)
        moveUp(from: index)
    }

    /// Returns the first member that meets a condition, found in linear time.
    func first(where condition: (Member) -> Bool) -> Member? {
        heap.filter(condition).min { isBefore($0.position, $1.position) }
    }

    /// The member that was added before all others, found in linear time.
    var oldest: Member? { heap.min { $0.position.number < $1.position.number } }

    func popFirst() -> Member? {
        guard let first = heap.first else { return nil }
        remove(first)
        return first
    }

    /// Removes a member, if it is in this queue.
    func remove(_ member: Member) {
        let index = member.position.index
        guard contains(member) else { return }
        member.position = QueuePosition()
        let last = heap.removeLast()
        guard last !== member else { return }
        put(last, at: index)
        moveUp(from: index)
        moveDown(from: last.position.index)
    }

    /// Changes the priority and the share of a member.
    ///
    /// Among members with the same share and priority, it keeps its order of arrival.
    func setPriority(_ priority: Float, share: Int = 0, of member: Member) {
        guard contains(member),
            member.position.priority != usable(priority) || member.position.share != share
        else { return }
        member.position.priority = usable(priority)
        member.position.share = share
        moveUp(from: member.position.index)
        moveDown(from: member.position.index)
    }

    private func contains(_ member: Member) -> Bool {
        heap.indices.contains(member.position.index) && heap[member.position.index] === member
    }

    /// Returns a priority between 0 and 1, and 0.5 for NaN.
    private func usable(_ priority: Float) -> Float {
        priority.isNaN ? 0.5 : min(max(priority, 0), 1)
    }

    private func isBefore(_ left: QueuePosition, _ right: QueuePosition) -> Bool {
        if left.share != right.share { return left.share < right.share }
        return left.priority != right.priority
            ? left.priority > right.priority : left.number < right.number
    }

    private func put(_ member: Member, at index: Int) {
        heap[index] = member
        member.position.index = index
    }

    private func moveUp(from start: Int) {
        let member = heap[start]
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard isBefore(member.position, heap[parent].position) else { break }
            put(heap[parent], at: index)
            index = parent
        }
        if index != start { put(member, at: index) }
    }

    private func moveDown(from start: Int) {
        let member = heap[start]
        var index = start
        while true {
            var child = index * 2 + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, isBefore(heap[child + 1].position, heap[child].position) {
                child += 1
            }
            guard isBefore(heap[child].position, member.position) else { break }
            put(heap[child], at: index)
            index = child
        }
        if index != start { put(member, at: index) }
    }
}
