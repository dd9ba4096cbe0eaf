import BluebonnetTransport
import FoundationNetworking

/// The state machine of a task, which takes events and returns the step that follows each.
///
///     resume ─▶ prepare ─▶ send ─▶ respond ─▶ judge ─▶ retry? ─▶ settle ─▶ finish
///                  ▲         ▲        │                  │
///                  │         └────────┘ redirect,        │
///                  │                    challenge        │
///                  └─────────────────────────────────────┘ next attempt
///
/// It is a value without side effects that is changed under the task's lock.
/// ``TaskDelegate/take(_:)`` below performs a step outside the lock, and the result of the step is
/// the next event. An event that does not apply to the current stage changes nothing, so late and
/// repeated events do no harm.
struct TaskRun {
    /// How a task ends.
    enum Outcome {
        case success
        case failure(BluebonnetError)
        case cancelled
    }

    /// The stage of a task.
    enum Stage {
        /// Created, and never resumed.
        case new
        /// The request of the attempt is being prepared.
        case preparing
        /// An exchange is about to begin, or is in progress.
        case exchanging
        /// The next step is being decided, while the exchange is paused or has ended.
        case deciding
        /// The response has ended, and its body is being completed and judged.
        case collecting
        /// Retriers decide whether another attempt follows.
        ///
        /// The value is the outcome without another attempt, or nil if the task then continues with
        /// the response.
        case retrying(Outcome?)
        /// The file of a download is being moved, kept or removed.
        case settling(Outcome)
        case finished
    }

    /// An event in the life of a task.
    enum Event {
        // From the caller, on any thread.
        case resume
        case suspend
        case cancel
        // From the callback queue, or from the thread that resumes the task for the first time.
        /// Adapters are preparing the request of an attempt, and the result arrives later.
        case adapting
        /// The request of an attempt is ready.
        case prepared(URLRequest)
        /// A transfer was created for a request.
        case made(any Transfer, of: URLRequest)
        /// The exchange in progress has ended, with the role of its response or with a failure.
        case ended(Result<ResponseRole, Exchange.Failure>)
        /// Enough of the response has arrived to decide what follows.
        case enough(ResponseRole)
        /// Another request of the same attempt follows, after a redirect or with a credential.
        case next(URLRequest)
        /// No request follows a redirect or a challenge, so its response is the task's.
        case deliver
        /// A response that was held back has become the task's.
        case responded
        /// The response cannot be used, and is requested again.
        case restart(URLRequest)
        /// The attempt cannot continue, and is repeated without asking the retriers.
        case startOver(BluebonnetError)
        /// The whole body is in its destination.
        case collected
        case judged(BluebonnetError?)
        /// The outcome of another task is also the outcome of this task.
        case answered(BluebonnetError?)
        /// The response is acceptable, but retriers are asked about its status code.
        case doubted(BluebonnetError)
        case failed(BluebonnetError)
        /// The deadline of the task has passed, so no retrier is asked.
        case expired(BluebonnetError)
        /// Another attempt begins.
        case retry
        /// No other attempt follows: the task keeps the outcome of this one, or ends with an error.
        case giveUp(BluebonnetError?)
        /// The task can no longer be canceled.
        case commit
        /// The file of a download was moved, kept or removed; the value is the error if that
        /// failed.
        case settled(BluebonnetError?)
        /// A cancel or the deadline has reached the callback queue while no exchange was in
        /// progress.
        case stopped
    }

    /// The next step of a task.
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
    /// Whether another attempt begins as soon as the task is resumed.
    private var isRetryDue = false
    /// Whether the first attempt is still being started, on the thread that called `resume()`.
    ///
    /// A cancel or the deadline takes effect once it is started, or once adapters are running.
    private var isStarting = false
    /// The error of a task whose deadline has passed.
    private var expiry: BluebonnetError?
    /// The number of attempts so far, including the current one.
    private(set) var attempt = 0
    /// The transfer of the exchange in progress.
    private(set) var transfer: (any Transfer)?
    /// The request to send when the exchange in progress has ended, with any result.
    private var restart: URLRequest?
    /// The state of a response that is held back until it is decided what follows.
    private var held: HeldResponse?
    /// The actions for transfers and observers, in the order in which they were decided.
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
            // A suspended task waits in this stage until it is resumed.
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
        // Paused before it begins, or its response could arrive first.
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
            // Even a failed exchange can have the task's response: see `FailureStage`.
            if case .failure = result { held = .ended(result) }
            return .decide(after: result)
        }
        stage = .collecting
        return .collect
    }

    /// Holds the rest of a response back while it is decided what follows.
    private mutating func hold(_ role: ResponseRole) -> Step {
        guard stop == nil, restart == nil, let transfer else { return .nothing }
        held = .underWay
        effects.append(.pause(transfer))
        stage = .deciding
        return .decide(after: .success(role))
    }

    /// Records the end of a response that was held back or cut off.
    private mutating func end(whileHeld result: Result<ResponseRole, Exchange.Failure>) -> Step {
        transfer = nil
        if let stop { return settle(stop) }
        held = .ended(result)
        return .nothing
    }

    /// Continues with the response, which is the task's.
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

    /// Begins the next attempt, unless the task is suspended.
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
        // Ended through its transfer, whose last report has the metrics.
        effects.append(.end(transfer))
        return .nothing
    }

    /// The outcome of a task that was canceled or has expired; nil for other tasks.
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

    // MARK: Suspending, resuming and canceling

    private mutating func suspend() -> Step {
        guard stage.isNew || stage.isUnderWay, !isSuspended, !isCancelled else {
            return .nothing
        }
        isSuspended = true
        // There is nothing to pause yet, but the task no longer starts automatically.
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

    /// Ends the task when its exchange ends or, without one, on the callback queue.
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
    /// Whether the task is working, and not waiting for its caller or its transport.
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
    /// Whether the task was resumed and its outcome is still undecided.
    var isUnderWay: Bool {
        switch self {
        case .new, .settling, .finished: false
        case .preparing, .exchanging, .deciding, .collecting, .retrying: true
        }
    }
}

extension TaskDelegate {
    /// Applies an event to the task, and performs the steps that follow.
    func handle(_ event: consuming TaskRun.Event) {
        var event = event
        while true {
            let interests = session.audience.monitored
            let date = interests.isEmpty ? nil : session.clock.date
            // Counted before the decision: see `TaskDelegate.noteWork`.
            session.work.begin()
            let (step, acts, former, beginsWork) = state.withLock { state in
                // Released outside the lock, because the deinit of a transport's transfer can run
                // any code.
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

    /// Performs a step, and returns the event that results from it if it is known at once.
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

    /// Decides what follows a failure, or a response that is not the task's.
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
