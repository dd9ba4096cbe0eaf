import Foundation

extension JSONFragment {
    /// Sorts the members of the innermost place, an object, by name.
    ///
    /// Of several members with the same key, only the last is kept.
    func sortMembers(in place: JSONPlace) throws {
        let first = places[places.count - 1].firstMember
        let count = members.count - first
        let names = MemberNames(fragment: self, first: first)
        if names.areAscending(0..<count) { return }
        // Objects of one type mostly have their members in the same order.
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

    /// Returns the order with only the last of several members with the same key.
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
                let name = names.name(of: index)
                throw place.error(RequestSerializationError.equalKeys(name).reason)
            }
            kept[kept.count - 1] = index
        }
        return kept
    }

    /// Returns the key of a member as its type or dictionary specifies it.
    private func key(of member: JSONMember) -> String {
        member.key.map { keys[Int($0)].key } ?? writer.buffer.string(member.name)
    }

    /// Rewrites the members from an index on in another order.
    private func rewriteMembers(from first: Int, in order: [Int]) {
        let start = members[first].start
        // A comma, and a line break if the text is pretty-printed.
        let separator = members[first].end..<members[first + 1].start
        writer.buffer.rewrite(from: start) { target in
            for (position, index) in order.enumerated() {
                if position > 0 { target.append(separator) }
                target.append(members[first + index].start..<members[first + index].end)
            }
        }
    }
}

/// The names of an object's members, which determine their order.
private struct MemberNames {
    let fragment: JSONFragment
    /// The index of the object's first member among the members of the fragment.
    let first: Int

    /// Returns whether each name precedes the next one.
    @inline(__always)
    func areAscending(_ order: some Sequence<Int>) -> Bool {
        var former: Int?
        for index in order {
            if let former, !precedes(former, index) { return false }
            former = index
        }
        return true
    }

    /// Returns whether one name precedes another in the order of Swift strings.
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
