import Foundation

extension JSONFragment {
    /// Brings the members of the innermost place, an object, into the order of their names.
    ///
    /// Of members with the same key the last one stays.
    func sortMembers(in place: JSONPlace) throws {
        let first = places[places.count - 1].firstMember
        let count = members.count - first
        let names = MemberNames(fragment: self, first: first)
        if names.areAscending(0..<count) { return }
        // Objects of one type mostly have their members in one order.
        if let former = run.memory.order(of: count), names.areAscending(former) {
            return rewriteMembers(from: first, in: former)
        }
        let order = (0..<count).sorted {
            names.precedes($0, $1) || !names.precedes($1, $0) && $0 < $1
        }
        let kept = try withoutRepeated(order, names, place)
        if kept.count == count { run.memory.noteOrder(order) }
        rewriteMembers(from: first, in: kept)
    }

    /// The last of each of the members with the same key.
    private func withoutRepeated(
        _ order: [Int], _ names: MemberNames, _ place: JSONPlace
    ) throws -> [Int] {
        var kept: [Int] = []
        kept.reserveCapacity(order.count)
        for index in order {
            guard let former = kept.last, !names.precedes(former, index) else {
                kept.append(index)
                continue
            }
            let (member, hidden) = (members[names.first + index], members[names.first + former])
            guard key(of: member) == key(of: hidden) else {
                let name = names.name(of: index).quoted
                throw place.error("two of its keys are both spelled \(name)")
            }
            // What was encoded before would be lost, where the type adds to it.
            guard !member.isNested else { throw contradiction(place) }
            kept[kept.count - 1] = index
        }
        return kept
    }

    /// The key of a member as its type or dictionary has it.
    private func key(of member: JSONMember) -> String {
        member.key.map { keys[Int($0)].key } ?? writer.buffer.string(member.name)
    }

    /// Writes the members from one on once more, in another order.
    private func rewriteMembers(from first: Int, in order: [Int]) {
        let start = members[first].start
        // A comma, and a new line where lines are broken.
        let separator = members[first].end..<members[first + 1].start
        writer.buffer.rewrite(from: start) { target in
            for (position, index) in order.enumerated() {
                if position > 0 { target.append(separator) }
                target.append(members[first + index].start..<members[first + index].end)
            }
        }
    }
}

/// The names of the members of an object, by which they are ordered.
private struct MemberNames {
    let fragment: JSONFragment
    /// The first of them among the members of the fragment.
    let first: Int

    /// Whether each name comes before the next one.
    @inline(__always)
    func areAscending(_ order: some Sequence<Int>) -> Bool {
        var former: Int?
        for index in order {
            if let former, !precedes(former, index) { return false }
            former = index
        }
        return true
    }

    /// Whether one name comes before another, in Swift's order of strings.
    func precedes(_ one: Int, _ other: Int) -> Bool {
        guard fragment.members[first + one].isPlain, fragment.members[first + other].isPlain else {
            return name(of: one) < name(of: other)
        }
        return fragment.writer.buffer.precedes(
            fragment.members[first + one].name, fragment.members[first + other].name)
    }

    func name(of member: Int) -> String {
        let member = fragment.members[first + member]
        return member.key.map { fragment.keys[Int($0)].spelling }
            ?? fragment.writer.buffer.string(member.name)
    }
}
