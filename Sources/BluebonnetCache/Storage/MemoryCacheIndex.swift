import Foundation

/// The responses of a store in memory, and what leaves it next (S3-FIFO).
struct MemoryCacheIndex {
    private final class Entry {
        var response: StoredResponse
        /// Emptied once the entry is removed, because it stays in its queue for a while.
        private(set) var body: Data
        /// How often it was used since it was last looked at, at most 3.
        var useCount = 0
        var isMain = false
        private(set) var isRemoved = false

        init(_ response: StoredResponse, _ body: Data) {
            (self.response, self.body) = (response, body)
        }

        var size: Int { response.size + body.count }

        func remove() { (isRemoved, body) = (true, Data()) }
    }

    /// A queue that entries leave lazily.
    private struct Queue {
        private var entries: [Entry?] = []
        private var first = 0
        var size = 0
        private var removedCount = 0

        mutating func append(_ entry: Entry) {
            entries.append(entry)
            size += entry.size
        }

        /// Removes an entry, which leaves its place when it is reached, or when half of all are removed.
        mutating func remove(_ entry: Entry) {
            size -= entry.size
            entry.remove()
            removedCount += 1
            guard removedCount > 64, removedCount * 2 > entries.count - first else { return }
            entries = entries[first...].filter { $0?.isRemoved == false }
            (first, removedCount) = (0, 0)
        }

        mutating func pop() -> Entry? {
            while first < entries.count {
                let entry = entries[first].take()
                first += 1
                if first > 64, first * 2 > entries.count {
                    entries.removeFirst(first)
                    first = 0
                }
                guard let entry else { continue }
                guard entry.isRemoved else {
                    size -= entry.size
                    return entry
                }
                removedCount -= 1
            }
            (entries, first) = ([], 0)
            return nil
        }
    }

    private let maximumSize: Int
    private var entries: [UUID: Entry] = [:]
    private var variants: [CacheKey: [Entry]] = [:]
    private var keys: [String: Set<CacheKey>] = [:]
    private var (small, main) = (Queue(), Queue())
    /// The keys that left before they were used again, oldest first.
    private var ghosts: [CacheKey] = []
    private var ghostNumbers: [CacheKey: Int] = [:]

    init(maximumSize: Int) { self.maximumSize = maximumSize }

    var size: Int { small.size + main.size }
    var count: Int { entries.count }

    func responses(for key: CacheKey) -> [StoredResponse] {
        variants[key]?.map(\.response) ?? []
    }

    mutating func use(_ response: StoredResponse) -> Data? {
        guard let entry = entries[response.id] else { return nil }
        entry.useCount = min(entry.useCount + 1, 3)
        return entry.body
    }

    mutating func add(_ response: StoredResponse, _ body: Data) {
        for other in variants[response.key] ?? []
        where other.response.selectingFields == response.selectingFields {
            remove(other.response.id)
        }
        let entry = Entry(response, body)
        guard entry.size <= maximumSize else { return }
        entries[response.id] = entry
        variants[response.key, default: []].append(entry)
        keys[response.key.url, default: []].insert(response.key)
        entry.isMain = takeGhost(response.key)
        if entry.isMain { main.append(entry) } else { small.append(entry) }
        while size > maximumSize { evict() }
    }

    mutating func update(_ response: StoredResponse) {
        guard let entry = entries[response.id] else { return }
        let change = response.size - entry.response.size
        entry.response = response
        if entry.isMain { main.size += change } else { small.size += change }
        while size > maximumSize { evict() }
    }

    mutating func remove(_ id: UUID) {
        guard let entry = entries[id] else { return }
        forget(entry)
        if entry.isMain { main.remove(entry) } else { small.remove(entry) }
    }

    mutating func removeAll(for url: String) {
        for key in keys[url] ?? [] {
            for entry in variants[key] ?? [] { remove(entry.response.id) }
        }
    }

    private mutating func forget(_ entry: Entry) {
        let key = entry.response.key
        entries[entry.response.id] = nil
        variants[key]?.removeAll { $0 === entry }
        guard variants[key]?.isEmpty == true else { return }
        variants[key] = nil
        keys[key.url]?.remove(key)
        if keys[key.url]?.isEmpty == true { keys[key.url] = nil }
    }

    /// Makes an entry leave, or gives it another round.
    private mutating func evict() {
        if small.size * 10 > maximumSize || main.size == 0, let entry = small.pop() {
            if entry.useCount > 0 {
                entry.useCount = 0
                entry.isMain = true
                main.append(entry)
            } else {
                forget(entry)
                addGhost(entry.response.key)
            }
        } else if let entry = main.pop() {
            if entry.useCount > 0 {
                entry.useCount -= 1
                main.append(entry)
            } else {
                forget(entry)
            }
        }
    }

    private mutating func addGhost(_ key: CacheKey) {
        ghosts.append(key)
        ghostNumbers[key, default: 0] += 1
        // As many as there are responses, but some for a store of a few large ones.
        guard ghosts.count > 2 * max(entries.count, 64) else { return }
        let surplus = ghosts.count / 2
        for key in ghosts.prefix(surplus) {
            let number = (ghostNumbers[key] ?? 1) - 1
            ghostNumbers[key] = number > 0 ? number : nil
        }
        ghosts.removeFirst(surplus)
    }

    private func takeGhost(_ key: CacheKey) -> Bool { ghostNumbers[key] != nil }
}
