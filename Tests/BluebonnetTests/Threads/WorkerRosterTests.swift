import Foundation
import Testing

@testable import Bluebonnet

@Suite("What a pool's workers do next, and how many there are")
final class WorkerRosterTests: RosterRig {
    // MARK: Order

    @Test("errands come before handlers, and afterthoughts after them")
    func order() throws {
        addErrand("afterthought", isAfterthought: true)
        addHandler("handler 1")
        addHandler("handler 2")
        addErrand("errand")
        let seat = try #require(called())
        #expect(all(seat) == ["errand", "handler 1", "handler 2", "afterthought"])
    }

    @Test("the handlers that waited when an errand was through come before the next errand")
    func fairness() throws {
        addErrand("errand 1")
        let seat = try #require(called())
        #expect(next(seat) == "errand 1")
        addHandler("handler 1")
        addHandler("handler 2")
        addErrand("errand 2")
        #expect(next(seat) == "handler 1")
        addHandler("handler 3")
        #expect(next(seat) == "handler 2")
        #expect(next(seat) == "errand 2")
        #expect(all(seat) == ["handler 3"])
    }

    @Test("handlers that take long do not go before an errand for more than a millisecond")
    func boundedFairness() throws {
        addErrand("errand 1")
        let seat = try #require(called())
        next(seat)
        for number in 1...9 { addHandler("handler \(number)") }
        addErrand("errand 2")
        now += 1
        #expect(next(seat) == "handler 1")
        now += WorkerRoster.handlersFirst
        #expect(next(seat) == "errand 2")
    }

    @Test("handlers that others have run meanwhile put no later ones before an errand")
    func staleFairness() throws {
        addErrand("errand 1")
        let seat = try #require(called())
        next(seat)
        addHandler("handler 1")
        now += Self.tick
        addHandler("handler 2")
        let other = try #require(called())
        #expect(next(other) == "handler 1")
        #expect(next(other) == "handler 2")
        // The mark is set when the errand is through, and the two came before.
        #expect(next(seat) == nil)
        addErrand("errand 2")
        addHandler("handler 3")
        now += Self.tick
        #expect(called() == seat)
        #expect(next(seat) == "errand 2")
    }

    @Test("no more handlers run at once than may, and errands do all the same")
    func maximum() throws {
        useRoster(maximumHandlers: 2, coreCount: 4)
        let blocked = try block(2)
        now += Self.tick
        addHandler("third")
        #expect(called() == nil)
        addErrand("errand")
        let seat = try #require(called())
        #expect(all(seat) == ["errand"])
        #expect(next(blocked[0]) == "third")
    }

    // MARK: Who is woken

    @Test("nobody is woken while a worker is expected to be through soon")
    func patience() throws {
        addHandler("first")
        let seat = try #require(called())
        addHandler("before it has begun")
        #expect(called() == nil)
        next(seat)
        now += Self.tick - 1
        addErrand("while it is at it")
        #expect(called() == nil)
        now += 1
        addErrand("when it has been at it for long")
        #expect(called() != nil)
    }

    @Test("nobody is woken while several things are brought, and one for them all afterwards")
    func gathering() throws {
        roster.gatherings += 1
        addErrand("errand 1")
        addErrand("errand 2")
        #expect(called() == nil)
        roster.gatherings -= 1
        let seat = try #require(called())
        #expect(called() == nil)
        #expect(all(seat) == ["errand 1", "errand 2"])
    }

    @Test("what is brought while somebody else takes long to bring the rest is looked after")
    func longGathering() throws {
        roster.gatherings += 1
        addErrand("errand")
        let call = roster.summonForArrival(at: now)
        #expect(call.summons == nil && call.beginsWatch)
        now += Self.tick
        let seat = try #require(look().summons.first).worker.seat
        #expect(all(seat) == ["errand"])
    }

    @Test("who fell asleep last is woken first")
    func warmth() throws {
        let seats = try block(3)
        for seat in [seats[0], seats[2], seats[1]] { #expect(next(seat) == nil) }
        now += Self.tick
        addHandler("handler")
        #expect(called() == seats[1])
    }

    @Test("for an afterthought alone nobody is woken before somebody looks")
    func afterthought() throws {
        addErrand("afterthought", isAfterthought: true)
        let call = roster.summonForArrival(at: now)
        #expect(call.summons == nil && call.beginsWatch)
        now += Self.tick
        let look = look()
        #expect(look.summons.count == 1)
        #expect(all(look.summons[0].worker.seat) == ["afterthought"])
    }

    @Test(
        "late afterthoughts get workers of their own, so that one that blocks delays no other job")
    func ownWorkers() throws {
        for number in 0..<4 { addErrand("afterthought \(number)", isAfterthought: true) }
        _ = roster.beginWatch()
        var seats: [Int] = []
        for _ in 0..<3 {
            now += Self.tick
            addHandler("handler")
            seats = look().summons.map(\.worker.seat)
            // None of those who block comes back.
            for seat in seats { next(seat) }
        }
        let begun = log.withLock { $0 }
        #expect(begun.count { $0.hasPrefix("afterthought") } == 4)
    }

    @Test("an afterthought is not left behind by handlers that keep coming")
    func hurry() throws {
        addErrand("afterthought", isAfterthought: true)
        addHandler("handler 0")
        let seat = try #require(called())
        for number in 1...4 {
            addHandler("handler \(number)")
            next(seat)
        }
        now += Self.tick
        let other = try #require(look().summons.first).worker.seat
        #expect(next(other) == "afterthought")
    }

    // MARK: Leaving

    @Test("a worker that was just summoned does not leave, and one that has left is not summoned")
    func leaving() throws {
        addHandler("first")
        let seat = try #require(called())
        let leavesWhenSummoned = roster.leave(seat)
        #expect(!leavesWhenSummoned)
        #expect(all(seat) == ["first"])
        let leaves = roster.leave(seat)
        #expect(leaves)
        addHandler("second")
        let (summons, _) = roster.summonForArrival(at: now)
        #expect(summons?.isNew == true)
        #expect(summons?.worker.seat == seat)
    }
}
