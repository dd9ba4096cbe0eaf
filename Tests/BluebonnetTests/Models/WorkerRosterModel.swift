import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

@Suite("A pool's workers, whatever comes in whatever order")
struct WorkerRosterModelTests {
    @Test("everything that comes is begun once, by workers that come back", arguments: 0..<200)
    func nothingIsForgotten(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var model = WorkerRosterModel(
            maximumHandlers: .random(in: 1...4, using: &generator),
            coreCount: .random(in: 1...3, using: &generator)
        )
        for _ in 0..<400 { model.step(using: &generator) }
        model.finish()
        #expect(!model.isWatched && model.awake.isEmpty)
        #expect(model.begun == model.added)
    }
}

/// Threads and watch as a pool has them: nobody does anything who was not summoned.
private struct WorkerRosterModel {
    private var roster: WorkerRoster
    private var now: UInt64 = 1_000_000_000_000
    private var processorTime: UInt64 = 0
    private(set) var awake: [Int] = []
    private var asleep: Set<Int> = []
    private(set) var isWatched = false
    private(set) var added = 0
    private(set) var begun = 0

    init(maximumHandlers: Int, coreCount: Int) {
        roster = WorkerRoster(maximumHandlers: maximumHandlers, coreCount: coreCount)
    }

    mutating func step(using generator: inout SeededGenerator) {
        let passed = UInt64.random(in: 0...WorkerRoster.tick, using: &generator)
        now += passed
        processorTime += UInt64.random(in: 0...3 * passed, using: &generator)
        switch Int.random(in: 0..<9, using: &generator) {
        case 0, 1: add(.init(run: {}))
        case 2: add(.init(run: { false }))
        case 3: addAfterthought()
        case 4 where isWatched: look()
        case 5: leave(asleep.sorted().randomElement(using: &generator))
        default: comeBack(awake.randomElement(using: &generator))
        }
    }

    /// Lets time pass until there is nothing to do, or for long.
    mutating func finish() {
        for _ in 0..<10_000 where isWatched || !awake.isEmpty {
            now += WorkerRoster.tick
            for seat in awake { comeBack(seat) }
            if isWatched { look() }
        }
    }

    private mutating func add(_ handler: WorkerRoster.Handler) {
        added += 1
        roster.add(handler)
        heedArrival()
    }

    private mutating func add(_ errand: WorkerRoster.Errand) {
        added += 1
        roster.add(errand)
        heedArrival()
    }

    private mutating func addAfterthought() {
        added += 1
        roster.add(WorkerRoster.Errand(run: { false }, isAfterthought: true))
        watch(roster.beginWatch())
    }

    private mutating func heedArrival() {
        let (summons, beginsWatch) = roster.summonForArrival(at: now)
        if let summons { wake(summons) }
        watch(beginsWatch)
    }

    private mutating func watch(_ begins: Bool) {
        isWatched = begins || isWatched
    }

    private mutating func wake(_ summons: WorkerRoster.Summons) {
        awake.append(summons.worker.seat)
        asleep.remove(summons.worker.seat)
    }

    private mutating func look() {
        let (summons, goesOn) = roster.look(at: now, processorTime: processorTime)
        isWatched = goesOn
        for one in summons { wake(one) }
    }

    private mutating func comeBack(_ seat: Int?) {
        guard let seat else { return }
        let (job, beginsWatch) = roster.next(for: seat, at: now)
        watch(beginsWatch)
        if job != nil { return begun += 1 }
        awake.removeAll { $0 == seat }
        asleep.insert(seat)
    }

    private mutating func leave(_ seat: Int?) {
        guard let seat, roster.leave(seat) else { return }
        asleep.remove(seat)
    }
}
