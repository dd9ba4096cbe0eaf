/// What is known of types, by type: a table, since asking Swift takes longer than reading or writing most values.
///
/// It is used by one thread at a time.
struct TypeTable<Form> {
    private struct Entry {
        let type: ObjectIdentifier
        let form: Form
    }

    private let capacity: Int
    /// In pairs by a hash of the type; a later one takes the place of another where a pair is full.
    private let entries: UnsafeMutablePointer<Entry?>

    /// Makes a table; `capacity` is a power of two.
    init(capacity: Int) {
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: nil, count: capacity)
    }

    /// Frees the table, which is not used again.
    func deallocate() {
        entries.deinitialize(count: capacity)
        entries.deallocate()
    }

    /// What is known of a type; `find` finds it out.
    @inline(__always)
    func form(of type: any Any.Type, _ find: (any Any.Type) -> Form) -> Form {
        let identifier = ObjectIdentifier(type)
        let bits = UInt(bitPattern: identifier)
        // Types are aligned to eight bytes, and similar ones lie side by side.
        let place = Int(truncatingIfNeeded: bits >> 3 ^ bits >> 11) & (capacity - 1)
        if let known = entries[place], known.type == identifier { return known.form }
        if let known = entries[place ^ 1], known.type == identifier { return known.form }
        let form = find(type)
        entries[entries[place] == nil ? place : place ^ 1] = Entry(type: identifier, form: form)
        return form
    }
}
