import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Makes the request of an attempt, and has it adapted.
struct PreparationStage: TaskStage {
    let delegate: TaskDelegate

    /// Makes the request of an attempt; the first one on the thread that resumes the task.
    func prepare(_ preparation: consuming Preparation) -> TaskRun.Event? {
        var preparation = consume preparation
        var made: URLRequest?
        do throws(BluebonnetError) {
            if preparation.attempt == 1 {
                try start(preparation)
                captureContext(for: &preparation)
            }
            // Running tasks can retry even after their session was invalidated.
            guard preparation.manager != nil else {
                throw .sessionInvalidated(.init(request: delegate.originalRequest))
            }
            let initial = try delegate.setup.source.make()
            made = initial
            var request = initial
            // Before the adapters, so that signers sign what is added.
            preparation.download?.state.record?.apply(to: &request)
            if let tracer = session.configuration.tracer {
                startSpan(tracer, for: &request, attempt: preparation.attempt)
            }
            if let event = try InterceptionStage(delegate).adapt(request, initial, preparation) {
                guard case .failed = event else { return event }
                // Retriers are asked, and a task ends, on the callback queue.
                delegate.comeBack(with: event)
                return nil
            }
            return .prepared(
                try prepared(request, initial, preparation, beginsAttempt: true))
        } catch {
            fail(preparation, made, error)
            return nil
        }
    }

    /// Captures the caller's context if the task needs it, on the thread that resumes the task.
    private func captureContext(for preparation: inout Preparation) {
        let hasInterceptors =
            delegate.setup.interceptors != nil || preparation.addedInterceptors != nil
        let sendsPieces = if case .pieces? = preparation.upload { true } else { false }
        guard hasInterceptors || sendsPieces else { return }
        let context = CallerContext()
        preparation.context = context
        // With interceptors, it is kept when they are asked.
        if !hasInterceptors { state.withLock { $0.held?.context = context } }
    }

    /// Returns a request with the body that is sent in place of its own, if there is one.
    func prepared(
        _ request: URLRequest, _ initial: URLRequest, _ preparation: Preparation,
        beginsAttempt: Bool
    ) throws(BluebonnetError) -> Preparation.Result {
        var prepared = Preparation.Result(
            request: request, madeRequest: initial, beginsAttempt: beginsAttempt)
        let given =
            preparation.upload
            ?? preparation.bodyFactory.map { .stream(length: UploadBody.length(of: request), $0) }
        guard given != nil || request.httpBodyStream != nil else { return prepared }
        let fault = BodyFault()
        prepared.bodyFault = fault
        if let upload = given ?? request.multipartBody.map(UploadBody.multipart) {
            do {
                prepared.body = try upload.exchangeBody(
                    fault, in: preparation.context, on: session.work.clock?.taskExecutor)
            } catch {
                throw BluebonnetError(bodyFault: error, request: request)
            }
        } else {
            prepared.body = UploadBody.ownStream(of: request, fault)
        }
        return prepared
    }

    /// Fails an attempt whose request could not be made or adapted.
    private func fail(
        _ preparation: Preparation, _ made: URLRequest?, _ error: BluebonnetError
    ) {
        let (former, awaiting) = state.withLock { state in
            let hasBegun = state.attempt.interception != nil
            let former = hasBegun ? nil : state.beginAttempt(made, made: made)
            state.attempt.isPrepared = false
            return (former, state.takeRequestHandlers(for: nil))
        }
        withExtendedLifetime(former) {}
        for tell in awaiting { tell() }
        delegate.comeBack(with: .failed(error))
    }

    /// Begins the first attempt, on the thread that resumes the task.
    private func start(_ preparation: Preparation) throws(BluebonnetError) {
        delegate.emit(.started)
        if ProcessFork.hasLostThreads {
            let error = BluebonnetError.transport(.forked, .init(request: delegate.originalRequest))
            // No retrier is asked without the threads to perform a retry.
            delegate.comeBack(with: .expired(error))
            throw error
        }
        if session.isInvalidated {
            throw .sessionInvalidated(.init(request: delegate.originalRequest))
        }
        if let tracer = session.configuration.tracer { tracer.taskWillStart(&delegate.attributes) }
        try startDeadline()
    }

    /// Starts the timer that ends the task at its deadline.
    private func startDeadline() throws(BluebonnetError) {
        guard let limit = timeLimit else { return }
        let error = BluebonnetError.transport(
            .expired(limit), .init(request: delegate.originalRequest))
        guard limit > .zero else {
            delegate.comeBack(with: .expired(error))
            throw error
        }
        let timer = session.clock.schedule(after: limit) { [weak delegate] in
            delegate?.comeBack(with: .expired(error))
        }
        state.withLock { state in
            state.rare.deadline = timer
            if delegate.setup.interceptors != nil || state.rare.addedInterceptors != nil {
                state.rare.deadlineTime = session.clock.now + limit
            }
        }
    }

    /// The time limit for the whole task; nil for no limit.
    private var timeLimit: Duration? {
        guard let seconds = delegate.setup.options?.values.deadline else {
            return session.timeLimit
        }
        return SessionCore.timeLimit(seconds)
    }
}

extension Exchange.Failure {
    /// The failure of a task that has exceeded its time limit.
    fileprivate static func expired(_ limit: Duration) -> Self {
        let seconds = ((limit / .seconds(1)) * 1000).rounded() / 1000
        return Self(
            .timedOut,
            message: limit > .zero
                ? "the task took longer than \(seconds) seconds"
                : "the deadline had passed when the task began, so nothing was sent",
            timeout: .whole
        )
    }
}
