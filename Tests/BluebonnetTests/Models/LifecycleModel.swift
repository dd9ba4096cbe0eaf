import BluebonnetTransport
import BluebonnetTestSupport

@testable import Bluebonnet

/// The callers of one ``TaskLifecycle``, which take turns in any order: the task's holder, the
/// thread of the first `resume()`, the callback queue, the transport, who reads, and who answers.
///
/// It keeps an account of its own, against which every answer of the lifecycle is held. The order of
/// one queue's own work is that of ``TaskDelegate``.
struct LifecycleModel {
    typealias Phase = TaskLifecycle.Phase

    /// Where a thread stands that starts an exchange.
    enum Start {
        case idle
        case beginning(canFail: Bool)
        case launching(Int)
        case reporting(Int, ModelTransfer)
    }

    /// What waits for the callback queue.
    enum Message {
        case chunk(ModelTransfer, Int)
        case end(ModelTransfer, isFailure: Bool)
        case failure
        case answer(Answer)
    }

    /// What somebody else is to say, in his time.
    enum Answer { case goOn, stop, commit, moved, startOver }

    var random: SeededGenerator
    var life = TaskLifecycle()
    var phase = Phase.new
    var effects = TaskEffects()
    /// What the thread that acts for all is about to do.
    var effect: TaskEffect?
    /// Whether a thread acts.
    var isActing = false
    var holder = Start.idle
    var queue = Start.idle
    var messages: [Message] = []
    var answers: [Answer] = []
    var transfers: [ModelTransfer] = []
    var current: ModelTransfer?
    var lastNumber = 0
    var startCount = 0
    var completionCount = 0
    /// Whether the first exchange is about to be started, or failed to be built.
    var isBeginning = false
    var startsOver = false
    var hasEnough = false
    var steps = 0
    let verdict: ModelVerdict

    init(seed: UInt64, logs: Bool) {
        random = SeededGenerator(seed: seed)
        verdict = ModelVerdict(logs: logs)
    }

    var fault: String? { verdict.fault }

    func expect(_ holds: Bool, _ text: @autoclosure () -> String) {
        verdict.expect(holds, text())
    }

    mutating func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }

    // MARK: The task's holder

    mutating func resume() {
        let action = life.resume()
        switch (phase, action) {
        case (.new, .start):
            phase = .running
            startCount += 1
            isBeginning = true
            holder = .beginning(canFail: true)
        case (.suspended, .unpause(let transfer)):
            phase = .running
            if let transfer { perform(.unpause(transfer)) }
        case (.running, .nothing), (.canceling, .nothing), (.committed, .nothing),
            (.completed, .nothing):
            break
        default: expect(false, "resume of a \(phase) task was answered \(action)")
        }
    }

    mutating func suspend() {
        let action = life.suspend()
        switch (phase, action) {
        case (.running, .pause(let transfer)):
            phase = .suspended
            if let transfer { perform(.pause(transfer)) }
        case (.running, _): expect(false, "suspend of a running task was answered \(action)")
        case (_, .nothing): break
        default: expect(false, "suspend of a \(phase) task was answered \(action)")
        }
    }

    mutating func cancel() {
        let action = life.cancel()
        switch phase {
        case .new, .running, .suspended: break
        case .canceling, .committed, .completed:
            guard case .nothing = action else {
                return expect(false, "cancel of a \(phase) task was answered \(action)")
            }
            return
        }
        let isFirst = phase == .new
        phase = .canceling
        current?.isTaskCancelled = true
        switch action {
        case .cancel(let transfer): perform(.cancel(transfer))
        case .finish(let first):
            expect(first == isFirst, "the first action on the task is mistaken")
            expect(!isStarting, "a cancel ends the task before the start that is under way")
            perform(.finish)
        case .nothing: expect(isStarting, "a cancel is left to a start that is not under way")
        case .start, .pause, .unpause: expect(false, "cancel was answered \(action)")
        }
    }

    /// Whether a transfer is going to be reported, or the end of its exchange.
    private var isStarting: Bool {
        isBeginning || current.map { !$0.isReported && !$0.isEndHandled } == true
    }

    // MARK: What was decided

    mutating func perform(_ new: TaskEffect) {
        effects.append(new)
        if effects.begin() {
            expect(!isActing, "two threads act at once")
            isActing = true
        }
    }

    /// What the thread at work does next: it takes what was decided, or does it, or is done.
    mutating func act() {
        guard let effect else {
            effect = effects.next()
            isActing = effect != nil
            return
        }
        self.effect = nil
        switch effect {
        case .pause(let transfer): transfer.suspend()
        case .unpause(let transfer): transfer.resume()
        case .cancel(let transfer): transfer.cancel()
        case .post: break
        case .finish: messages.append(.failure)
        }
    }

    // MARK: Starting an exchange

    mutating func advance(_ start: Start) -> Start {
        switch start {
        case .idle: return .idle
        case .beginning(let canFail):
            if canFail, chance(12) {
                messages.append(.failure)
                return .idle
            }
            let number = life.willStartExchange()
            let mayStart = phase == .running || phase == .suspended
            expect((number != nil) == mayStart, "an exchange of a \(phase) task: \(number ?? 0)")
            guard let number else {
                isBeginning = false
                perform(.finish)
                return .idle
            }
            expect(number > lastNumber, "number \(number) is not new")
            lastNumber = number
            isBeginning = false
            let role = ModelTransfer.Role.allCases.randomElement(using: &random) ?? .memory
            current = ModelTransfer(role: role)
            return .launching(number)
        case .launching(let number):
            guard let transfer = current else { return .idle }
            transfers.append(transfer)
            return .reporting(number, transfer)
        case .reporting(let number, let transfer):
            report(number, transfer)
            return .idle
        }
    }

    private mutating func report(_ number: Int, _ transfer: ModelTransfer) {
        let action = life.didStartExchange(number, transfer)
        let untold = life.takeUntoldCount(of: number)
        transfer.isReported = true
        switch action {
        case .cancel(let other):
            expect(
                phase == .canceling || phase == .completed || transfer.giveUpCount > 0,
                "a new transfer of a \(phase) task is cancelled")
            expect(other as? ModelTransfer === transfer, "another transfer is cancelled")
            perform(.cancel(other))
        case .pause(let other?):
            expect(phase == .suspended, "a new transfer of a \(phase) task is paused")
            perform(.pause(other))
        case .nothing: break
        case .start, .pause, .unpause, .finish: expect(false, "a start was answered \(action)")
        }
        if untold > 0 { transfer.didConsume(untold) }
    }
}
