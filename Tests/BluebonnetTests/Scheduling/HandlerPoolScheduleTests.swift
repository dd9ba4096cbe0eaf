import Foundation
import Testing

@testable import Bluebonnet

@Suite("The schedule of a pool")
struct HandlerPoolScheduleTests {
    private let log = Locked<[String]>([])

    private func job(_ kind: HandlerPoolSchedule.Job.Kind, _ name: String)
        -> HandlerPoolSchedule.Job
    {
        .init(kind: kind) { [log] in log.withLock { $0.append(name) } }
    }

    /// Runs a worker's next job and returns its name, or nil if the worker sleeps.
    private func next(
        _ schedule: inout HandlerPoolSchedule, _ worker: inout HandlerPoolSchedule.Worker
    ) -> String? {
        guard let job = schedule.next(for: &worker) else { return nil }
        job.run()
        return log.withLock { $0.last }
    }

    /// Returns a schedule whose only worker has started a job.
    private func busySchedule(
        maximumHandlers: Int = 64
    ) -> (schedule: HandlerPoolSchedule, worker: HandlerPoolSchedule.Worker) {
        var schedule = HandlerPoolSchedule(maximumHandlers: maximumHandlers, coreCount: 1)
        var worker = HandlerPoolSchedule.Worker()
        schedule.add(job(.handler, "first"))
        #expect(schedule.threadsToWake() == 1)
        #expect(schedule.takeRole() == .worker)
        #expect(next(&schedule, &worker) == "first")
        #expect(schedule.threadsToWake() == 0)
        return (schedule, worker)
    }

    @Test("the first job wakes a worker, and the next ones at most a watcher")
    func arrivals() {
        var schedule = HandlerPoolSchedule(maximumHandlers: 64, coreCount: 4)
        schedule.add(job(.batch, "a"))
        #expect(schedule.threadsToWake() == 1)
        schedule.add(job(.batch, "b"))
        #expect(schedule.threadsToWake() == 1)
        for _ in 0..<10 {
            schedule.add(job(.handler, "c"))
            #expect(schedule.threadsToWake() == 0)
        }
        #expect([schedule.takeRole(), schedule.takeRole()] == [.watcher, .worker])
    }

    @Test("batches run first, but after one, the handlers that waited at its end")
    func order() {
        var (schedule, worker) = busySchedule()
        for name in ["h1", "h2"] { schedule.add(job(.handler, name)) }
        schedule.addAfterwards(job(.batch, "low"))
        for name in ["b1", "b2"] { schedule.add(job(.batch, name)) }
        #expect(next(&schedule, &worker) == "b1")
        schedule.add(job(.handler, "h3"))
        for name in ["h1", "h2", "h3"] {
            #expect(next(&schedule, &worker) == name)
            schedule.add(job(.handler, "later"))
        }
        #expect(next(&schedule, &worker) == "b2")
        for _ in 0..<3 { #expect(next(&schedule, &worker) == "later") }
        #expect(next(&schedule, &worker) == "low")
        #expect(next(&schedule, &worker) == nil)
    }

    @Test("a job that waits behind a stuck worker gets another worker at the next tick")
    func stuck() {
        var (schedule, _) = busySchedule()
        schedule.add(job(.handler, "second"))
        #expect(schedule.threadsToWake() == 1 && schedule.takeRole() == .watcher)
        #expect(schedule.look() == 1)
        #expect(schedule.takeRole() == .worker)
        var other = HandlerPoolSchedule.Worker()
        #expect(next(&schedule, &other) == "second")
        #expect(schedule.look() == nil)
    }

    @Test("if the workers are known to be stuck, a job wakes another at once")
    func knownToBeStuck() {
        var (schedule, _) = busySchedule()
        schedule.add(job(.handler, "second"))
        #expect(schedule.threadsToWake() == 1 && schedule.takeRole() == .watcher)
        #expect(schedule.look() == 1 && schedule.takeRole() == .worker)
        var other = HandlerPoolSchedule.Worker()
        #expect(next(&schedule, &other) == "second")
        #expect(next(&schedule, &other) == nil)
        schedule.add(job(.handler, "third"))
        #expect(schedule.threadsToWake() == 1)
    }

    @Test("stuck workers are doubled, up to the maximum of handlers")
    func doubling() {
        var (schedule, worker) = busySchedule(maximumHandlers: 20)
        for _ in 0..<40 { schedule.add(job(.handler, "blocked")) }
        #expect(schedule.threadsToWake() == 1 && schedule.takeRole() == .watcher)
        var workers = 1
        for _ in 0..<12 {
            let count = schedule.look() ?? 0
            for _ in 0..<count {
                #expect(schedule.takeRole() == .worker)
                var other = HandlerPoolSchedule.Worker()
                #expect(next(&schedule, &other) == "blocked")
            }
            workers += count
        }
        #expect(workers == 20)
        // A handler that returns makes room for another, on the same worker.
        #expect(next(&schedule, &worker) == "blocked")
        #expect(schedule.threadsToWake() == 0)
    }

    @Test("late jobs get at most four workers per core")
    func late() {
        var (schedule, worker) = busySchedule()
        var workers = [worker]
        for _ in 0..<200 { schedule.add(job(.handler, "short")) }
        #expect(schedule.threadsToWake() == 1 && schedule.takeRole() == .watcher)
        for _ in 0..<10 {
            for index in workers.indices {
                worker = workers[index]
                #expect(next(&schedule, &worker) == "short")
                workers[index] = worker
            }
            for _ in 0..<(schedule.look() ?? 0) {
                #expect(schedule.takeRole() == .worker)
                workers.append(.init())
            }
        }
        #expect(workers.count == 4)
    }

    @Test("a low-priority batch wakes no worker before the next tick")
    func afterwards() {
        var schedule = HandlerPoolSchedule(maximumHandlers: 64, coreCount: 1)
        schedule.addAfterwards(job(.batch, "low"))
        #expect(schedule.threadsToWake() == 1 && schedule.takeRole() == .watcher)
        #expect(schedule.look() == 1)
        #expect(schedule.takeRole() == .worker)
        var worker = HandlerPoolSchedule.Worker()
        #expect(next(&schedule, &worker) == "low")
        #expect(schedule.look() == nil)
    }

    @Test("gathered jobs wake nothing until the end, and then one worker for all")
    func gathering() {
        var schedule = HandlerPoolSchedule(maximumHandlers: 64, coreCount: 1)
        schedule.gatherings += 1
        schedule.add(job(.batch, "only"))
        #expect(schedule.threadsToWake() == 0)
        schedule.gatherings -= 1
        #expect(schedule.threadsToWake() == 1 && schedule.takeRole() == .worker)
    }
}
