/// A dictionary with a bounded number of entries, which forgets those that were not used for the longest time.
///
/// It has two generations. An entry that is used moves to the younger one. Once that has half of the maximum, it
/// becomes the older one, and the former older one is forgotten. An entry is kept as long as fewer than half of the
/// maximum of other keys are used between two uses of its own. Everything takes amortized constant
/// time.
struct RecentEntries<Key: Hashable, Value> {
    private var younger: [Key: Value] = [:]
    private var older: [Key: Value] = [:]
    private let generationSize: Int
    /// Whether any entry was forgotten so far.
    private(set) var hasForgotten = false

    /// Creates a dictionary without entries, which may have at least two.
    init(maximumCount: Int) {
        generationSize = max(1, maximumCount / 2)
    }

    var count: Int { younger.count + older.count }

    /// The value of a key; reading does not count as a use.
    subscript(key: Key) -> Value? { younger[key] ?? older[key] }

    /// Uses an entry, and changes its value.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - makeValue: Returns the value of a new entry, by whether any entry was forgotten so far.
    ///   - change: Changes the value.
    /// - Returns: What `change` returns.
    mutating func change<Result>(
        _ key: Key, default makeValue: (_ hasForgotten: Bool) -> Value,
        _ change: (inout Value) -> Result
    ) -> Result {
        if younger[key] == nil {
            let known = older.removeValue(forKey: key)
            if younger.count >= generationSize { age() }
            younger[key] = known ?? makeValue(hasForgotten)
        }
        return change(&younger[key, default: makeValue(hasForgotten)])
    }

    private mutating func age() {
        if !older.isEmpty { hasForgotten = true }
        (older, younger) = (younger, [:])
    }
}
