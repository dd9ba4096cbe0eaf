import BluebonnetTransport
import Foundation
import FoundationNetworking

// Preparing and sending the requests of a task.
extension TaskDelegate {
    /// Prepares the request of an attempt; the first one on the thread that resumes the task.
    func prepare(_ attempt: Int) -> TaskRun.Event? {
        let manager = state.withLock { $0.held?.manager }
        if attempt == 1 { emit(.started) }
        do throws(BluebonnetError) {
            try checkThreads()
            // Running tasks can retry even after their session was invalidated.
            guard manager != nil, attempt > 1 || !session.map.withLock({ $0.isInvalidated }) else {
                throw .sessionInvalidated(.init(request: originalRequest))
            }
            if attempt == 1 { try startDeadline() }
            let request = try makeRequest(ofAttempt: attempt)
            guard let event = try InterceptionStage(self).adapt(request, forAttempt: attempt) else {
                return try prepared(request)
            }
            guard case .failed = event else { return event }
            comeBack(with: event)
            return nil
        } catch {
            tellRequestHandlers(of: nil)
            comeBack(with: .failed(error))
            return nil
        }
    }

    /// Calls the request handler, if there is a request, and the closures that wait for one.
    private func tellRequestHandlers(of request: URLRequest?) {
        let handlers = state.withLock { state in
            state.attempt.isPrepared = request != nil
            return state.takeRequestHandlers()
        }
        guard let (handler, awaiting) = handlers else { return }
        if let request { handler?(request) }
        for tell in awaiting { tell() }
    }

    /// Creates the request of an attempt, and begins the attempt with it.
    private func makeRequest(ofAttempt number: Int) throws(BluebonnetError) -> URLRequest {
        let made = Result { () throws(BluebonnetError) in try setup.source.make() }
        if number > 1 {
            // Released outside the lock, because it can hold objects of the caller.
            let former = state.withLock { $0.beginAttempt(try? made.get()) }
            withExtendedLifetime(former) {}
        } else if case .maker = setup.source {
            state.withLock { $0.beginFirstAttempt(try? made.get()) }
        }
        return try made.get()
    }

    /// Continues with the request of an attempt.
    func prepared(_ request: URLRequest) throws(BluebonnetError) -> TaskRun.Event {
        try makeBody(of: request)
        ChallengeStage(self).useKnownCredentials(for: request)
        emit(.preparedRequest(request))
        tellRequestHandlers(of: request)
        return .prepared(request)
    }

    /// Fails the task, without asking retriers, if the threads to perform it are missing.
    private func checkThreads() throws(BluebonnetError) {
        guard ProcessFork.hasLostThreads else { return }
        let error = BluebonnetError.transport(.forked, .init(request: originalRequest))
        comeBack(with: .expired(error))
        throw error
    }

    /// Starts the timer that ends the task at its deadline.
    private func startDeadline() throws(BluebonnetError) {
        guard let limit = timeLimit else { return }
        let error = BluebonnetError.transport(.expired(limit), .init(request: originalRequest))
        guard limit > .zero else {
            comeBack(with: .expired(error))
            throw error
        }
        let timer = session.clock.schedule(after: limit) { [weak self] in
            self?.comeBack(with: .expired(error))
        }
        state.withLock { state in
            state.deadline = timer
            if setup.interceptors != nil || state.addedInterceptors != nil {
                state.deadlineTime = session.clock.now + limit
            }
        }
    }

    /// The time limit for the whole task; nil for no limit.
    private var timeLimit: Duration? {
        guard let seconds = setup.options?.values.deadline else { return session.timeLimit }
        return SessionCore.timeLimit(seconds)
    }

    /// Creates the body that is sent in place of the request's own, if there is one.
    private func makeBody(of request: URLRequest) throws(BluebonnetError) {
        let given = state.withLock { state in
            state.upload
                ?? state.bodyFactory.map { .stream(length: UploadBody.length(of: request), $0) }
        }
        guard given != nil || request.httpBodyStream != nil else { return }
        let fault = state.withLock { $0.attempt.makeBodyFault() }
        let body: Exchange.Body?
        if let upload = given ?? request.multipartBody.map(UploadBody.multipart) {
            do {
                body = try upload.exchangeBody(fault, on: session.work.clock?.taskExecutor)
            } catch {
                throw BluebonnetError(bodyFault: error, request: request)
            }
        } else {
            body = UploadBody.ownStream(of: request, fault)
        }
        state.withLock { state in
            state.attempt.body = body
            state.attempt.isBodySingle = state.attempt.isBodyUsedUp
        }
    }

    /// Creates the transfer for the next exchange of the attempt.
    func send(_ request: URLRequest) -> TaskRun.Event? {
        do throws(BluebonnetError) {
            return .made(try makeTransfer(of: request), of: request)
        } catch {
            comeBack(with: .failed(error))
            return nil
        }
    }

    private func makeTransfer(of request: URLRequest) throws(BluebonnetError) -> any Transfer {
        let outgoing = state.withLock { state in
            OutgoingRequest(
                session: session, pools: setup.pools, options: setup.options?.values,
                request: request, body: state.attempt.body,
                hasLeftOrigin: state.attempt.hasLeftOrigin,
                credential: state.attempt.authenticationFields,
                proxyCredential: state.attempt.authentication?.proxyCredential, flow: state.flow,
                priority: state.priority, connectsAnew: state.attempt.connectsAnew,
                attempt: state.run.attempt, attributes: state.attributes,
                isSendingWatched: state.sending.isWatched || state.upload != nil
            )
        }
        let (message, pool, url) = try outgoing.message()
        try outgoing.checkAddress(of: message, in: pool)
        let sent = SentRequest(message, to: url, credential: outgoing.credential)
        let number = state.withLock { state -> Int? in
            let redirected = state.attempt.redirected
            guard
                redirected.isEmpty || session.configuration.followsRepeatedRedirects
                    || !redirected.contains(sent)
            else { return nil }
            state.begin(sent, of: request)
            state.sending.begin(total: message.body.map { $0.length ?? -1 })
            return state.exchange.number
        }
        guard let number else { throw .redirectLoop }
        return transport.transfer(
            for: outgoing.exchange(of: message, in: pool),
            reportingTo: ExchangeReports(session, to: address, ofExchange: number)
        )
    }

    /// The transport that performs the exchanges of the attempt.
    private var transport: any Transport {
        guard case .transport(let own)? = state.withLock({ $0.attempt.answer }) else {
            return session.transport
        }
        return own.countingWork(on: session.clock)
    }

    /// Continues with another request of the same attempt, or with the same request again.
    func resend(_ request: URLRequest) -> TaskRun.Event? {
        let isBodyUsedUp = state.withLock { state in
            // The rest of the response is discarded.
            state.exchange.isGivenUp = true
            return state.attempt.isBodyUsedUp
        }
        guard isBodyUsedUp else { return .next(request) }
        state.withLock { $0.attempt.request = request }
        return FailureStage(self).askForBodyStream(.bodyStreamIsUsedUp)
    }

    func didConsume(_ chunks: [Exchange.Chunk]) {
        didConsume(chunks.reduce(0) { $0 + $1.count })
    }

    /// Reports bytes of the body that no longer need memory, or that are kept until the end anyway.
    func didConsume(_ count: Int) {
        let (transfer, count) = state.withLock { ($0.run.transfer, $0.exchange.consume(count)) }
        if count > 0 { transfer?.didConsume(count) }
    }
}

extension TaskState {
    /// Begins the next exchange, and discards the last response.
    fileprivate mutating func begin(_ sent: consuming SentRequest, of request: URLRequest) {
        let isResent = attempt.connectsAnew
        attempt.begin(request)
        if let former = exchange.sent { formerlySent.append(former) }
        let number = exchange.number + 1
        exchange = TaskExchange()
        exchange.number = number
        exchange.sent = sent
        exchange.isResent = isResent
    }
}

extension BluebonnetError {
    fileprivate static var redirectLoop: BluebonnetError {
        .redirect(
            """
            it leads in a circle, back to a request that was already redirected; the server might \
            expect a cookie or a credential that the task does not send; to follow such \
            redirects, set followsRepeatedRedirects
            """,
            .init()
        )
    }
}

extension Exchange.Failure {
    /// The failure of a task that has exceeded its time limit.
    fileprivate static func expired(_ limit: Duration) -> Self {
        let seconds = ((limit / .seconds(1)) * 1000).rounded() / 1000
        return Self(
            .timedOut,
            message: "the task took longer than \(seconds) seconds",
            timeout: .whole
        )
    }
}
