import BluebonnetTransport
import FoundationNetworking

/// The life of a task: what happens goes in as an event, and what to do next comes out as a step.
///
///     resume ─▶ prepare ─▶ send ─▶ respond ─▶ judge ─▶ retry? ─▶ settle ─▶ finish
///                  ▲         ▲        │                  │
///                  │         └────────┘ redirect,        │
///                  │                    challenge        │
///                  └─────────────────────────────────────┘ next attempt
///
/// A value without effects, which is changed under the task's lock: a step is taken outside of it, by
/// ``TaskDelegate/take(_:)`` below, and what comes of it is the next event. An event that does not fit
/// where the task stands changes nothing, so one that comes late, twice or after the end does no harm.
struct TaskRun {
    /// How a task ends.
    enum Outcome {
        case success
        case failure(BluebonnetError)
        case cancelled
    }

    /// Where a task stands.
    enum Stage {
        /// Made, and never resumed.
        case new
        /// The request of the attempt is being made.
        case preparing
        /// An exchange is about to begin, or under way.
        case exchanging
        /// The exchange has ended, and something has to be found out before the next one, or the end.
        case deciding
        /// The response is over, and its body is on the way to where it belongs.
        case collecting
        /// Another attempt may follow; how the task ends otherwise, or nil where it goes on with the response.
        case retrying(Outcome?)
        /// What the task leaves behind is being put in its place, or removed.
        case settling(Outcome)
        case finished
    }

    /// What happens to a task.
    enum Event {
        // Its holder, on any thread.
        case resume
        case suspend
        case cancel
        // The callback queue, but for the first attempt, which begins on the thread that resumes.
        /// Adapters make the request of an attempt, and may take their time.
        case adapting
        /// The request of an attempt is made.
        case prepared(URLRequest)
        /// A transfer is made for it.
        case made(any Transfer, of: URLRequest)
        /// The exchange under way is over; what its response is to the task, unless that is a failure.
        case ended(Result<ResponseRole, Exchange.Failure>)
        /// So much of the response is enough to find out what follows.
        case enough(ResponseRole)
        /// Another request belongs to the same attempt: behind a redirect, or with a credential.
        case next(URLRequest)
        /// No request follows a redirect or a challenge: its response is the task's.
        case deliver
        /// The task's response is over.
        case responded
        /// The response cannot be gone on with, and is asked for again.
        case restart(URLRequest)
        /// The attempt cannot be gone on with, and is made once more, whatever the retriers would say.
        case startOver(BluebonnetError)
        /// All of the body is where it belongs.
        case collected
        case judged(BluebonnetError?)
        /// Another task's outcome is this one's.
        case answered(BluebonnetError?)
        /// The response is acceptable, but of a status that retriers are asked about.
        case doubted(BluebonnetError)
        case failed(BluebonnetError)
        /// The time that the task has in all is over, and no retrier is asked.
        case expired(BluebonnetError)
        /// Another attempt is made.
        case retry
        /// What this attempt came to is the task's, or an error in its place.
        case giveUp(BluebonnetError?)
        /// From here on a cancel comes too late.
        case commit
        /// What the task leaves is in its place; the error of what could not be.
        case settled(BluebonnetError?)
        /// A cancel, or the end of the task's time, has reached the callback queue while no exchange was
        /// under way.
        case stopped
    }

    /// What is to be done next.
    enum Step {
        case nothing
        case prepare(attempt: Int)
        case send(URLRequest)
        case decide(after: Result<ResponseRole, Exchange.Failure>)
        case deliver
        case collect
        case judge
        case askRetriers(BluebonnetError)
        case settle(Outcome)
        case commit
        case finish(Outcome)
    }

    private enum HeldResponse {
        case underWay
        case ended(Result<ResponseRole, Exchange.Failure>)
    }

    private(set) var stage = Stage.new
    private(set) var isSuspended = false
    private(set) var isCancelled = false
    private var isCommitted = false
    /// Whether another attempt is due, and waits for the task to be resumed.
    private var isRetryDue = false
    /// Whether the first attempt is still being started, on the thread that called `resume()`.
    ///
    /// Until it has been, or adapters have been asked, nothing stops the task.
    private var isStarting = false
    /// Why the task has no time left, where that is so.
    private var expiry: BluebonnetError?
    /// How many attempts there were, this one included.
    private(set) var attempt = 0
    /// The transfer of the exchange under way.
    private(set) var transfer: (any Transfer)?
    /// What is sent when the exchange under way has ended, whatever came of that.
    private var restart: URLRequest?
    /// Where a response is kept back until it is known what follows: what has come of it meanwhile.
    private var held: HeldResponse?
    /// What transfers and observers are told, in the order in which it was decided.
    var effects = TaskEffects()

    mutating func handle(_ event: Event) -> Step {
        switch (event, stage) {
        case (.resume, .new) where !isCancelled:
            isSuspended = false
            isStarting = true
            effects.tell(.resumed, attempt: attempt)
            return prepare()
        case (.adapting, .preparing):
            isStarting = false
            if stop != nil { effects.append(.comeBack(.stopped)) }
            return .nothing
        case (.prepared(let request), .preparing):
            return send(request)
        case (.answered(let error), .preparing):
            return settle(stop ?? error.map { .failure($0) } ?? .success)
        case (.made(let new, let request), .exchanging) where transfer == nil:
            return begin(new, of: request)

        case (.ended(let result), .exchanging):
            return end(result)
        case (.enough(let role), .exchanging) where transfer != nil:
            return hold(role)
        case (.ended(let result), .deciding):
            return end(whileHeld: result)
        case (.ended(let result), .retrying) where transfer != nil:
            return end(whileHeld: result)
        case (.next(let request), .deciding), (.restart(let request), .exchanging),
            (.restart(let request), .deciding), (.restart(let request), .collecting):
            return send(insteadOfResponse: request)
        case (.deliver, .deciding):
            return .deliver
        case (.responded, .deciding):
            return goOn()

        case (.collected, .collecting):
            return .judge
        case (.judged(nil), .collecting):
            return settle(.success)
        case (.judged(let error?), .collecting),
            (.failed(let error), .preparing), (.failed(let error), .exchanging),
            (.failed(let error), .deciding), (.failed(let error), .collecting):
            return fail(error)
        case (.doubted(let error), .collecting):
            return doubt(error, otherwise: .success)
        case (.doubted(let error), .deciding):
            return doubt(error, otherwise: nil)
        case (.startOver(let error), .preparing), (.startOver(let error), .exchanging),
            (.startOver(let error), .deciding), (.startOver(let error), .collecting):
            // A suspended task waits there to be resumed.
            stage = .retrying(.failure(error))
            return retry()
        case (.retry, .retrying):
            return retry()
        case (.giveUp(let error), .retrying(let outcome)):
            return giveUp(error.map { .failure($0) } ?? outcome)

        case (.commit, .settling(.success)):
            return commit()
        case (.settled(let error), .settling(let outcome)):
            stage = .finished
            if isCancelled { return .finish(.cancelled) }
            return .finish(error.map { .failure($0) } ?? outcome)

        case (.suspend, _): return suspend()
        case (.resume, _): return resume()
        case (.cancel, _): return cancel()
        case (.expired(let error), _) where stage.isUnderWay: return expire(error)
        case (.stopped, _) where stage.isNew || stage.isUnderWay:
            return stop.map { settle($0) } ?? .nothing
        default: return .nothing
        }
    }

    private mutating func prepare() -> Step {
        stage = .preparing
        isRetryDue = false
        attempt += 1
        return .prepare(attempt: attempt)
    }

    private mutating func send(_ request: URLRequest) -> Step {
        stage = .exchanging
        return .send(request)
    }

    private mutating func begin(_ transfer: any Transfer, of request: URLRequest) -> Step {
        isStarting = false
        guard stop == nil else {
            effects.append(.comeBack(.stopped))
            return .nothing
        }
        self.transfer = transfer
        // Before it begins, or its response could be there first.
        if isSuspended { effects.append(.pause(transfer)) }
        effects.tell(.sentRequest(request), attempt: attempt)
        effects.append(.begin(transfer))
        return .nothing
    }

    private mutating func end(_ result: Result<ResponseRole, Exchange.Failure>) -> Step {
        transfer = nil
        if let stop { return settle(stop) }
        if let request = restart.take() { return send(request) }
        guard case .success(.final) = result else {
            stage = .deciding
            // Also behind a failed exchange its response may be the task's: see `FailureStage`.
            if case .failure = result { held = .ended(result) }
            return .decide(after: result)
        }
        stage = .collecting
        return .collect
    }

    /// Keeps the rest of a response back while it is found out what follows.
    private mutating func hold(_ role: ResponseRole) -> Step {
        guard stop == nil, restart == nil, let transfer else { return .nothing }
        held = .underWay
        effects.append(.pause(transfer))
        stage = .deciding
        return .decide(after: .success(role))
    }

    /// Notes the end of a response that is kept back, or that was cut off.
    private mutating func end(whileHeld result: Result<ResponseRole, Exchange.Failure>) -> Step {
        transfer = nil
        if let stop { return settle(stop) }
        held = .ended(result)
        return .nothing
    }

    /// Goes on with the response, which is the task's.
    private mutating func goOn() -> Step {
        let former = held
        held = nil
        if case .ended(.failure(let failure)) = former {
            return .decide(after: .failure(failure))
        }
        guard let transfer else {
            stage = .collecting
            return .collect
        }
        stage = .exchanging
        if !isSuspended { effects.append(.unpause(transfer)) }
        return .nothing
    }

    private mutating func send(insteadOfResponse request: URLRequest) -> Step {
        held = nil
        guard let transfer else { return send(request) }
        stage = .exchanging
        restart = request
        effects.append(.end(transfer))
        return .nothing
    }

    private mutating func fail(_ error: BluebonnetError) -> Step {
        isStarting = false
        if let stop { return settle(stop) }
        giveUpExchange()
        stage = .retrying(.failure(error))
        return .askRetriers(error)
    }

    private mutating func doubt(_ error: BluebonnetError, otherwise outcome: Outcome?) -> Step {
        if let stop { return settle(stop) }
        stage = .retrying(outcome)
        return .askRetriers(error)
    }

    private mutating func giveUp(_ outcome: Outcome?) -> Step {
        isRetryDue = false
        if let outcome { return settle(outcome) }
        stage = .deciding
        return .deliver
    }

    /// Begins with the next attempt, once the task is not suspended.
    private mutating func retry() -> Step {
        if let stop { return settle(stop) }
        giveUpExchange()
        isRetryDue = isSuspended
        return isSuspended ? .nothing : prepare()
    }

    private mutating func expire(_ error: BluebonnetError) -> Step {
        guard stop == nil else { return .nothing }
        expiry = error
        if isStarting { return .nothing }
        guard let transfer else { return settle(.failure(error)) }
        // Its end tells how far it came.
        effects.append(.end(transfer))
        return .nothing
    }

    /// How the task ends whatever comes, where that is so.
    private var stop: Outcome? {
        isCancelled ? .cancelled : expiry.map { .failure($0) }
    }

    private mutating func settle(_ outcome: Outcome) -> Step {
        giveUpExchange()
        stage = .settling(outcome)
        return .settle(outcome)
    }

    private mutating func commit() -> Step {
        guard !isCancelled else { return settle(.cancelled) }
        isCommitted = true
        return .commit
    }

    private mutating func giveUpExchange() {
        (restart, held) = (nil, nil)
        guard let former = transfer.take() else { return }
        if stop == nil { effects.append(.cancel(former)) }
    }

    // MARK: The task's holder

    private mutating func suspend() -> Step {
        guard stage.isNew || stage.isUnderWay, !isSuspended, !isCancelled else {
            return .nothing
        }
        isSuspended = true
        // Nothing has begun that could stop: only who starts it by itself has to know.
        if stage.isNew { return .nothing }
        effects.tell(.suspended, attempt: attempt)
        if let transfer { effects.append(.pause(transfer)) }
        return .nothing
    }

    private mutating func resume() -> Step {
        guard stage.isUnderWay, isSuspended, !isCancelled else { return .nothing }
        isSuspended = false
        effects.tell(.resumed, attempt: attempt)
        if let transfer, held == nil { effects.append(.unpause(transfer)) }
        if isRetryDue { effects.append(.comeBack(.retry)) }
        isRetryDue = false
        return .nothing
    }

    /// Ends the task through the end of its exchange or, without one, on the callback queue.
    private mutating func cancel() -> Step {
        guard !stage.isFinished, !isCancelled, !isCommitted else { return .nothing }
        isCancelled = true
        effects.tell(.cancelled, attempt: attempt)
        if let transfer {
            effects.append(.end(transfer))
        } else if !isStarting {
            effects.append(.comeBack(.stopped))
        }
        return .nothing
    }
}

extension TaskRun {
    /// Whether the task works, rather than waits for its holder or its transport.
    var isWorking: Bool {
        switch stage {
        case .new: false
        case .exchanging: transfer == nil
        case .retrying: !isRetryDue
        case .preparing, .deciding, .collecting, .settling, .finished: true
        }
    }
}

extension TaskRun.Stage {
    var isNew: Bool { if case .new = self { true } else { false } }
    var isFinished: Bool { if case .finished = self { true } else { false } }
    /// Whether the task was resumed, and how it ends is not decided yet.
    var isUnderWay: Bool {
        switch self {
        case .new, .settling, .finished: false
        case .preparing, .exchanging, .deciding, .collecting, .retrying: true
        }
    }
}

extension TaskDelegate {
    /// Lets something happen to the task, and does what follows.
    func handle(_ event: consuming TaskRun.Event) {
        var event = event
        while true {
            let interests = session.audience.monitored
            let date = interests.isEmpty ? nil : session.clock.date
            // Before it is decided: see `TaskDelegate.noteWork`.
            session.work.begin()
            let (step, acts, former, beginsWork) = state.withLock { state in
                // Let go outside the lock: what a transfer's deinit does is its maker's.
                let former = state.run.transfer
                state.run.effects.interests = interests
                if let date { state.run.effects.date = date }
                let step = state.run.handle(event)
                // Under the same lock, so that a completed task always has its error.
                if case .finish(let outcome) = step { state.noteEnd(outcome, in: session) }
                let beginsWork = session.work.isObserved && state.noteWork()
                return (step, state.run.effects.begin(), former, beginsWork)
            }
            withExtendedLifetime(former) {}
            if acts { act() }
            if !beginsWork { session.work.end() }
            guard let next = take(step) else { return }
            event = next
        }
    }

    /// Takes a step; what comes of it, where that is known at once.
    private func take(_ step: TaskRun.Step) -> TaskRun.Event? {
        switch step {
        case .nothing: nil
        case .prepare(let attempt): prepare(attempt)
        case .send(let request): send(request)
        case .decide(let result): decide(after: result)
        case .deliver: ResponseStage(self).deliver()
        case .collect: ResponseStage(self).collect()
        case .judge: judge()
        case .askRetriers(let error): InterceptionStage(self).askRetriers(about: error)
        case .settle(let outcome): settle(outcome)
        case .commit: commit()
        case .finish: finish()
        }
    }

    /// Judges the whole response.
    private func judge() -> TaskRun.Event {
        if let error = JudgementStage(self).judge() { return .judged(error) }
        return InterceptionStage(self).doubt().map { .doubted($0) } ?? .judged(nil)
    }

    /// Finds out what follows a response that is not the task's, or a failure.
    private func decide(
        after result: Result<ResponseRole, Exchange.Failure>
    ) -> TaskRun.Event? {
        switch result {
        case .success(.final): .responded
        case .success(.held): HeadStage(self).ask()
        case .success(.doubtful): InterceptionStage(self).doubt().map { .doubted($0) } ?? .deliver
        case .success(.redirect): RedirectStage(self).decide()
        case .success(.challenge): ChallengeStage(self).decide()
        case .failure(let failure): FailureStage(self).decide(failure)
        }
    }
}
