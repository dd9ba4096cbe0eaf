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
            case none, summoned, errand, handler, afterthought
        }

        let worker: PoolWorker
        var occupation = Occupation.none
        var start: UInt64 = 0
        /// Handlers up to this one, in the order they came, go before the next errand.
        var lastHandlerFirst = 0
        /// For no longer than until then.
        var endOfHandlersFirst: UInt64 = 0
        /// Whether it was summoned for an afterthought.
        var putsAfterthoughtFirst = false
    }

    private struct Counts {
        var errands = 0
        var handlers = 0
        var afterthoughts = 0
    }

    /// How often somebody looks after what waits, and for how long a worker that has begun something
    /// is expected to be through with it soon.
    static let tick: UInt64 = 4_000_000
    /// The latter where workers were held up lately.
    static let shortPatience: UInt64 = 100_000
    /// How long ago that is.
    static let wariness: UInt64 = 100_000_000
    /// For so long after an errand, handlers that wait go before the next.
    static let handlersFirst: UInt64 = 1_000_000

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
    private var lastLook: (time: UInt64, processorTime: UInt64) = (0, 0)
    private var endOfWariness: UInt64 = 0
    /// How many bring several things, for which nobody is woken before they have brought them all.
    var gatherings = 0

    /// Makes one for a pool in which so many handlers may run, or block, at the same time.
    init(maximumHandlers: Int, coreCount: Int) {
        self.maximumHandlers = maximumHandlers
        self.coreCount = coreCount
    }

    // MARK: What comes

    mutating func add(_ handler: Handler) {
        handlers.append(handler)
        came.handlers += 1
    }

    mutating func add(_ errand: Errand) {
        if errand.isAfterthought {
            afterthoughts.append(errand)
            came.afterthoughts += 1
        } else {
            errands.append(errand)
            came.errands += 1
        }
    }

    /// Who is woken for what has come, and whether somebody has to watch from now on: nobody while
    /// somebody is expected to be through soon, because to wake a thread takes longer than most of
    /// what waits, and it begins with a cold cache.
    mutating func summonForArrival(at now: UInt64) -> (summons: Summons?, beginsWatch: Bool) {
        guard gatherings == 0 else { return (nil, beginWatch(over: runnableCount)) }
        let patience = now < endOfWariness ? Self.shortPatience : Self.tick
        let isNeeded = runnableCount > 0 && busyCount(at: now, sinceLessThan: patience) == 0
        let summons = isNeeded ? summon(at: now) : nil
        return (summons, beginWatch(over: runnableCount - (isNeeded ? 1 : 0)))
    }

    /// How much waits that may be begun, beside afterthoughts.
    private var runnableCount: Int { errands.count + runnableHandlers(of: handlers.count) }

    private func runnableHandlers(of count: Int) -> Int {
        max(0, min(count, maximumHandlers - handlerCount))
    }

    private func busyCount(at now: UInt64, sinceLessThan interval: UInt64) -> Int {
        desks.count { $0.occupation != .none && now < $0.start + interval }
    }

    /// Notes that a worker was held up by what it did, so that others are not left to wait for it.
    mutating func noteHoldUp(at now: UInt64) {
        endOfWariness = now + Self.wariness
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
    /// when one was through come before the next for a while, or those might wait for ever.
    mutating func next(for seat: Int, at now: UInt64) -> (job: Job?, beginsWatch: Bool) {
        endJob(at: seat, now)
        guard let job = nextJob(for: seat, at: now) else {
            desks[seat].occupation = .none
            sleepers.append(seat)
            return (nil, false)
        }
        return (job, beginWatch(over: runnableCount))
    }

    private mutating func endJob(at seat: Int, _ now: UInt64) {
        switch desks[seat].occupation {
        case .none, .summoned, .afterthought: break
        case .errand:
            desks[seat].lastHandlerFirst = came.handlers
            desks[seat].endOfHandlersFirst = now + Self.handlersFirst
        case .handler: handlerCount -= 1
        }
    }

    private mutating func nextJob(for seat: Int, at now: UInt64) -> Job? {
        if desks[seat].putsAfterthoughtFirst, let job = nextAfterthought(for: seat, at: now) {
            return job
        }
        if begun.handlers < desks[seat].lastHandlerFirst, now < desks[seat].endOfHandlersFirst,
            let job = nextHandler(for: seat, at: now)
        {
            return job
        }
        return nextErrand(for: seat, at: now) ?? nextHandler(for: seat, at: now)
            ?? nextAfterthought(for: seat, at: now)
    }

    private mutating func nextErrand(for seat: Int, at now: UInt64) -> Job? {
        guard let errand = errands.pop() else { return nil }
        begun.errands += 1
        occupy(seat, .errand, at: now)
        return .errand(errand)
    }

    private mutating func nextHandler(for seat: Int, at now: UInt64) -> Job? {
        guard handlerCount < maximumHandlers, let handler = handlers.pop() else { return nil }
        begun.handlers += 1
        handlerCount += 1
        occupy(seat, .handler, at: now)
        return .handler(handler)
    }

    private mutating func nextAfterthought(for seat: Int, at now: UInt64) -> Job? {
        desks[seat].putsAfterthoughtFirst = false
        guard let errand = afterthoughts.pop() else { return nil }
        begun.afterthoughts += 1
        occupy(seat, .afterthought, at: now)
        return .errand(errand)
    }

    /// Whether a worker that has slept for long leaves, which one that was just summoned does not.
    mutating func leave(_ seat: Int) -> Bool {
        guard desks[seat].occupation == .none else { return false }
        sleepers.removeAll { $0 == seat }
        freeSeats.append(seat)
        return true
    }

    /// Gives up a worker for which there is no thread; returns whether somebody has to watch, who
    /// will summon another.
    mutating func dismiss(_ seat: Int) -> Bool {
        desks[seat].occupation = .none
        desks[seat].putsAfterthoughtFirst = false
        freeSeats.append(seat)
        return beginWatch(over: runnableCount)
    }

    // MARK: The watch

    /// Sees to it that somebody looks after what was added; returns whether that begins now.
    mutating func beginWatch() -> Bool { beginWatch(over: runnableCount) }
    private mutating func beginWatch(over waiting: Int) -> Bool {
        guard cameBeforeTick == nil, waiting > 0 || !afterthoughts.isEmpty else { return false }
        cameBeforeTick = came
        return true
    }

    /// Who is woken for what has waited for a whole tick, and whether the watch goes on; the
    /// process has used so much processor time so far.
    mutating func look(
        at now: UInt64, processorTime: UInt64
    ) -> (summons: [Summons], goesOn: Bool) {
        let before = cameBeforeTick ?? came
        let isBusy = isProcessBusy(now, processorTime)
        var summons = summonForLateJobs(before, at: now, isBusy)
        summons += summonForLateAfterthoughts(before, at: now)
        let goesOn = runnableCount > summons.count || !afterthoughts.isEmpty
        cameBeforeTick = goesOn ? came : nil
        lastLook = (now, processorTime)
        return (summons, goesOn)
    }

    /// Whether it has used half of what the cores can do since the last look, as far as is known.
    private func isProcessBusy(_ now: UInt64, _ processorTime: UInt64) -> Bool {
        let passed = now - lastLook.time
        guard passed < 4 * Self.tick else { return true }
        return (processorTime - lastLook.processorTime) * 2 >= passed * UInt64(coreCount)
    }

    /// As many again as there are, where they block or take long; but no more than there are cores
    /// where they compute and come back.
    private mutating func summonForLateJobs(
        _ before: Counts, at now: UInt64, _ isProcessBusy: Bool
    ) -> [Summons] {
        let lateErrands = max(0, before.errands - begun.errands)
        let late = lateErrands + runnableHandlers(of: before.handlers - begun.handlers)
        guard late > 0 else { return [] }
        let coming = busyCount(at: now, sinceLessThan: Self.tick)
        if coming == 0 { noteHoldUp(at: now) }
        let summoned = desks.count { $0.occupation == .summoned && !$0.putsAfterthoughtFirst }
        let busy = desks.count { $0.occupation == .errand || $0.occupation == .handler }
        var wanted = min(late, max(1, busy)) - summoned
        if coming > 0, isProcessBusy {
            wanted = min(wanted, max(lateErrands > 0 ? 1 : 0, coreCount - coming))
        }
        return (0..<max(0, wanted)).map { _ in summon(at: now) }
    }

    /// Workers of their own: an observer may block for ever.
    private mutating func summonForLateAfterthoughts(
        _ before: Counts, at now: UInt64
    ) -> [Summons] {
        let late = before.afterthoughts - begun.afterthoughts
        let summoned = desks.count(where: \.putsAfterthoughtFirst)
        let wanted = min(late, max(1, desks.count { $0.occupation == .afterthought })) - summoned
        return (0..<max(0, wanted)).map { _ in
            let summons = summon(at: now)
            desks[summons.worker.seat].putsAfterthoughtFirst = true
            return summons
        }
    }
}
