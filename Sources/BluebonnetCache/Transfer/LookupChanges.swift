/// The keys of flights that have ended while there were look-ups, which may not have seen that.
struct LookupChanges {
    private(set) var number = 0
    private var numbers: [CacheKey: Int] = [:]
    /// The number up to which changes are forgotten, and count for each key.
    private var forgotten = 0

    mutating func add(_ key: CacheKey) {
        if numbers.count >= 4_096 { forget() }
        number += 1
        numbers[key] = number
    }

    mutating func forget() { (numbers, forgotten) = ([:], number) }

    func contains(_ key: CacheKey, after number: Int) -> Bool {
        forgotten > number || numbers[key].map { $0 > number } ?? false
    }
}
