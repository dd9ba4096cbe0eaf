import Foundation
import Testing

@testable import Bluebonnet

@Suite("What is done for what has waited for a worker")
final class WorkerRosterWatchTests: RosterRig {
    @Test("somebody watches while more waits than was begun, and once")
    func watch() throws {
        addHandler("first")
        var begins = [roster.summonForArrival(at: now).beginsWatch]
        for name in ["second", "third"] {
            addHandler(name)
            begins.append(roster.summonForArrival(at: now).beginsWatch)
        }
        #expect(begins == [false, true, false])
        #expect(all(0) == ["first", "second", "third"])
        now += Self.tick
        let look = look()
        #expect(look.summons.isEmpty && !look.goesOn)
        addErrand("fourth")
        let call = roster.summonForArrival(at: now)
        #expect(call.summons?.worker.seat == 0 && !call.beginsWatch)
    }

    @Test("a worker that takes one of several sees to it that somebody watches")
    func watchOverTheRest() throws {
        addErrand("errand")
        let seat = try #require(called())
        next(seat)
        addHandler("first")
        addHandler("second")
        let (_, beginsWatch) = roster.next(for: seat, at: now)
        #expect(beginsWatch)
    }

    @Test("what has waited for a whole tick gets as many workers again while they block")
    func doubling() throws {
        for number in 0..<8 { addHandler("handler \(number)") }
        next(try #require(called()))
        var counts: [Int] = []
        for _ in 0..<4 {
            now += Self.tick
            let (summons, _) = look()
            counts.append(summons.count)
            for one in summons { next(one.worker.seat) }
        }
        #expect(counts == [1, 2, 4, 0])
    }

    @Test("what has not waited for a whole tick gets none")
    func newcomers() throws {
        addHandler("blocks")
        next(try #require(called()))
        addErrand("came before the tick")
        let call = roster.summonForArrival(at: now)
        #expect(call.summons == nil && call.beginsWatch)
        now += Self.tick
        addErrand("came after")
        next(try #require(called()))
        let (summons, goesOn) = look()
        #expect(summons.isEmpty && goesOn)
    }

    @Test("workers that come back are no more than there are cores", arguments: [1, 2, 3])
    func cores(coreCount: Int) throws {
        useRoster(maximumHandlers: 64, coreCount: coreCount)
        for number in 0..<2000 { addHandler("handler \(number)") }
        var seats = [try #require(called())]
        for _ in 0..<10 {
            now += Self.tick
            for seat in seats { next(seat) }
            seats += look().summons.map { $0.worker.seat }
        }
        #expect(seats.count == coreCount)
    }

    @Test("where the process leaves the cores idle, handlers that block for short get more workers")
    func idleCores() throws {
        useRoster(maximumHandlers: 64, coreCount: 1)
        for number in 0..<2000 { addHandler("handler \(number)") }
        var seats = [try #require(called())]
        for _ in 0..<8 {
            now += Self.tick
            for seat in seats { next(seat) }
            seats += look(use: 0.1).summons.map { $0.worker.seat }
        }
        #expect(seats.count == 64)
    }

    @Test("a late errand gets a worker, however many compute")
    func lateErrand() throws {
        useRoster(maximumHandlers: 64, coreCount: 1)
        addErrand("brings handlers")
        let seat = try #require(called())
        next(seat)
        for number in 0..<9 { addHandler("handler \(number)") }
        addErrand("waits")
        #expect(next(seat) == "handler 0")
        #expect(called() == nil)
        now += WorkerRoster.handlersFirst - 1
        #expect(next(seat) == "handler 1")
        now += Self.tick - 1
        let summons = look().summons
        #expect(summons.count == 1)
        #expect(next(summons[0].worker.seat) == "waits")
    }

    @Test("handlers beyond the maximum are not late, and nobody watches over them")
    func beyondMaximum() throws {
        useRoster(maximumHandlers: 2, coreCount: 4)
        _ = try block(2)
        for number in 0..<3 { addHandler("beyond \(number)") }
        #expect(called() == nil)
        for _ in 0..<3 {
            now += Self.tick
            let look = look()
            #expect(look.summons.isEmpty && !look.goesOn)
        }
        // Nobody was found to block in vain.
        addErrand("errand")
        let seat = try #require(called())
        next(seat)
        now += WorkerRoster.shortPatience
        addErrand("another")
        #expect(called() == nil)
    }

    @Test("a worker without a thread is given up, and the next look summons another")
    func dismissal() throws {
        addHandler("handler")
        let seat = try #require(called())
        let beginsWatch = roster.dismiss(seat)
        #expect(beginsWatch)
        now += Self.tick
        let summons = look().summons
        #expect(summons.map(\.isNew) == [true])
        #expect(next(summons[0].worker.seat) == "handler")
    }

    @Test("late afterthoughts are not forgotten when there was no thread for their worker")
    func dismissalForAfterthought() throws {
        addErrand("afterthought", isAfterthought: true)
        _ = roster.beginWatch()
        now += Self.tick
        let first = look()
        let dismissed = try #require(first.summons.first).worker.seat
        _ = roster.dismiss(dismissed)
        now += Self.tick
        let second = try #require(look().summons.first)
        #expect(next(second.worker.seat) == "afterthought")
    }

    @Test("after a hold-up the next worker is woken at once, for a while")
    func holdUp() throws {
        addHandler("first")
        next(try #require(called()))
        roster.noteHoldUp(at: now)
        now += WorkerRoster.shortPatience
        addErrand("errand")
        #expect(called() != nil)
    }

    @Test("once workers were found to block, the next is woken at once, for a while")
    func wariness() throws {
        addHandler("blocks")
        next(try #require(called()))
        addHandler("waits")
        _ = roster.summonForArrival(at: now)
        now += Self.tick
        let summons = look().summons
        #expect(summons.count == 1)
        next(summons[0].worker.seat)
        now += WorkerRoster.shortPatience
        addErrand("does not wait")
        next(try #require(called()))
        now += WorkerRoster.wariness
        addHandler("another")
        next(try #require(called()))
        now += WorkerRoster.shortPatience
        addErrand("waits again")
        #expect(called() == nil)
    }
}
