/// A dictionary with a bounded number of entries that removes the least recently used ones.
///
/// It has two generations. An entry that is used moves to the younger generation. When that reaches
/// half the maximum count, it becomes the older generation, and the previous older generation is
/// removed. An entry is kept as long as fewer than half the maximum number of other keys are used
/// between two of its own uses. All operations take amortized constant time.
struct RecentEntries<Key: Hashable, Value> {
    private var younger: [Key: Value] = [:]
    private var older: [Key: Value] = [:]
    private let generationSize: Int
    /// Whether any entry has been removed.
    private(set) var hasForgotten = false

    /// Creates an empty dictionary with a capacity of at least two entries.
    init(maximumCount: Int) {
        generationSize = max(1, maximumCount / 2)
    }

    var count: Int { younger.count + older.count }

    /// All entries, which reading does not count as a use.
    var all: [(key: Key, value: Value)] { Array(younger) + Array(older) }

    /// The value of a key, which reading does not count as a use.
    subscript(key: Key) -> Value? { younger[key] ?? older[key] }

    /// Uses an entry and changes its value.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - makeValue: Returns the value of a new entry. Its argument is ``hasForgotten``.
    ///   - change: Changes the value.
    /// - Returns: The result of `change`.
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
