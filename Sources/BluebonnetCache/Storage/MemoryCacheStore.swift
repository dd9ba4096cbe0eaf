import Bluebonnet
import Foundation

/// A store in memory, with a bound on its size.
///
/// When it is full, it forgets what was used least. A response that is used only once, as in a scan of
/// many URLs, does not displace those that are used again and again: new responses share a tenth of the
/// memory, and only those that are found again, there or soon after they had to leave, are kept longer
/// (the policy S3-FIFO).
public final class MemoryCacheStore: CacheStore {
    /// The most bytes of all responses together, with their heads.
    public let maximumSize: Int
    private let state: Locked<MemoryCacheIndex>

    /// Creates an empty store.
    ///
    /// - Parameter maximumSize: The most bytes, by default 64 MiB.
    public init(maximumSize: Int = 64 * 1_048_576) {
        self.maximumSize = max(0, maximumSize)
        state = Locked(MemoryCacheIndex(maximumSize: self.maximumSize))
    }

    /// The bytes of all responses together, with their heads.
    public var size: Int { state.withLock { $0.size } }
    /// The number of responses.
    public var count: Int { state.withLock { $0.count } }

    /// Finds the responses for a key.
    public func find(_ key: CacheKey, answer: @escaping @Sendable ([StoredResponse]) -> Void) {
        answer(state.withLock { $0.responses(for: key) })
    }

    /// Opens the body of a response, and counts the use.
    public func body(
        of response: StoredResponse, answer: @escaping @Sendable (CachedBody?) -> Void
    ) {
        answer(state.withLock { $0.use(response) }.map { CachedBody($0) })
    }

    /// Begins to store a response.
    public func store(_ response: StoredResponse) -> (any CacheWriter)? {
        response.size <= maximumSize ? Writer(self, response) : nil
    }

    /// Replaces a response.
    public func update(_ response: StoredResponse) { state.withLock { $0.update(response) } }

    /// Removes a response.
    ///
    /// - Parameter response: A response that was found.
    public func remove(_ response: StoredResponse) { state.withLock { $0.remove(response.id) } }

    /// Removes the responses for a URL.
    public func removeAll(for url: String) { state.withLock { $0.removeAll(for: url) } }

    /// Removes everything.
    public func removeAll() {
        state.withLock { $0 = MemoryCacheIndex(maximumSize: maximumSize) }
    }

    private final class Writer: CacheWriter {
        private let store: MemoryCacheStore
        private let response: StoredResponse
        private let body = Locked(BodyPieces())

        init(_ store: MemoryCacheStore, _ response: StoredResponse) {
            (self.store, self.response) = (store, response)
        }

        func write(_ bytes: Data, whenWritten: @escaping @Sendable (Bool) -> Void) {
            let room = store.maximumSize - response.size
            let isWritten = body.withLock { body in
                guard body.count + bytes.count <= room else { return false }
                body.append(bytes)
                return true
            }
            whenWritten(isWritten)
        }

        func read(_ range: Range<Int>, answer: @escaping @Sendable (Data?) -> Void) {
            answer(body.withLock { $0.bytes(from: range.lowerBound)?.prefix(range.count) })
        }

        func commit() {
            let data = body.withLock { body in
                let data = body.joined
                // For those who still read it, without a second copy.
                body = BodyPieces()
                body.append(data)
                return data
            }
            store.state.withLock { $0.add(response, data) }
        }

        func discard() {}
    }
}

extension StoredResponse {
    /// What the head takes of a store's memory, in bytes, about.
    var size: Int {
        let selecting = selectingFields.reduce(512) { size, field in
            size + field.key.utf8.count + (field.value?.utf8.count ?? 0) + 64
        }
        return fields.reduce(key.url.utf8.count + key.partition.utf8.count + selecting) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 64
        }
    }
}
