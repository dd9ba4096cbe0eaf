import Foundation
import Testing

@testable import Bluebonnet

/// A roster with a clock that tests set.
class RosterRig {
    static let millisecond: UInt64 = 1_000_000
    static let tick = WorkerRoster.tick
    /// Long after the process began, and after any tick.
    static let start: UInt64 = 1_000_000_000_000

    var roster = WorkerRoster(maximumHandlers: 8, coreCount: 4)
    var now = RosterRig.start
    var coreCount = 4
    var processorTime: UInt64 = 0
    var lastLook = RosterRig.start
    let log = Locked<[String]>([])

    // MARK: Adding and working

    func addHandler(_ name: String) {
        roster.add(WorkerRoster.Handler { [log] in log.withLock { $0.append(name) } })
    }

    func addErrand(_ name: String, isAfterthought: Bool = false) {
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
    func called() -> Int? { roster.summonForArrival(at: now).summons?.worker.seat }

    /// What is decided at a tick, in a process that has used so much of its cores since the last.
    func look(
        use: Double = 1
    ) -> (summons: [WorkerRoster.Summons], goesOn: Bool) {
        processorTime += UInt64(use * Double(coreCount) * Double(now - lastLook))
        lastLook = now
        return roster.look(at: now, processorTime: processorTime)
    }

    func useRoster(maximumHandlers: Int = 8, coreCount: Int) {
        roster = WorkerRoster(maximumHandlers: maximumHandlers, coreCount: coreCount)
        self.coreCount = coreCount
    }

    /// The name of what a worker does next; nil when it sleeps.
    @discardableResult
    func next(_ seat: Int) -> String? {
        switch roster.next(for: seat, at: now).job {
        case .handler(let handler): handler.run()
        case .errand(let errand): _ = errand.run()
        case nil: return nil
        }
        return log.withLock { $0.last }
    }

    /// Everything one worker does until it sleeps.
    func all(_ seat: Int) -> [String] {
        var names: [String] = []
        while let name = next(seat) { names.append(name) }
        return names
    }

    /// Workers, each in a handler that does not return.
    func block(_ count: Int) throws -> [Int] {
        try (0..<count).map { number in
            now += Self.tick
            addHandler("blocked \(number)")
            let seat = try #require(called())
            next(seat)
            return seat
        }
    }
}
