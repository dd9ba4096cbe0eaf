extension JSONFragment {
    /// Adds a member whose value is written later, and which replaces an earlier one.
    ///
    /// Returns the open place of an earlier container of the kind instead, if there is one.
    func addNestedMember(_ key: String, sharing kind: Kind?, in place: JSONPlace) -> JSONPlace {
        let nestedKey = NestedKey(object: place.serial, key: key)
        if let former = nestedMembers[nestedKey], former.places.first?.kind == kind,
            let root = former.root
        {
            return root
        }
        return addNested(.key(key), in: place) { () throws(RequestSerializationError) in
            var member = try self.beginMember(key, self.spelled(key, isData: false), in: place)
            member.end = self.writer.buffer.count
            member.isNested = true
            self.members.append(member)
            return nestedKey
        }
    }

    /// Adds an element whose value is written later.
    func addNestedElement(in place: JSONPlace) -> JSONPlace {
        addNested(.index(count(of: place)), in: place) { () throws(RequestSerializationError) in
            try self.beginElement(in: place)
            return nil
        }
    }

    private func addNested(
        _ step: ParameterPath.Step, in place: JSONPlace,
        _ begin: () throws(RequestSerializationError) -> NestedKey?
    ) -> JSONPlace {
        do throws(RequestSerializationError) {
            try check(place)
            let key = try begin()
            let fragment = JSONFragment(run, at: path(of: place) + [step])
            nested.append(Nested(offset: writer.buffer.count, fragment: fragment, key: key))
            if let key { nestedMembers[key] = fragment }
            let last = places.count - 1
            places[last].count += 1
            return fragment.openPlace(nil, depth: places[last].depth + 1)
        } catch {
            // The encoding fails, so what is written to this place is discarded.
            run.fail(error)
            return JSONFragment(run, at: []).openPlace(nil, depth: 0)
        }
    }

    /// The outermost place, or nil if it is complete.
    private var root: JSONPlace? {
        places.first.map { JSONPlace(fragment: self, index: 0, serial: $0.serial) }
    }

    /// Inserts the fragments nested in the innermost place at their offsets.
    func joinNested(in place: JSONPlace) throws {
        let last = places.count - 1
        // Copied to an array, because a slice would make `removeLast` copy all of `nested`.
        let joined = Array(nested[places[last].firstNested...])
        for nested in joined {
            if let key = nested.key { nestedMembers[key] = nil }
            if let root = nested.fragment.root { try nested.fragment.closePlace(root) }
        }
        writer.buffer.insert(
            joined.map { ($0.offset, UnsafeBufferPointer($0.fragment.writer.buffer.written)) })
        var (shift, next) = (0, 0)
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
