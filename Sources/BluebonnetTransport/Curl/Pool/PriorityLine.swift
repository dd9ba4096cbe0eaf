/// Where something stands in a ``PriorityLine``; it can stand in one at a time.
struct LinePlace {
    fileprivate var index = -1
    fileprivate var priority: Float = 0
    fileprivate var number: UInt64 = 0

    /// Whether it stands in a line.
    var isInLine: Bool { index >= 0 }
}

/// Something that can stand in a line.
protocol LineMember: AnyObject {
    var place: LinePlace { get set }
}

/// A line that serves the highest priority first and, within one, those who came first.
///
/// Everything but a look at its front takes logarithmic time, leaving included: nobody who has
/// given up stays in it.
final class PriorityLine<Member: LineMember> {
    // Unchecked: an access to it lets no member go, and so runs no other code.
    @exclusivity(unchecked) private var heap: [Member] = []
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { heap.isEmpty }
    var first: Member? { heap.first }

    /// Puts a member, which stands in no line, behind all of its priority.
    func append(_ member: Member, priority: Float) {
        lastNumber += 1
        let index = heap.count
        member.place = LinePlace(index: index, priority: usable(priority), number: lastNumber)
        heap.append(member)
        moveUp(from: index)
    }

    func popFirst() -> Member? {
        guard let first = heap.first else { return nil }
        remove(first)
        return first
    }

    /// Takes a member out, if it stands in this line.
    func remove(_ member: Member) {
        let index = member.place.index
        guard contains(member) else { return }
        member.place = LinePlace()
        let last = heap.removeLast()
        guard last !== member else { return }
        put(last, at: index)
        moveUp(from: index)
        moveDown(from: last.place.index)
    }

    /// Gives a member another priority; among those who have it, it stands where it came.
    func setPriority(_ priority: Float, of member: Member) {
        guard contains(member), member.place.priority != usable(priority) else { return }
        member.place.priority = usable(priority)
        moveUp(from: member.place.index)
        moveDown(from: member.place.index)
    }

    private func contains(_ member: Member) -> Bool {
        heap.indices.contains(member.place.index) && heap[member.place.index] === member
    }

    /// What is no number is of no account.
    private func usable(_ priority: Float) -> Float {
        priority.isNaN ? 0.5 : min(max(priority, 0), 1)
    }

    private func isBefore(_ left: LinePlace, _ right: LinePlace) -> Bool {
        left.priority != right.priority
            ? left.priority > right.priority : left.number < right.number
    }

    private func put(_ member: Member, at index: Int) {
        heap[index] = member
        member.place.index = index
    }

    private func moveUp(from start: Int) {
        let member = heap[start]
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard isBefore(member.place, heap[parent].place) else { break }
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
            if child + 1 < heap.count, isBefore(heap[child + 1].place, heap[child].place) {
                child += 1
            }
            guard isBefore(heap[child].place, member.place) else { break }
            put(heap[child], at: index)
            index = child
        }
        if index != start { put(member, at: index) }
    }
}
