import BluebonnetTransport
import Foundation

/// What waits for the workers of a pool, what each does next, and when there are too few of them.
///
/// A value that decides, under the pool's lock; workers are woken outside of it. Times are
/// nanoseconds of uptime.
struct WorkerRoster {
    /// A closure as it is: as an element of a generic type it would be wrapped in another.
    struct Handler: Sendable {
        let run: @Sendable () -> Void
    }

    /// Says whether there is more to it, for another time.
    struct Errand: Sendable {
        let run: @Sendable () -> Bool
        /// Whether it may wait for a time when there is nothing else to do.
        var isAfterthought = false
    }

    enum Job: Sendable {
        case errand(Errand)
        case handler(Handler)
    }

    /// A worker that is to be woken, or to be given a thread first.
    struct Summons: Sendable {
        let worker: PoolWorker
        let isNew: Bool
    }

    private struct Desk {
        enum Occupation {
            case none, summoned, errand, handler
        }

        let worker: PoolWorker
        var occupation = Occupation.none
        var start: UInt64 = 0
        /// How many handlers come before the next errand.
        var handlersFirst = 0
    }

    private struct Counts {
        var jobs = 0
        var afterthoughts = 0
    }

    /// How often somebody looks after what waits, and for how long a worker that has begun something
    /// is expected to be through with it soon.
    static let tick: UInt64 = 4_000_000
    /// The latter where workers were found to block lately.
    static let shortPatience: UInt64 = 100_000
    /// How long ago that is.
    static let memory: UInt64 = 1_000_000_000

    private let maximumHandlers: Int
    private let coreCount: Int
    private var errands = FIFO<Errand>()
    private var handlers = FIFO<Handler>()
    private var afterthoughts = FIFO<Errand>()
    /// By seat.
    private var desks: [Desk] = []
    /// The seats of workers that sleep: the last to fall asleep is the first to be woken, because
    /// what it touched is still in its processor's cache.
    private var sleepers: [Int] = []
    /// The seats of workers that have left.
    private var freeSeats: [Int] = []
    private var handlerCount = 0
    private var came = Counts()
    private var begun = Counts()
    /// What had come at the last tick; nil while nobody watches.
    private var cameBeforeTick: Counts?
    /// Until when workers are expected to block.
    private var wariness: UInt64 = 0

    /// - Parameter maximumHandlers: how many handlers may run, or block, at the same time.
    init(maximumHandlers: Int, coreCount: Int) {
        self.maximumHandlers = maximumHandlers
        self.coreCount = coreCount
    }

    // MARK: What comes

    mutating func add(_ handler: Handler) {
        handlers.append(handler)
        came.jobs += 1
    }

    mutating func add(_ errand: Errand) {
        if errand.isAfterthought {
            afterthoughts.append(errand)
            came.afterthoughts += 1
        } else {
            errands.append(errand)
            came.jobs += 1
        }
    }

    /// Who is woken for what has come, and whether somebody has to watch from now on.
    ///
    /// Nobody is woken while somebody is expected to be through soon: to wake a thread takes longer
    /// than most of what waits, and it begins with a cold cache.
    mutating func call(at now: UInt64) -> (summons: Summons?, beginsWatch: Bool) {
        let patience = now < wariness ? Self.shortPatience : Self.tick
        let isNeeded = jobCount > 0 && busyCount(at: now, sinceLessThan: patience) == 0
        let summons = isNeeded ? summon(at: now) : nil
        return (summons, beginWatch(over: jobCount - (isNeeded ? 1 : 0)))
    }

    /// How much waits that may be begun.
    private var jobCount: Int {
        errands.count + min(handlers.count, maximumHandlers - handlerCount)
    }

    private func busyCount(at now: UInt64, sinceLessThan interval: UInt64) -> Int {
        desks.count { $0.occupation != .none && now < $0.start + interval }
    }

    // MARK: Workers

    private mutating func summon(at now: UInt64) -> Summons {
        let sleeper = sleepers.popLast()
        let seat = sleeper ?? newSeat()
        occupy(seat, .summoned, at: now)
        return Summons(worker: desks[seat].worker, isNew: sleeper == nil)
    }

    private mutating func newSeat() -> Int {
        if let seat = freeSeats.popLast() {
            desks[seat] = Desk(worker: PoolWorker(seat: seat))
            return seat
        }
        desks.append(Desk(worker: PoolWorker(seat: desks.count)))
        return desks.count - 1
    }

    private mutating func occupy(_ seat: Int, _ occupation: Desk.Occupation, at now: UInt64) {
        desks[seat].occupation = occupation
        desks[seat].start = now
    }

    /// What a worker that is through does next, nil to sleep; and whether somebody has to watch.
    ///
    /// Errands come first, because others wait for what they bring; but the handlers that waited
    /// when one was through come before the next, or those might wait for ever.
    mutating func next(for seat: Int, at now: UInt64) -> (job: Job?, beginsWatch: Bool) {
        endJob(at: seat)
        guard let job = nextJob(for: seat, at: now) else {
            desks[seat].occupation = .none
            sleepers.append(seat)
            return (nil, false)
        }
        return (job, beginWatch(over: jobCount))
    }

    private mutating func endJob(at seat: Int) {
        switch desks[seat].occupation {
        case .none, .summoned: break
        case .errand: desks[seat].handlersFirst = handlers.count
        case .handler: handlerCount -= 1
        }
    }

    private mutating func nextJob(for seat: Int, at now: UInt64) -> Job? {
        let putsHandlersFirst = desks[seat].handlersFirst > 0
        if putsHandlersFirst, let job = nextHandler(for: seat, at: now) {
            desks[seat].handlersFirst -= 1
            return job
        }
        if let errand = errands.pop() {
            begun.jobs += 1
            occupy(seat, .errand, at: now)
            return .errand(errand)
        }
        if let job = nextHandler(for: seat, at: now) { return job }
        guard let errand = afterthoughts.pop() else { return nil }
        begun.afterthoughts += 1
        occupy(seat, .errand, at: now)
        return .errand(errand)
    }

    private mutating func nextHandler(for seat: Int, at now: UInt64) -> Job? {
        guard handlerCount < maximumHandlers, let handler = handlers.pop() else { return nil }
        begun.jobs += 1
        handlerCount += 1
        occupy(seat, .handler, at: now)
        return .handler(handler)
    }

    /// Whether a worker that has slept for long leaves, which one that was just summoned does not.
    mutating func leave(_ seat: Int) -> Bool {
        guard desks[seat].occupation == .none else { return false }
        sleepers.removeAll { $0 == seat }
        freeSeats.append(seat)
        return true
    }

    // MARK: The watch

    private mutating func beginWatch(over waiting: Int) -> Bool {
        guard cameBeforeTick == nil, waiting > 0 || !afterthoughts.isEmpty else { return false }
        cameBeforeTick = came
        return true
    }

    /// Who is woken for what has waited for a whole tick, and whether the watch goes on.
    mutating func look(at now: UInt64) -> (summons: [Summons], goesOn: Bool) {
        let before = cameBeforeTick ?? came
        let isLate = begun.jobs < before.jobs
        let hurries = hurryAfterthoughts(from: before)
        let coming = busyCount(at: now, sinceLessThan: Self.tick)
        if isLate, coming == 0 { wariness = now + Self.memory }
        let wanted = isLate || hurries ? workersWanted(beside: coming) : 0
        let summons = (0..<wanted).map { _ in summon(at: now) }
        let goesOn = jobCount > wanted || !afterthoughts.isEmpty
        cameBeforeTick = goesOn ? came : nil
        return (summons, goesOn)
    }

    /// Makes errands of the afterthoughts when one has waited for a whole tick.
    private mutating func hurryAfterthoughts(from before: Counts) -> Bool {
        guard begun.afterthoughts < before.afterthoughts else { return false }
        while let errand = afterthoughts.pop() {
            begun.afterthoughts += 1
            came.jobs += 1
            errands.append(errand)
        }
        return true
    }

    /// As many again as there are, where they block or take long; no more than there are cores for
    /// where they come back.
    private func workersWanted(beside coming: Int) -> Int {
        let busy = desks.count { $0.occupation != .none }
        let room = coming == 0 ? jobCount : max(0, coreCount - coming)
        return min(jobCount, max(1, busy), room)
    }
}
