import BluebonnetTestSupport
import BluebonnetTransport
import FoundationNetworking

@testable import Bluebonnet

/// All participants of one ``TaskRun``, acting in any order.
///
/// They are the task's holder, the thread of the first `resume()`, the callback queue, the acting
/// thread, transports, hooks, disks, deadlines, and late or repeated answers. The model keeps its
/// own account and checks each step against it.
struct TaskRunModel {
    /// A transfer of the model.
    // @unchecked: a model is used on one thread.
    final class ModelTransfer: Transfer, @unchecked Sendable {
        private(set) var isBegun = false
        private(set) var isPaused = false
        private(set) var isCancelled = false
        /// Whether its end is on the way or was reported.
        var hasEnded = false

        func begin() { isBegun = true }
        func cancel() { isCancelled = true }
        func suspend() { isPaused = true }
        func resume() { isPaused = false }
        func didConsume(_ count: Int) {}
    }

    static let request = URLRequest(url: URL(filePath: "/"))
    static var error: BluebonnetError { .transport(.lost, .init()) }

    var random: SeededGenerator
    var run = TaskRun()
    /// The step that the thread of the first `resume()`, or the callback queue, is about to take.
    var starting: TaskRun.Step?
    var stepping: TaskRun.Step?
    /// The messages that wait for the callback queue, in order.
    var messages: [(event: TaskRun.Event, of: ModelTransfer?)] = []
    /// The answers of other participants that are still to come.
    var answers: [TaskRun.Event] = []
    /// Events that were accepted once and can be repeated.
    var former: [TaskRun.Event] = []
    var isActing = false
    var transfers: [ModelTransfer] = []
    var current: ModelTransfer?
    var wasResumed = false
    var wasCancelled = false
    var wasCommitted = false
    var finishCount = 0
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
        case 2: handle(.suspend)
        case 3 where isDisturbed && chance(4): cancel()
        case 4 where isDisturbed && chance(4) && !run.stage.isNew:
            messages.append((.expired(Self.error), nil))
        // An earlier event is repeated.
        case 5 where isDisturbed:
            if let event = former.randomElement(using: &random) { messages.append((event, nil)) }
        case 6, 7: endTransfer()
        case 8: answer()
        case 9 where chance(4): holdBack()
        case 9, 10: act()
        case 11: takeStart()
        default: advanceQueue()
        }
        expectConsistency()
    }

    /// Lets everything end.
    private mutating func drain() {
        for _ in 0..<500 where verdict.fault == nil {
            if isActing {
                act()
            } else if starting != nil {
                takeStart()
            } else if stepping != nil
                || !messages.isEmpty
            {
                advanceQueue()
            } else if run.isSuspended, run.stage.isUnderWay, !run.isCancelled {
                handle(.resume)
            } else if !answers.isEmpty {
                answer()
            } else if transfers.contains(where: { $0.isBegun && !$0.hasEnded }) {
                endTransfer()
            } else {
                break
            }
            expectConsistency()
        }
        let isOver = wasResumed || wasCancelled
        verdict.expect(
            finishCount == (isOver ? 1 : 0), "\(finishCount) ends of a task, \(run.stage)")
        for transfer in transfers where transfer.isBegun {
            verdict.expect(transfer.hasEnded || transfer.isCancelled, "an exchange goes on")
        }
    }

    private mutating func resume() {
        let isFirst = run.stage.isNew && !wasCancelled
        let step = change(.resume)
        if isFirst {
            wasResumed = true
            starting = step
        }
    }

    private mutating func cancel() {
        if !run.stage.isFinished, !wasCommitted { wasCancelled = true }
        handle(.cancel)
    }

    /// Handles an event that no step can follow.
    private mutating func handle(_ event: TaskRun.Event) {
        guard case .nothing = change(event) else {
            return verdict.expect(false, "\(event) is answered with a step")
        }
    }

    private mutating func change(_ event: TaskRun.Event) -> TaskRun.Step {
        verdict.note("\(event) while \(run.stage)")
        let step = run.handle(event)
        if case .commit = step {
            verdict.expect(!wasCancelled, "a cancelled task commits")
            wasCommitted = true
        }
        if run.effects.begin() {
            verdict.expect(!isActing, "two threads act at once")
            isActing = true
        }
        return step
    }

    private mutating func act() {
        guard isActing else { return }
        guard let effect = run.effects.next() else { return isActing = false }
        switch effect {
        case .begin(let transfer):
            let others = transfers.filter { $0.isBegun && !$0.hasEnded && !$0.isCancelled }
            verdict.expect(others.isEmpty, "two exchanges at once")
            transfer.begin()
        case .pause(let transfer): transfer.suspend()
        case .unpause(let transfer): transfer.resume()
        case .cancel(let transfer), .end(let transfer): transfer.cancel()
        case .comeBack(let event): messages.append((event, nil))
        case .tell, .letGo, .endWork: break
        }
    }

    private mutating func endTransfer() {
        let under = transfers.filter { $0.isBegun && !$0.hasEnded }
        guard let transfer = under.randomElement(using: &random) else { return }
        transfer.hasEnded = true
        let roles: [ResponseRole] = [.final, .final, .redirect, .challenge]
        let role = roles.randomElement(using: &random) ?? .final
        let isFailure = transfer.isCancelled || chance(4)
        messages.append((.ended(isFailure ? .failure(.lost) : .success(role)), transfer))
    }

    /// Reports that the stage has enough of the body of a redirect or a challenge.
    private mutating func holdBack() {
        guard let transfer = current, transfer.isBegun, !transfer.hasEnded else { return }
        let roles: [ResponseRole] = [.redirect, .challenge, .doubtful]
        messages.append((.enough(roles.randomElement(using: &random) ?? .redirect), transfer))
    }

    private mutating func answer() {
        guard !answers.isEmpty else { return }
        let index = Int(random.next() % UInt64(answers.count))
        messages.append((answers.remove(at: index), nil))
    }

    // MARK: Threads

    private mutating func takeStart() {
        guard let step = starting else { return }
        starting = nil
        // A failure on this thread is passed to the callback queue.
        if let event = take(step) { starting = change(event) }
    }

    private mutating func advanceQueue() {
        if let step = stepping {
            stepping = nil
            if let event = take(step) {
                switch event {
                // `made` and the end of an attempt occur once.
                case .made, .startOver: break
                default: former.append(event)
                }
                stepping = change(event)
            }
        } else if !messages.isEmpty {
            let (event, transfer) = messages.removeFirst()
            // Reports of other exchanges are recognized by their number and ignored.
            if let transfer, transfer !== current { return }
            if transfer == nil { former.append(event) }
            stepping = change(event)
        }
    }

    /// Takes a step, and returns the next event if it is known at once.
    private mutating func take(_ step: TaskRun.Step) -> TaskRun.Event? {
        verdict.expect(finishCount == 0 || step.isNothing, "\(step) after the end")
        switch step {
        case .nothing: return nil
        case .prepare(let attempt):
            attempts += 1
            verdict.expect(attempt == attempts, "attempt \(attempt) is the \(attempts)th")
            guard chance(3) else { return sooner(.prepared(Self.request)) }
            answers.append(chance(4) ? .failed(Self.error) : .prepared(Self.request))
            return .adapting
        case .send:
            let transfer = ModelTransfer()
            if chance(12) {
                messages.append((.failed(Self.error), nil))
                return nil
            }
            transfers.append(transfer)
            current = transfer
            return .made(transfer, of: Self.request)
        case .decide(after: .success(.doubtful)):
            return chance(4) ? .deliver : .doubted(Self.error)
        case .decide(after: let result):
            if case .failure = result, chance(2) { return .failed(Self.error) }
            return sooner(
                [.next(Self.request), .next(Self.request), .deliver, .failed(Self.error)]
                    .randomElement(using: &random) ?? .deliver)
        case .deliver:
            // The response can be too large, or its head can be refused.
            return chance(8) ? .failed(Self.error) : .responded
        case .collect:
            if chance(12) { return .startOver(Self.error) }
            return sooner(chance(8) ? .restart(Self.request) : .collected)
        case .judge:
            if chance(4) { return .doubted(Self.error) }
            return .judged(chance(3) ? Self.error : nil)
        case .askRetriers:
            if attempts < 3, chance(2) { return sooner(.retry) }
            return sooner(.giveUp(chance(4) ? Self.error : nil))
        case .settle(.success): return sooner(chance(2) ? .commit : .settled(nil))
        case .settle: return sooner(.settled(nil))
        case .commit: return sooner(.settled(chance(4) ? Self.error : nil))
        case .finish(let outcome):
            finishCount += 1
            switch outcome {
            case .cancelled: verdict.expect(wasCancelled, "ends as cancelled, which nobody did")
            case .success, .failure:
                verdict.expect(!wasCancelled, "a cancelled task ends as though it were not")
            }
            return nil
        }
    }

    /// Returns an event at once, or adds it to the answers that come later.
    private mutating func sooner(_ event: TaskRun.Event) -> TaskRun.Event? {
        guard chance(2) else { return event }
        answers.append(event)
        if chance(8) { answers.append(event) }
        return nil
    }

    private mutating func expectConsistency() {
        guard !isActing else { return }
        guard let transfer = run.transfer as? ModelTransfer else { return }
        verdict.expect(transfer.isBegun, "a transfer that was not begun")
        guard !transfer.isCancelled else { return }
        verdict.expect(!run.isCancelled, "a cancelled task's exchange goes on")
        let isHeld =
            switch run.stage {
            case .deciding, .retrying: true
            default: false
            }
        verdict.expect(
            transfer.isPaused == (run.isSuspended || isHeld),
            "an exchange is \(transfer.isPaused ? "" : "not ")paused, unlike its task")
    }
}

extension TaskRun.Step {
    fileprivate var isNothing: Bool { if case .nothing = self { true } else { false } }
}
