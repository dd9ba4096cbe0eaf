import BluebonnetTransport
import Foundation
import Testing

/// An object that clears the reference to it as its end begins.
private class Thing: @unchecked Sendable {
    // @unchecked because the class is not final: constants are all it has.
    let place: Locked<UncountedReference<Thing>>
    /// Told whether the object could still be had when its end had begun.
    let end: @Sendable (_ isReachable: Bool) -> Void

    init(
        _ place: Locked<UncountedReference<Thing>>,
        end: @escaping @Sendable (_ isReachable: Bool) -> Void = { _ in }
    ) {
        self.place = place
        self.end = end
        place.withLock { $0 = UncountedReference(self) }
    }

    deinit {
        let isReachable = place.withLock { reference in
            defer { reference.clear(self) }
            return reference.object != nil
        }
        end(isReachable)
    }
}

/// A thing whose end is announced before it takes the lock.
private final class Announcer: Thing, @unchecked Sendable {
    // @unchecked as in the superclass: a constant is all that is added.
    private let hasBegun: @Sendable () -> Void

    init(
        _ place: Locked<UncountedReference<Thing>>,
        hasBegun: @escaping @Sendable () -> Void,
        end: @escaping @Sendable (_ isReachable: Bool) -> Void
    ) {
        self.hasBegun = hasBegun
        super.init(place, end: end)
    }

    deinit { hasBegun() }
}

@Suite("A reference that is not counted", .timeLimit(.minutes(5)))
struct UncountedReferenceTests {
    @Test("gives its object while somebody holds it, and nobody from the beginning of its end on")
    func life() {
        let place = Locked(UncountedReference<Thing>())
        #expect(place.withLock { $0.object } == nil)
        let ends = Locked<[Bool]>([])
        var thing: Thing? = Thing(place) { isReachable in ends.withLock { $0.append(isReachable) } }
        let held = place.withLock { $0.object }
        #expect(held != nil && held === thing)
        thing = nil
        #expect(place.withLock { $0.object } === held)
        #expect(ends.withLock { $0 }.isEmpty)
        withExtendedLifetime(held) {}
    }

    @Test("does not keep its object, and does not find it as it ends")
    func end() {
        let place = Locked(UncountedReference<Thing>())
        let ends = Locked<[Bool]>([])
        var thing: Thing? = Thing(place) { isReachable in ends.withLock { $0.append(isReachable) } }
        #expect(thing != nil)
        thing = nil
        #expect(ends.withLock { $0 } == [false])
        #expect(place.withLock { $0.object } == nil)
    }

    @Test("of an object that has a successor is not cleared by its end")
    func successor() {
        let place = Locked(UncountedReference<Thing>())
        var first: Thing? = Thing(place)
        let second = Thing(place)
        #expect(first != nil)
        first = nil
        #expect(place.withLock { $0.object } === second)
    }

    @Test("is to nothing for who holds the lock while another thread has begun the object's end")
    func race() {
        let place = Locked(UncountedReference<Thing>())
        let hasBegun = DispatchSemaphore(value: 0)
        let isOver = DispatchSemaphore(value: 0)
        let owner = Locked<Thing?>(
            Announcer(place, hasBegun: { hasBegun.signal() }, end: { _ in isOver.signal() }))
        place.withLock { reference in
            #expect(reference.object != nil)
            DispatchQueue.global().async { _ = owner.withLock { $0.take() } }
            #expect(hasBegun.wait(timeout: .now() + 60) == .success)
            // Its count is zero, its memory still there, and its `deinit` waits for this lock.
            #expect(reference.object == nil)
        }
        #expect(isOver.wait(timeout: .now() + 60) == .success)
    }
}
