/// What is known of types, by type: a table, since asking Swift takes longer than reading or writing most values.
///
/// It is used by one thread at a time.
struct TypeTable<Form> {
    private struct Entry {
        let type: ObjectIdentifier
        let form: Form
    }

    private static var capacity: Int { 128 }

    /// In pairs by a hash of the type; a later one takes the place of another where a pair is full.
    private let entries: UnsafeMutablePointer<Entry?>

    init() {
        entries = .allocate(capacity: Self.capacity)
        entries.initialize(repeating: nil, count: Self.capacity)
    }

    /// Frees the table, which is not used again.
    func deallocate() {
        entries.deinitialize(count: Self.capacity)
        entries.deallocate()
    }

    /// What is known of a type; `find` finds it out.
    @inline(__always)
    func form(of type: any Any.Type, _ find: (any Any.Type) -> Form) -> Form {
        let identifier = ObjectIdentifier(type)
        let bits = UInt(bitPattern: identifier)
        // Types are aligned to eight bytes, and similar ones lie side by side.
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
