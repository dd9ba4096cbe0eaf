import Bluebonnet
import BluebonnetCache
import Foundation

/// A store in memory that writes and reads back only when a test says so.
final class HeldStore: CacheStore {
    fileprivate struct State {
        var isHolding = true
        var held: [@Sendable (Bool) -> Void] = []
        var (isWriting, readCount, losesReads) = (false, 0, false)
        var isHoldingReads = false
        var heldReads: [@Sendable () -> Void] = []
        var losesBodies = false
        var discardCount = 0
        var isDiscardedWhileWriting = false
    }

    let memory: MemoryCacheStore
    private let state = Locked(State())

    init(_ memory: MemoryCacheStore = MemoryCacheStore()) { self.memory = memory }

    /// Lets what is held happen, and everything from now on at once.
    func release(_ isWritten: Bool = true) {
        state.withLock { $0.isHolding = false }
        for closure in state.withLock({ $0.takeHeld() }) { closure(isWritten) }
    }

    /// Holds back what is written from now on.
    func hold() { state.withLock { $0.isHolding = true } }

    func loseBodies() { state.withLock { $0.losesBodies = true } }
    func holdReads() { state.withLock { $0.isHoldingReads = true } }
    func releaseReads() {
        let reads = state.withLock { state in
            state.isHoldingReads = false
            return state.heldReads
        }
        for read in reads { read() }
    }
    func loseReads() { state.withLock { $0.losesReads = true } }
    var readCount: Int { state.withLock { $0.readCount } }
    var discardCount: Int { state.withLock { $0.discardCount } }
    var isDiscardedWhileWriting: Bool { state.withLock { $0.isDiscardedWhileWriting } }

    func find(_ key: CacheKey, answer: @escaping @Sendable ([StoredResponse]) -> Void) {
        memory.find(key, answer: answer)
    }
    func body(
        of response: StoredResponse, answer: @escaping @Sendable (CachedBody?) -> Void
    ) {
        if state.withLock({ $0.losesBodies }) { return answer(nil) }
        memory.body(of: response, answer: answer)
    }
    func store(_ response: StoredResponse) -> (any CacheWriter)? {
        memory.store(response).map { Writer($0, self) }
    }
    func update(_ response: StoredResponse) { memory.update(response) }
    func remove(_ response: StoredResponse) { memory.remove(response) }
    func removeAll(for url: String) { memory.removeAll(for: url) }
    func removeAll() { memory.removeAll() }

    private final class Writer: CacheWriter {
        private let writer: any CacheWriter
        private let store: HeldStore

        init(_ writer: any CacheWriter, _ store: HeldStore) {
            (self.writer, self.store) = (writer, store)
        }

        func write(_ bytes: Data, whenWritten: @escaping @Sendable (Bool) -> Void) {
            store.hold { [store, writer] isWritten in
                store.state.withLock { $0.isWriting = false }
                if isWritten {
                    writer.write(bytes, whenWritten: whenWritten)
                } else {
                    whenWritten(false)
                }
            }
        }

        func read(_ range: Range<Int>, answer: @escaping @Sendable (Data?) -> Void) {
            let (isLost, isHeld) = store.state.withLock { state in
                state.readCount += 1
                let read: @Sendable () -> Void = { [writer] in writer.read(range, answer: answer) }
                if state.isHoldingReads { state.heldReads.append(read) }
                return (state.losesReads, state.isHoldingReads)
            }
            if isLost { answer(nil) } else if !isHeld { writer.read(range, answer: answer) }
        }

        func commit() { writer.commit() }

        func discard() {
            store.state.withLock { state in
                state.discardCount += 1
                if state.isWriting { state.isDiscardedWhileWriting = true }
            }
            writer.discard()
        }
    }

    private func hold(_ closure: @escaping @Sendable (Bool) -> Void) {
        let isHeld = state.withLock { state in
            state.isWriting = true
            if state.isHolding { state.held.append(closure) }
            return state.isHolding
        }
        if !isHeld { closure(true) }
    }
}

extension HeldStore.State {
    fileprivate mutating func takeHeld() -> [@Sendable (Bool) -> Void] {
        defer { held = [] }
        return held
    }
}
