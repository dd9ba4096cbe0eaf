import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking

@testable import Bluebonnet

/// All participants of one ``TaskRun``, acting in any order.
///
/// They are the task's holder, the thread of the first `resume()`, the callback queue, the acting
/// thread, transports, judges, hooks, deadlines, and late or repeated answers. The model keeps its
/// own account and checks each step against it.
struct TaskRunModel: ~Copyable {
    /// A transfer of the model.
    // @unchecked: a model is used on one thread.
    final class ModelTransfer: Transfer, @unchecked Sendable {
        private(set) var isBegun = false
        private(set) var isPaused = false
        private(set) var isCancelled = false
        let number: Int
        /// Whether its head is on the way or was reported.
        var hasHead = false
        /// Whether its end is on the way or was reported.
        var hasEnded = false

        init(_ number: Int) { self.number = number }

        func begin() { isBegun = true }
        func cancel() { isCancelled = true }
        func suspend() { isPaused = true }
        func resume() { isPaused = false }
        func didConsume(_ count: Int) {}
    }

    static var request: URLRequest { TaskRunScript.request }
    static var error: BluebonnetError { TaskRunScript.error }

    var random: SeededGenerator
    var run = TaskRun()
    var exchange = TaskExchange()
    /// The step that the thread of the first `resume()`, or the callback queue, is about to take.
    var starting: TaskRun.Step?
    var stepping: TaskRun.Step?
    /// The messages that wait for the callback queue, in order.
    var messages: [TaskHappening] = []
    /// The answers of other participants that are still to come.
    var answers: [TaskHappening] = []
    /// Events that were accepted once and can be repeated.
    var former: [TaskHappening] = []
    var acting: [TaskEffect]?
    var transfers: [ModelTransfer] = []
    var wasResumed = false
    var wasCancelled = false
    var finishCount = 0
    var endedAttempts = 0
    var attempts = 0
    var stepCount = 0
    let verdict: ModelVerdict

    init(seed: UInt64, logs: Bool) {
        random = SeededGenerator(seed: seed)
        verdict = ModelVerdict(logs: logs)
    }

    static func run(seed: UInt64, logs: Bool) throws(RandomWalks.Failure) -> Int {
        var model = Self(seed: seed, logs: logs)
        let count = 10 + model.random.next() % 60
        // Some tasks are rarely disturbed, because few disturbed ones get far.
        let isDisturbed = model.chance(2)
        while model.stepCount < count, model.verdict.fault == nil {
            model.happen(isDisturbed: isDisturbed)
        }
        model.drain()
        guard let fault = model.verdict.fault else { return model.stepCount }
        throw RandomWalks.Failure(reason: fault, events: model.verdict.events)
    }

    mutating func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }

    // MARK: Events

    private mutating func happen(isDisturbed: Bool) {
        stepCount += 1
        switch random.next() % 16 {
        case 0, 1: resume()
        case 2: handle(.event(.suspend))
        case 3 where isDisturbed && chance(4): cancel()
        case 4 where isDisturbed && chance(4) && !run.stage.isNew:
            messages.append(.event(.expired(Self.error)))
        // An earlier event is repeated.
        case 5 where isDisturbed:
            if let event = former.randomElement(using: &random) { messages.append(event) }
        case 6, 7, 8: report()
        case 9: answer()
        case 10: act()
        case 11: takeStart()
        default: advanceQueue()
        }
        expectConsistency()
    }

    /// Lets everything end.
    private mutating func drain() {
        for _ in 0..<500 where verdict.fault == nil {
            if acting != nil {
                act()
            } else if starting != nil {
                takeStart()
            } else if stepping != nil
                || !messages.isEmpty
            {
                advanceQueue()
            } else if run.isSuspended, run.stage.isUnderWay, !run.isCancelled {
                handle(.event(.resume))
            } else if !answers.isEmpty {
                answer()
            } else if transfers.contains(where: { $0.isBegun && !$0.hasEnded }) {
                report(ends: true)
            } else {
                break
            }
            expectConsistency()
        }
        let isOver = wasResumed || wasCancelled
        verdict.expect(
            finishCount == (isOver ? 1 : 0), "\(finishCount) ends of a task, \(run.stage)")
        verdict.expect(endedAttempts == attempts, "\(endedAttempts) ends of \(attempts) attempts")
        for transfer in transfers where transfer.isBegun {
            verdict.expect(transfer.hasEnded || transfer.isCancelled, "an exchange goes on")
        }
    }

    private mutating func resume() {
        let isFirst = run.stage.isNew && !wasCancelled
        let step = change(.event(.resume))
        guard isFirst else { return }
        wasResumed = true
        starting = consume step
    }

    private mutating func cancel() {
        if !run.stage.isFinished { wasCancelled = true }
        handle(.event(.cancel()))
    }

    /// Handles an event that no step can follow.
    private mutating func handle(_ event: TaskHappening) {
        let step = change(event)
        verdict.expect(step.isNothing, "\(event) is answered with a step")
    }

    private mutating func change(_ event: TaskHappening) -> TaskRun.Step {
        verdict.note("\(event) while \(run.stage)")
        let step = event.happen(to: &run, &exchange)
        if run.ended.take() != nil { endedAttempts += 1 }
        if let effects = run.effects.begin() {
            verdict.expect(acting == nil, "two threads act at once")
            acting = effects.all
        }
        return step
    }

    private mutating func act() {
        guard let effects = acting else { return }
        guard let effect = effects.first else {
            acting = run.effects.next()?.all
            return
        }
        acting?.removeFirst()
        switch effect {
        case .begin(let transfer):
            let others = transfers.filter { $0.isBegun && !$0.hasEnded && !$0.isCancelled }
            verdict.expect(others.isEmpty, "two exchanges at once")
            transfer.begin()
        case .pause(let transfer): transfer.suspend()
        case .unpause(let transfer): transfer.resume()
        case .abort(let transfer), .end(let transfer): transfer.cancel()
        case .comeBack(let event): messages.append(.event(event))
        case .limitBody(let number):
            if chance(2) { messages.append(.event(.bodyIsLate(ofExchange: number))) }
        case .tell, .endAttempt, .release, .endWork: break
        }
    }

    /// Reports a head, a body, an end, or what a transport must not report.
    private mutating func report(ends: Bool = false) {
        let under = transfers.filter { $0.isBegun && !$0.hasEnded }
        guard let transfer = under.randomElement(using: &random) else { return }
        var report = Exchange.Report()
        if !transfer.hasHead || chance(40) {
            transfer.hasHead = true
            if !chance(30) { report.head = Exchange.Head(statusCode: 200) }
        }
        if chance(2) { report.body = [Exchange.Chunk(Data(count: chance(3) ? 70_000 : 10))] }
        if ends || transfer.isCancelled || chance(3) {
            transfer.hasEnded = true
            let isFailure = transfer.isCancelled || chance(4)
            report.end = Exchange.End(failure: isFailure ? .lost : nil)
        }
        messages.append(.report(report, ofExchange: transfer.number))
        if transfer.isCancelled, chance(8) {
            messages.append(.event(.endIsMissing(ofExchange: transfer.number)))
        }
    }

    private mutating func answer() {
        guard !answers.isEmpty else { return }
        let index = Int(random.next() % UInt64(answers.count))
        messages.append(answers.remove(at: index))
    }

    // MARK: Threads

    private mutating func takeStart() {
        guard let step = starting.take() else { return }
        // A failure on this thread is passed to the callback queue.
        if let event = take(step) { starting = change(event) }
    }

    private mutating func advanceQueue() {
        if let step = stepping.take() {
            if let event = take(step) {
                switch event {
                // `made` and the end of an attempt occur once.
                case .made, .event(.startOver), .found: break
                default: former.append(event)
                }
                stepping = change(event)
            }
        } else if !messages.isEmpty {
            let event = messages.removeFirst()
            switch event {
            case .report, .event(.endIsMissing), .event(.bodyIsLate): break
            default: former.append(event)
            }
            stepping = change(event)
        }
    }

    /// Takes a step, and returns the next event if it is known at once.
    private mutating func take(_ step: consuming TaskRun.Step) -> TaskHappening? {
        verdict.expect(finishCount == 0 || step.isNothing, "a step after the end")
        switch consume step {
        case .nothing: return nil
        case .prepare(let attempt):
            attempts += 1
            verdict.expect(attempt == attempts, "attempt \(attempt) is the \(attempts)th")
            let prepared = TaskHappening.event(.prepared(TaskRunScript.prepared))
            guard chance(3) else { return sooner(prepared) }
            answers.append(chance(4) ? .event(.failed(Self.error)) : prepared)
            return .event(.adapting)
        case .send:
            if chance(12) {
                messages.append(.event(.failed(Self.error)))
                return nil
            }
            let transfer = ModelTransfer(exchange.number + 1)
            transfers.append(transfer)
            return .made(transfer)
        case .find(let rest): return .found(finding, rest)
        case .ask:
            let decisions: [TaskRun.Event] = [
                .follow(Self.request), .follow(Self.request), .keepResponse, .failed(Self.error),
            ]
            return sooner(.event(decisions.randomElement(using: &random) ?? .keepResponse))
        case .decide:
            return sooner(.event(chance(3) ? .follow(Self.request) : .failed(Self.error)))
        case .complete: return nil
        case .keep: return nil
        case .move: return nil
        case .judge:
            if chance(12) { return .event(.startOver(Self.error)) }
            if chance(4) { return .event(.judged(.doubted(Self.error))) }
            return .event(.judged(chance(3) ? .refused(Self.error) : .accepted))
        case .askRetriers:
            if attempts < 3, chance(2) {
                return sooner(.event(.retry(after: chance(2) ? .zero : .seconds(1))))
            }
            return sooner(.event(.giveUp(chance(4) ? Self.error : nil)))
        case .wait(let delay): return delay == .zero ? .event(.due) : sooner(.event(.due))
        case .settle(.success):
            return sooner(.event(chance(2) ? .settled(nil) : .commit(to: nil)))
        case .settle: return sooner(.event(.settled(nil)))
        case .finish(let outcome):
            finishCount += 1
            switch outcome {
            case .cancelled: verdict.expect(wasCancelled, "ends as canceled, which nobody did")
            case .success, .failure:
                verdict.expect(!wasCancelled, "a canceled task ends as though it were not")
            }
            return nil
        }
    }

    /// What a head turns out to be.
    private var finding: HeadFinding {
        mutating get {
            let judgement = Reception.Judgement()
            let error = Self.error
            let findings: [HeadFinding] = [
                .accept(judgement, .memory), .accept(judgement, .memory),
                .refuse(Reception.Judgement(verdict: error)), .turn(.redirect), .turn(.challenge),
                .ask(.handler { _ in .allow }, judgement), .ask(.doubt(error), judgement),
                .restart(Self.request), .restart(nil), .fail(error),
            ]
            return findings.randomElement(using: &random) ?? .accept(judgement, .memory)
        }
    }

    /// Returns an event at once, or adds it to the answers that come later.
    private mutating func sooner(_ event: TaskHappening) -> TaskHappening? {
        guard chance(2) else { return event }
        answers.append(event)
        if chance(8) { answers.append(event) }
        return nil
    }

    private mutating func expectConsistency() {
        guard acting == nil else { return }
        guard let transfer = run.transfer as? ModelTransfer else { return }
        verdict.expect(transfer.isBegun, "a transfer that was not begun")
        guard !transfer.isCancelled else { return }
        verdict.expect(!run.isCancelled, "a canceled task's exchange goes on")
        let isHeld =
            switch run.stage {
            case .asking, .retrying: true
            default: false
            }
        verdict.expect(
            transfer.isPaused == (run.isSuspended || isHeld),
            "an exchange is \(transfer.isPaused ? "" : "not ")paused, unlike its task")
    }
}

extension TaskEffects.Batch {
    fileprivate var all: [TaskEffect] { [first].compactMap(\.self) + rest }
}

extension TaskRun.Step {
    fileprivate var isNothing: Bool {
        switch self {
        case .nothing: true
        default: false
        }
    }
}
