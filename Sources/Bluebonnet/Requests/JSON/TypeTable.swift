/// A cache of facts about types.
///
/// Looking up a type's conformances takes longer than reading or writing most values. The table is
/// for use by one thread at a time.
struct TypeTable<Form> {
    private struct Entry {
        let type: ObjectIdentifier
        let form: Form
    }

    private static var capacity: Int { 128 }

    /// Pairs of entries, by a hash of the type; if a pair is full, a new entry replaces its second
    /// one.
    private let entries: UnsafeMutablePointer<Entry?>

    init() {
        entries = .allocate(capacity: Self.capacity)
        entries.initialize(repeating: nil, count: Self.capacity)
    }

    /// Frees the table, which must not be used again.
    func deallocate() {
        entries.deinitialize(count: Self.capacity)
        entries.deallocate()
    }

    /// Returns the cached form of a type; on the first request, `find` determines it.
    @inline(__always)
    func form(of type: any Any.Type, _ find: (any Any.Type) -> Form) -> Form {
        let identifier = ObjectIdentifier(type)
        let bits = UInt(bitPattern: identifier)
        // Types are aligned to eight bytes, and similar types are adjacent in memory.
        let place = Int((bits >> 3 ^ bits >> 11) % UInt(Self.capacity))
        if let known = entries[place], known.type == identifier { return known.form }
        return otherForm(of: type, place, find)
    }

    @inline(never)
    private func otherForm(
        of type: any Any.Type, _ place: Int, _ find: (any Any.Type) -> Form
    ) -> Form {
        let identifier = ObjectIdentifier(type)
        if let known = entries[place ^ 1], known.type == identifier { return known.form }
        let form = find(type)
        entries[entries[place] == nil ? place : place ^ 1] = Entry(type: identifier, form: form)
        return form
    }
}
