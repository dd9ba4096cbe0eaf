import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

@Suite("The schedule of the handler pool in any order of events")
struct HandlerPoolScheduleModelTests {
    @Test("every job is started once, even if threads fail to start", arguments: 0..<200)
    func nothingIsLost(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var model = HandlerPoolScheduleModel(
            maximumHandlers: .random(in: 1...4, using: &generator),
            coreCount: .random(in: 1...3, using: &generator)
        )
        for _ in 0..<400 { model.step(using: &generator) }
        model.finish()
        #expect(model.begun == model.added)
        #expect(model.workers.isEmpty && !model.isWatched && !model.needsRetry)
        #expect(model.mostHandlers <= model.maximumHandlers)
    }
}

/// The threads of a pool as values.
///
/// A thread acts only after it was woken.
private struct HandlerPoolScheduleModel {
    let maximumHandlers: Int
    private var schedule: HandlerPoolSchedule
    private let log = Locked<[HandlerPoolSchedule.Job.Kind]>([])
    /// The workers with a job, with its kind, and those that were woken for one.
    private(set) var workers:
        [(worker: HandlerPoolSchedule.Worker, kind: HandlerPoolSchedule.Job.Kind?)] = []
    private(set) var isWatched = false
    private(set) var needsRetry = false
    private(set) var added = 0
    private(set) var mostHandlers = 0
    private var isGathering = false
    /// Whether the system can start threads.
    private var canStart = true

    var begun: Int { log.withLock { $0.count } }

    init(maximumHandlers: Int, coreCount: Int) {
        self.maximumHandlers = maximumHandlers
        schedule = HandlerPoolSchedule(maximumHandlers: maximumHandlers, coreCount: coreCount)
    }

    mutating func step(using generator: inout SeededGenerator) {
        if Int.random(in: 0..<20, using: &generator) == 0 { canStart.toggle() }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1: add(job(.handler))
        case 2: add(job(.batch))
        case 3:
            added += 1
            schedule.addAfterwards(job(.batch))
            wake(schedule.threadsToWake())
        case 4:
            schedule.gatherings += isGathering ? -1 : 1
            isGathering.toggle()
            wake(schedule.threadsToWake())
        case 5 where isWatched: look()
        case 6 where needsRetry: retry()
        default:
            if let index = workers.indices.randomElement(using: &generator) {
                goOn(index)
            }
        }
    }

    /// Lets every thread continue until none is left.
    mutating func finish() {
        canStart = true
        if isGathering {
            schedule.gatherings -= 1
            wake(schedule.threadsToWake())
        }
        for _ in 0..<10_000 where isWatched || needsRetry || !workers.isEmpty {
            if needsRetry { retry() }
            if !workers.isEmpty { goOn(0) }
            if isWatched { look() }
        }
    }

    private func job(_ kind: HandlerPoolSchedule.Job.Kind) -> HandlerPoolSchedule.Job {
        .init(kind: kind) { [log] in log.withLock { $0.append(kind) } }
    }

    private mutating func add(_ job: HandlerPoolSchedule.Job) {
        added += 1
        schedule.add(job)
        wake(schedule.threadsToWake())
    }

    private mutating func look() {
        if let count = schedule.look() { wake(count) } else { isWatched = false }
    }

    private mutating func retry() {
        needsRetry = false
        wake(schedule.threadsToWake())
    }

    private mutating func wake(_ count: Int) {
        for _ in 0..<count {
            guard canStart else {
                if !schedule.giveUpThread() { needsRetry = true }
                continue
            }
            switch schedule.takeRole() {
            case .watcher: isWatched = true
            case .worker: workers.append((.init(), nil))
            }
        }
    }

    private mutating func goOn(_ index: Int) {
        let job = schedule.next(for: &workers[index].worker)
        workers[index].kind = job?.kind
        job?.run()
        if job == nil { workers.remove(at: index) }
        mostHandlers = max(mostHandlers, workers.count { $0.kind == .handler })
        wake(schedule.threadsToWake())
    }
}
