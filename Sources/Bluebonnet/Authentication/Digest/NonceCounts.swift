/// The number of uses of each nonce, by all tasks.
struct NonceCounts {
    struct Key: Hashable {
        let space: ProtectionSpaceKey
        let nonce: String
    }

    private struct Entry {
        var useCount: UInt32 = 0
        let clientNonce: String
        var lastUse: UInt64
    }

    let maximumCount: Int
    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0

    init(maximumCount: Int) {
        self.maximumCount = max(maximumCount, 1)
    }

    /// Returns the client nonce that a nonce was first used with, or `fresh` for a new nonce.
    mutating func firstClientNonce(for key: Key, fresh: String) -> String {
        if let known = entries[key] { return known.clientNonce }
        insert(key, clientNonce: fresh)
        return fresh
    }

    /// Counts another use and returns the new count, or nil if the nonce cannot be used again.
    mutating func count(_ key: Key, clientNonce: String) -> UInt32? {
        if entries[key] == nil { insert(key, clientNonce: clientNonce) }
        guard var entry = entries[key], entry.useCount < .max else { return nil }
        clock += 1
        entry.useCount += 1
        entry.lastUse = clock
        entries[key] = entry
        return entry.useCount
    }

    private mutating func insert(_ key: Key, clientNonce: String) {
        if entries.count >= maximumCount { removeOlderHalf() }
        clock += 1
        entries[key] = Entry(clientNonce: clientNonce, lastUse: clock)
    }

    /// Removes many entries at once, to limit the cost of a server with a new nonce per request.
    private mutating func removeOlderHalf() {
        let uses = entries.values.map(\.lastUse).sorted()
        let median = uses[uses.count / 2]
        entries = entries.filter { $0.value.lastUse > median }
    }
}
