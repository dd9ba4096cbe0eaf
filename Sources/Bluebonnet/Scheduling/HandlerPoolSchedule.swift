import BluebonnetTransport

/// The waiting jobs of a pool, and the number of threads to wake for them.
///
/// It is a value that makes decisions under the pool's lock. Threads are woken and started outside
/// the lock.
struct HandlerPoolSchedule {
    struct Job: Sendable {
        enum Kind: Sendable {
            /// Handles a queue's messages, and can add handlers.
            case batch
            /// Belongs to the caller, and can block.
            case handler
        }

        let kind: Kind
        // In a struct, because a generic type would wrap each closure element in another closure.
        let run: @Sendable () -> Void
    }

    /// A worker's own state.
    struct Worker {
        fileprivate var current: (kind: Job.Kind, period: Int)?
        /// The number of handlers that run before the next batch.
        fileprivate var handlersFirst = 0
    }

    /// The role that a thread is woken for.
    enum Role {
        case worker, watcher
    }

    private enum Watch {
        case none, woken, running
    }

    private let maximumHandlers: Int
    /// The maximum number of workers that are not stuck, when more are woken for late jobs.
    private let breadth: Int
    private var batches = FIFO<Job>()
    private var handlers = FIFO<Job>()
    /// Batches that wait for an idle worker or the next tick.
    private var lowBatches = FIFO<Job>()
    private var runningHandlers = 0
    private var added = 0
    private var begun = 0
    private var addedBeforeTick = 0

    private var watch = Watch.none
    /// Incremented with each tick, and when the watch begins.
    private var period = 0
    /// The workers by the period in which their job began: the current one, the previous one, or
    /// earlier.
    private var busy = (now: 0, before: 0, stuck: 0)
    /// Workers that were woken and have not taken a job yet.
    private var woken = 0
    /// Callers that are adding several jobs.
    var gatherings = 0

    init(maximumHandlers: Int, coreCount: Int) {
        self.maximumHandlers = maximumHandlers
        breadth = 4 * coreCount
    }

    // MARK: Jobs

    mutating func add(_ job: Job) {
        added += 1
        switch job.kind {
        case .batch: batches.append(job)
        case .handler: handlers.append(job)
        }
    }

    mutating func addAfterwards(_ job: Job) { lowBatches.append(job) }

    /// Ends a worker's job and returns its next one, or nil if the worker has to sleep.
    ///
    /// Batches go first, because tasks wait for them. The handlers that wait when a batch ends go
    /// before the next batch, or they could wait forever.
    mutating func next(for worker: inout Worker) -> Job? {
        end(&worker)
        guard let job = takeJob(&worker) else { return nil }
        worker.current = (job.kind, period)
        busy.now += 1
        if job.kind == .handler { runningHandlers += 1 }
        return job
    }

    private mutating func end(_ worker: inout Worker) {
        guard let job = worker.current.take() else { return }
        switch period - job.period {
        case 0: busy.now -= 1
        case 1: busy.before -= 1
        default: busy.stuck -= 1
        }
        switch job.kind {
        case .batch: worker.handlersFirst = runnableHandlers
        case .handler: runningHandlers -= 1
        }
    }

    private mutating func takeJob(_ worker: inout Worker) -> Job? {
        let handlerIsFirst = worker.handlersFirst > 0
        worker.handlersFirst = max(0, worker.handlersFirst - 1)
        let handler = handlerIsFirst ? takeHandler() : nil
        guard let job = handler ?? batches.pop() ?? takeHandler() else { return lowBatches.pop() }
        begun += 1
        return job
    }

    private mutating func takeHandler() -> Job? {
        runnableHandlers > 0 ? handlers.pop() : nil
    }

    private var runnableHandlers: Int { min(handlers.count, maximumHandlers - runningHandlers) }
    private var runnable: Int { batches.count + runnableHandlers }

    // MARK: Threads

    /// Returns how many threads to wake, and counts them as woken.
    ///
    /// A worker that is not stuck takes the waiting jobs, because waking a thread takes longer than
    /// most of them. A watcher makes sure that no job waits for long.
    mutating func threadsToWake() -> Int {
        guard gatherings == 0 else { return 0 }
        var count = 0
        if runnable > 0, movingWorkers == 0 {
            woken += 1
            count += 1
        }
        if watch == .none, runnable > woken || !lowBatches.isEmpty {
            watch = .woken
            beginPeriod()
            count += 1
        }
        return count
    }

    /// Workers that are expected to take another job soon.
    private var movingWorkers: Int { woken + busy.now + busy.before }

    private mutating func beginPeriod() {
        period += 1
        busy = (0, busy.now, busy.stuck + busy.before)
        addedBeforeTick = added
    }

    /// Returns the role of a thread that was woken.
    mutating func takeRole() -> Role {
        if watch == .woken {
            watch = .running
            return .watcher
        }
        woken -= 1
        return .worker
    }

    /// Records that a thread could not be started, and returns whether a watcher will ask again.
    mutating func giveUpThread() -> Bool {
        if watch == .woken { watch = .none } else { woken -= 1 }
        return watch != .none
    }

    /// Returns how many threads to wake for late jobs, or nil to end the watch.
    ///
    /// The watcher calls it once per tick. The watch ends when no job waits.
    mutating func look() -> Int? {
        let late = min(runnable, addedBeforeTick - begun)
        while let job = lowBatches.pop() { add(job) }
        guard runnable > 0 else {
            watch = .none
            return nil
        }
        beginPeriod()
        // As many as are stuck, because the waiting jobs are likely to get stuck too.
        let wanted = min(late, max(breadth, busy.stuck) - movingWorkers)
        let count = max(movingWorkers == 0 ? 1 : 0, wanted)
        woken += count
        return count
    }
}
