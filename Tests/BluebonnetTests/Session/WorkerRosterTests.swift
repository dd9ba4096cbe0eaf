import Foundation
import Testing

@testable import Bluebonnet

@Suite("What a pool's workers do next, and how many there are")
final class WorkerRosterTests {
    static let millisecond: UInt64 = 1_000_000
    static let tick = WorkerRoster.tick
    /// Long after the process began, and after any tick.
    static let start: UInt64 = 1_000_000_000_000

    private var roster = WorkerRoster(maximumHandlers: 8, coreCount: 4)
    private var now = WorkerRosterTests.start
    private let log = Locked<[String]>([])

    // MARK: Adding and working

    private func addHandler(_ name: String) {
        roster.add(WorkerRoster.Handler { [log] in log.withLock { $0.append(name) } })
    }

    private func addErrand(_ name: String, isAfterthought: Bool = false) {
        roster.add(
            WorkerRoster.Errand(
                run: { [log] in
                    log.withLock { $0.append(name) }
                    return false
                },
                isAfterthought: isAfterthought
            )
        )
    }

    /// The seat of who is woken for what was added.
    private func called() -> Int? { roster.call(at: now).summons?.worker.seat }

    /// The name of what a worker does next; nil when it sleeps.
    @discardableResult
    private func next(_ seat: Int) -> String? {
        switch roster.next(for: seat, at: now).job {
        case .handler(let handler): handler.run()
        case .errand(let errand): _ = errand.run()
        case nil: return nil
        }
        return log.withLock { $0.last }
    }

    /// Everything one worker does until it sleeps.
    private func all(_ seat: Int) -> [String] {
        var names: [String] = []
        while let name = next(seat) { names.append(name) }
        return names
    }

    /// Workers, each in a handler that does not return.
    private func block(_ count: Int) throws -> [Int] {
        try (0..<count).map { number in
            now += Self.tick
            addHandler("blocked \(number)")
            let seat = try #require(called())
            next(seat)
            return seat
        }
    }

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

    @Test("no more handlers run at once than may, and errands do all the same")
    func maximum() throws {
        roster = WorkerRoster(maximumHandlers: 2, coreCount: 4)
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
        let call = roster.call(at: now)
        #expect(call.summons == nil && call.beginsWatch)
        now += Self.tick
        let look = roster.look(at: now)
        #expect(look.summons.count == 1 && !look.goesOn)
        #expect(all(look.summons[0].worker.seat) == ["afterthought"])
    }

    @Test("an afterthought is not left behind by handlers that keep coming")
    func hurry() throws {
        addErrand("afterthought", isAfterthought: true)
        addHandler("handler 0")
        let seat = try #require(called())
        var done: [String] = []
        for number in 1...4 {
            addHandler("handler \(number)")
            done.append(try #require(next(seat)))
            now += Self.tick / 2
            if number.isMultiple(of: 2) { _ = roster.look(at: now) }
        }
        #expect(done.contains("afterthought"))
    }

    // MARK: The watch

    @Test("somebody watches while more waits than was begun, and once")
    func watch() throws {
        addHandler("first")
        var begins = [roster.call(at: now).beginsWatch]
        for name in ["second", "third"] {
            addHandler(name)
            begins.append(roster.call(at: now).beginsWatch)
        }
        #expect(begins == [false, true, false])
        #expect(all(0) == ["first", "second", "third"])
        now += Self.tick
        let look = roster.look(at: now)
        #expect(look.summons.isEmpty && !look.goesOn)
        addErrand("fourth")
        let call = roster.call(at: now)
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
            let (summons, _) = roster.look(at: now)
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
        let call = roster.call(at: now)
        #expect(call.summons == nil && call.beginsWatch)
        now += Self.tick
        addErrand("came after")
        next(try #require(called()))
        let (summons, goesOn) = roster.look(at: now)
        #expect(summons.isEmpty && goesOn)
    }

    @Test("workers that come back are no more than there are cores", arguments: [1, 2, 3])
    func cores(coreCount: Int) throws {
        roster = WorkerRoster(maximumHandlers: 64, coreCount: coreCount)
        for number in 0..<2000 { addHandler("handler \(number)") }
        var seats = [try #require(called())]
        for _ in 0..<10 {
            now += Self.tick
            for seat in seats { next(seat) }
            seats += roster.look(at: now).summons.map { $0.worker.seat }
        }
        #expect(seats.count == coreCount)
    }

    @Test("once workers were found to block, the next is woken at once, for a second")
    func wariness() throws {
        addHandler("blocks")
        next(try #require(called()))
        addHandler("waits")
        _ = roster.call(at: now)
        now += Self.tick
        let summons = roster.look(at: now).summons
        #expect(summons.count == 1)
        next(summons[0].worker.seat)
        now += WorkerRoster.shortPatience
        addErrand("does not wait")
        next(try #require(called()))
        now += WorkerRoster.memory
        addHandler("another")
        next(try #require(called()))
        now += WorkerRoster.shortPatience
        addErrand("waits again")
        #expect(called() == nil)
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
        let (summons, _) = roster.call(at: now)
        #expect(summons?.isNew == true)
        #expect(summons?.worker.seat == seat)
    }
}
