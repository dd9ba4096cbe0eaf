import BluebonnetTransport
import Foundation

/// Runs completion handlers for managers without a completion queue, and what brings them.
///
/// Both come in bursts and are mostly short, so one worker does all of it, one after the other,
/// instead of each waking a thread: what an errand has touched is in the processor's cache for the
/// handlers it brings, and memory is freed where it was allocated. A watch that looks while
/// something waits wakes other workers when one blocks or takes long, so nobody is held up for more
/// than a few ticks. Workers are threads of the pool's own: those of dispatch queues take turns,
/// and each begins with a cold cache.
final class HandlerPool: Sendable {
    static let shared = HandlerPool()

    private let roster: Locked<WorkerRoster>
    private let longestSleep: DispatchTimeInterval
    private let watch: PoolWatch

    /// Makes a pool in which so many handlers may block before others wait, and whose workers leave
    /// when there was nothing to do for so long.
    init(
        maximumHandlers: Int = 64,
        coreCount: Int = ProcessInfo.processInfo.activeProcessorCount,
        longestSleep: DispatchTimeInterval = .seconds(5),
        watch: PoolWatch = .shared
    ) {
        self.longestSleep = longestSleep
        self.watch = watch
        roster = Locked(WorkerRoster(maximumHandlers: maximumHandlers, coreCount: coreCount))
    }

    // MARK: What comes

    func async(_ handler: @escaping @Sendable () -> Void) {
        call { $0.add(WorkerRoster.Handler(run: handler)) }
    }

    /// Runs what may add handlers, again as long as it says that there is more.
    ///
    /// It may wait for others, who may be in the pool: what comes meanwhile goes to other workers.
    func run(_ errand: @escaping @Sendable () -> Bool) {
        call { $0.add(WorkerRoster.Errand(run: errand)) }
    }

    private func call(_ add: (inout WorkerRoster) -> Void) {
        let now = Self.uptime
        let (summons, beginsWatch) = roster.withLock { roster in
            add(&roster)
            return roster.summonForArrival(at: now)
        }
        if let summons { obey(summons) }
        if beginsWatch { watch.begin(self) }
    }

    /// Adds a handler on an errand's thread, which runs it when the errand is done.
    func append(_ handler: @escaping @Sendable () -> Void) {
        addQuietly { $0.add(WorkerRoster.Handler(run: handler)) }
    }

    /// Runs an errand that nobody waits for when there is nothing else to do, or soon anyway.
    ///
    /// It starts no thread, so it may be called while a lock is held.
    func runAfterwards(_ errand: @escaping @Sendable () -> Bool) {
        addQuietly { $0.add(WorkerRoster.Errand(run: errand, isAfterthought: true)) }
    }

    private func addQuietly(_ add: (inout WorkerRoster) -> Void) {
        let beginsWatch = roster.withLock { roster in
            add(&roster)
            return roster.beginWatch()
        }
        if beginsWatch { watch.begin(self) }
    }

    /// Runs what adds errands one after the other, and wakes somebody for all of them at the end.
    ///
    /// A worker that is woken for the first often takes the place of the thread that brings the rest,
    /// and falls asleep before that has gone on.
    func gather(_ add: () -> Void) {
        roster.withLock { $0.gatherings += 1 }
        add()
        let now = Self.uptime
        let (summons, beginsWatch) = roster.withLock { roster in
            roster.gatherings -= 1
            return roster.summonForArrival(at: now)
        }
        if let summons { obey(summons) }
        if beginsWatch { watch.begin(self) }
    }

    private static var uptime: UInt64 { DispatchTime.now().uptimeNanoseconds }

    // MARK: Workers

    private func obey(_ summons: WorkerRoster.Summons) {
        let worker = summons.worker
        guard summons.isNew else { return worker.wake() }
        do throws(ThreadNotStarted) {
            try NamedThread.startDetached("bluebonnet-work") { self.live(as: worker) }
        } catch {
            // There may be one for who looks next.
            let beginsWatch = roster.withLock { $0.dismiss(worker.seat) }
            if beginsWatch { watch.begin(self) }
        }
    }

    private func live(as worker: PoolWorker) {
        repeat { work(as: worker) } while rest(as: worker)
    }

    private func work(as worker: PoolWorker) {
        var stopwatch = JobStopwatch()
        while let job = take(worker, &stopwatch) {
            switch job {
            case .handler(let handler): handler.run()
            case .errand(let errand):
                if errand.run() { roster.withLock { $0.add(errand) } }
            }
        }
    }

    private func take(_ worker: PoolWorker, _ stopwatch: inout JobStopwatch) -> WorkerRoster.Job? {
        let now = Self.uptime
        let heldUp = stopwatch.heldUp(at: now)
        let (job, beginsWatch) = roster.withLock { roster in
            if heldUp { roster.noteHoldUp(at: now) }
            return roster.next(for: worker.seat, at: now)
        }
        if beginsWatch { watch.begin(self) }
        if let job { stopwatch.begin(job, at: now) }
        return job
    }

    /// Sleeps until there is something to do again; false when the worker has left.
    private func rest(as worker: PoolWorker) -> Bool {
        while !worker.sleep(noLongerThan: longestSleep) {
            if roster.withLock({ $0.leave(worker.seat) }) { return false }
        }
        return true
    }

    // MARK: The watch

    /// Wakes who is needed; false when nothing waits that somebody has to look after.
    func look() -> Bool {
        let (now, processorTime) = (Self.uptime, ThreadUsage.processorTimeOfProcess)
        let (summons, goesOn) = roster.withLock { $0.look(at: now, processorTime: processorTime) }
        summons.forEach(obey)
        return goesOn
    }
}
