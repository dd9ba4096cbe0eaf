import BluebonnetTransport
import Testing

@Suite("Locked values")
struct LockedTests {
    @Test("a value can be accessed without waiting, unless its lock is held")
    func withoutWaiting() {
        let value = Locked(1)
        #expect(value.withLockIfFree { $0 += 1 } != nil)
        let nested = value.withLock { _ in value.withLockIfFree { $0 } }
        #expect(nested == nil)
        #expect(value.withLockIfFree { $0 } == 2)
    }
}
