extension JSONFragment {
    /// Adds a member that is written later, or goes on with it.
    func addNestedMember(_ key: String, in place: JSONPlace) -> JSONPlace {
        guard isInnermost(place) else { return detachedPlace(place) }
        let nestedKey = NestedKey(object: place.serial, key: key)
        if let former = nestedMembers[nestedKey]?.root { return former }
        let nested = JSONFragment(run, at: path(of: place) + [.key(key)])
        nestedMembers[nestedKey] = nested
        var member = beginMember(key)
        member.end = writer.buffer.count
        member.isNested = true
        members.append(member)
        return add(nested, nestedKey)
    }

    /// Adds an element that is written later.
    func addNestedElement(in place: JSONPlace) -> JSONPlace {
        guard isInnermost(place) else { return detachedPlace(place) }
        let index = beginElement()
        return add(JSONFragment(run, at: path(of: place) + [.index(index)]))
    }

    /// A place for what is written out of turn, and lost: the encoding fails.
    private func detachedPlace(_ place: JSONPlace) -> JSONPlace {
        run.fail(outOfTurn(place))
        return JSONFragment(run).openPlace(nil, depth: 0)
    }

    private func add(_ fragment: JSONFragment, _ key: NestedKey? = nil) -> JSONPlace {
        let last = places.count - 1
        places[last].count += 1
        nested.append(Nested(offset: writer.buffer.count, fragment: fragment, key: key))
        return fragment.openPlace(nil, depth: places[last].depth + 1)
    }

    /// The outermost place, while nothing in it is being encoded.
    var root: JSONPlace? {
        places.first.map { JSONPlace(fragment: self, index: 0, serial: $0.serial) }
    }

    /// Puts the fragments that are nested in the innermost place where they belong.
    func joinNested(in place: JSONPlace) throws {
        let last = places.count - 1
        let joined = nested[places[last].firstNested...]
        for nested in joined {
            if let key = nested.key { nestedMembers[key] = nil }
            if let root = nested.fragment.root { try nested.fragment.closePlace(root) }
        }
        writer.buffer.insert(
            joined.map { ($0.offset, UnsafeBufferPointer($0.fragment.writer.buffer.written)) })
        var (shift, next) = (0, joined.startIndex)
        for index in members.indices[places[last].firstMember...] {
            members[index].move(by: shift)
            guard members[index].isNested else { continue }
            shift += joined[next].fragment.writer.buffer.count
            members[index].end += joined[next].fragment.writer.buffer.count
            next += 1
        }
        nested.removeLast(nested.count - places[last].firstNested)
    }
}
