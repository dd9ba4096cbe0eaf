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

    func body(
        of response: StoredResponse, answer: @escaping @Sendable (CachedBody?) -> Void
    ) {
        if happens(oneIn: 20) { return answer(nil) }
        guard happens(oneIn: 3) else { return memory.body(of: response, answer: answer) }
        DispatchQueue.global().async { [memory] in memory.body(of: response, answer: answer) }
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

        func write(_ bytes: Data, whenWritten: @escaping @Sendable (Bool) -> Void) {
            if store.happens(oneIn: 40) { return whenWritten(false) }
            writer.write(bytes) { [store] isWritten in
                guard store.happens(oneIn: 3) else { return whenWritten(isWritten) }
                DispatchQueue.global().async { whenWritten(isWritten) }
            }
        }

        func read(_ range: Range<Int>, answer: @escaping @Sendable (Data?) -> Void) {
            guard store.happens(oneIn: 3) else { return writer.read(range, answer: answer) }
            DispatchQueue.global().async { [writer] in writer.read(range, answer: answer) }
        }

        func commit() { if store.happens(oneIn: 20) { writer.discard() } else { writer.commit() } }
        func discard() { writer.discard() }
    }
}
