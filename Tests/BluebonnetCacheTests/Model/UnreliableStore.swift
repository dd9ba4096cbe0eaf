import Bluebonnet
import BluebonnetCache
import BluebonnetTestSupport
import Dispatch
import Foundation

/// A store that forgets, fails, and answers late.
final class UnreliableStore: CacheStore {
    private let memory = MemoryCacheStore(maximumSize: 30_000)
    private let generator: Locked<SeededGenerator>

    init(seed: UInt64) { generator = Locked(SeededGenerator(seed: seed)) }

    private func happens(oneIn count: Int) -> Bool {
        generator.withLock { Int.random(in: 0..<count, using: &$0) } == 0
    }

    func find(_ key: CacheKey, answer: @escaping @Sendable ([StoredResponse]) -> Void) {
        if happens(oneIn: 20) { return answer([]) }
        guard happens(oneIn: 3) else { return memory.find(key, answer: answer) }
        DispatchQueue.global().async { [memory] in memory.find(key, answer: answer) }
    }

    func body(of response: StoredResponse) -> CachedBody? {
        happens(oneIn: 20) ? nil : memory.body(of: response)
    }

    func store(_ response: StoredResponse) -> (any CacheWriter)? {
        happens(oneIn: 20) ? nil : memory.store(response).map { LateWriter($0, self) }
    }

    func update(_ response: StoredResponse) { memory.update(response) }
    func remove(_ response: StoredResponse) { memory.remove(response) }
    func removeAll(for url: String) { memory.removeAll(for: url) }
    func removeAll() { memory.removeAll() }

    private final class LateWriter: CacheWriter {
        private let writer: any CacheWriter
        private let store: UnreliableStore

        init(_ writer: any CacheWriter, _ store: UnreliableStore) {
            (self.writer, self.store) = (writer, store)
        }

        func write(_ piece: Exchange.Chunk, whenTaken: @escaping @Sendable () -> Void) {
            writer.write(piece) { [store] in
                guard store.happens(oneIn: 3) else { return whenTaken() }
                DispatchQueue.global().async(execute: whenTaken)
            }
        }

        func commit() { if store.happens(oneIn: 20) { writer.discard() } else { writer.commit() } }
        func discard() { writer.discard() }
    }
}
