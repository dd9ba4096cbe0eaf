import BluebonnetTransport
import FoundationNetworking

/// Decides what follows an exchange that has failed.
struct FailureStage: TaskStage {
    let delegate: TaskDelegate

    /// Decides how the task continues after the failure of an exchange.
    func decide(_ failure: Exchange.Failure) -> TaskRun.Event? {
        if failure.isOfResponse || failure.timeout != nil, let error = verdict(before: failure) {
            return .failed(error)
        }
        if let challenge = ChallengeStage(delegate, after: failure) { return challenge.decide() }
        let isResent = state.withLock { $0.exchange.isResent }
        if failure.isResendable, !isResent, let request = delegate.currentRequest {
            state.withLock { $0.attempt.connectsAnew = true }
            return delegate.resend(request)
        }
        if failure.needsNewBodyStream, mayAskAgain() { return askForBodyStream(failure) }
        if let inquiry = trustInquiry(after: failure) { return inquiry.begin() }
        let error = bodyError(for: failure) ?? .transport(failure, .init())
        guard let file = state.withLock({ $0.exchange.reception.file }) else {
            return .failed(error)
        }
        DownloadStage(delegate).fail(error, afterWriting: file)
        return nil
    }

    /// Returns the error of a refused head, which takes precedence over a failure of its body.
    private func verdict(before failure: Exchange.Failure) -> BluebonnetError? {
        guard failure.limit == nil || failure.limit == .contentCodingCount,
            var error = state.withLock({ state -> BluebonnetError? in
                // A body in memory has the time of all such bodies.
                guard failure.timeout == nil || !state.flow.isMemory else { return nil }
                return state.exchange.reception.received?.judgement.verdict
            })
        else { return nil }
        switch error {
        case .unacceptableStatus, .validation: break
        default: return nil
        }
        if error.context.underlying == nil {
            error.context.underlying = BluebonnetError.transport(failure, .init())
        }
        return error
    }

    /// Returns whether the hook can be asked for the body once more.
    ///
    /// Without a limit, a server that refuses each request after part of its body would cause
    /// endless resends.
    private func mayAskAgain() -> Bool {
        state.withLock { state in
            state.attempt.rare.lostBodyCount += 1
            return state.attempt.rare.lostBodyCount <= Self.largestLostBodyCount
        }
    }

    private static let largestLostBodyCount = 5

    /// Returns the error of a body that could not be read, if that is why the exchange failed.
    ///
    /// A fault from an earlier exchange does not count.
    private func bodyError(for failure: Exchange.Failure) -> BluebonnetError? {
        guard failure.code == BodyFault.code else { return nil }
        return state.withLock { $0.attempt.rare.bodyFault?.error }.map {
            BluebonnetError(bodyFault: $0)
        }
    }

    func askForBodyStream(_ failure: Exchange.Failure) -> TaskRun.Event? {
        askForBodyStream {
            FailureStage($0).bodyStreamWasAnswered($1, failure)
        }
    }

    /// Asks the hook for a body that can be sent once more.
    ///
    /// The answer is nil if the hook returns nil, or if there is no hook.
    func askForBodyStream(
        then answer: @escaping @Sendable (TaskDelegate, BodyStreamFactory?) -> TaskRun.Event?
    ) -> TaskRun.Event? {
        delegate.emit(.needsNewBodyStream)
        guard session.audience.hooked.contains(.needsNewBodyStream), let manager, let task else {
            return answer(delegate, nil)
        }
        QuestionStage(delegate).ask {
            await manager.taskNeedsNewBodyStream(task)
        } then: {
            answer($0, $1)
        }
        return nil
    }

    private func bodyStreamWasAnswered(
        _ factory: BodyStreamFactory?, _ failure: Exchange.Failure
    ) -> TaskRun.Event {
        guard let factory, let request = delegate.currentRequest else {
            return .failed(.transport(failure, .init()))
        }
        let former = state.withLock { state in
            let fault = state.attempt.makeBodyFault()
            let former = state.attempt.body
            let length = former?.length
            // Not replayable, so the hook is asked again if the body has to be sent a third time.
            state.attempt.body = .stream(
                Exchange.BodyStream(length: length, isReplayable: false) {
                    StreamSource(length: length, factory, fault: fault)
                }
            )
            return former
        }
        // Released outside the lock, because it can hold the hook's objects.
        withExtendedLifetime(former) {}
        return .follow(request)
    }
}

extension TaskDelegate {
    /// Continues with another request of the same attempt, or with the same request again.
    func resend(_ request: URLRequest) -> TaskRun.Event? {
        let isBodyUsedUp = state.withLock { state in
            guard state.attempt.isBodyUsedUp else { return false }
            state.attempt.request = request
            return true
        }
        guard isBodyUsedUp else { return .follow(request) }
        return FailureStage(self).askForBodyStream(.bodyStreamIsUsedUp)
    }
}

extension BluebonnetError {
    /// Creates the error of a request body that could not be read.
    init(bodyFault error: any Error, request: URLRequest? = nil) {
        let context = Context(request: request, underlying: error)
        self =
            (error as? FileFailure).map { .file($0, context) } ?? .requestBody("\(error)", context)
    }
}
