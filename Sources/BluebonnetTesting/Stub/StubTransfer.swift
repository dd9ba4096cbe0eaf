import Bluebonnet

/// An exchange with a stub: what a route answers with, at its time.
final class StubTransfer: Transfer {
    private struct State {
        /// The timer of the next step, or of the timeout before it.
        var timer: (any SessionTimer)?
        /// The Swift task in which a route answers.
        var answering: Task<Void, Never>?
        var isCancelled = false
        var isSuspended = false
    }

    let exchange: Exchange
    private let transport: StubTransport
    private let transfer: AnsweringTransfer
    private let work: (any WorkObservingClock)?
    private let state = Locked(State())
    private static let bodies = DispatchQueue(
        label: "bluebonnet.stub.bodies", attributes: .concurrent)

    init(_ exchange: Exchange, reportingTo sink: any ExchangeSink, _ transport: StubTransport) {
        self.exchange = exchange
        self.transport = transport
        transfer = AnsweringTransfer(exchange, reportingTo: sink) { _ in }
        work = exchange.clock as? any WorkObservingClock
    }

    // MARK: Control

    func begin() {
        transfer.begin()
        guard !transfer.isOver else { return }
        guard case .stream(let stream)? = exchange.body, stream.length != 0 else {
            return answer()
        }
        // Its source may block, or be asynchronous.
        work?.workDidBegin()
        Self.bodies.async { [self] in
            answer()
            work?.workDidEnd()
        }
    }

    func cancel() {
        let (timer, answering) = state.withLock { state in
            state.isCancelled = true
            return (state.timer.take(), state.answering.take())
        }
        timer?.cancel()
        answering?.cancel()
        transfer.cancel()
    }

    func suspend() {
        state.withLock { $0.isSuspended = true }
        transfer.suspend()
    }

    func resume() {
        state.withLock { $0.isSuspended = false }
        transfer.resume()
    }

    func didConsume(_ count: Int) { transfer.didConsume(count) }

    // MARK: The answer

    private func answer() {
        let body: Data
        do throws(Exchange.Failure) {
            body = try exchange.body?.read() ?? Data()
        } catch {
            return transfer.fail(error)
        }
        if exchange.reportsSending, !body.isEmpty {
            transfer.report(Exchange.Report(sentBodyBytes: Int64(body.count)))
        }
        switch transport.answer(to: exchange, body: body) {
        case .response(let response): play(response)
        case .closure(let request, let answer): ask(answer, request)
        }
    }

    private func ask(_ answer: @escaping StubTransport.Answer, _ request: StubRequest) {
        let task = Task(executorPreference: work?.taskExecutor) { [self] in
            let response: StubResponse
            do {
                response = try await answer(request)
            } catch {
                response = .failure(error as? Exchange.Failure ?? .routeThrew(error, request))
            }
            play(response)
        }
        let isCancelled = state.withLock { state in
            state.answering = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    private func play(_ response: StubResponse) {
        state.withLock { $0.answering = nil }
        play(StubScript(response, answering: exchange).steps[...], isHeadMissing: true)
    }

    private func play(_ steps: ArraySlice<StubScript.Step>, isHeadMissing: Bool) {
        var rest = steps
        guard let step = rest.popFirst() else { return }
        let isEndless = step.report == nil
        let proceed: @Sendable () -> Void = { [self, rest] in
            guard let report = step.report else { return }
            transfer.report(report)
            play(rest, isHeadMissing: isHeadMissing && report.head == nil)
        }
        if !isEndless, step.delay <= .zero { return proceed() }
        guard let (limit, timeout) = timeout(isHeadMissing), isEndless || limit <= step.delay else {
            if !isEndless { wait(step.delay, then: proceed) }
            return
        }
        wait(limit) { [self] in
            // Timeouts do not run while an exchange is suspended: then it goes on as if there were none.
            guard state.withLock({ $0.isSuspended }) else {
                return transfer.fail(.stubTimedOut(timeout, limit))
            }
            if !isEndless { wait(step.delay - limit, then: proceed) }
        }
    }

    /// The first timeout that strikes while nothing comes.
    private func timeout(_ isHeadMissing: Bool) -> (Duration, Exchange.Failure.Timeout)? {
        let timeouts = exchange.timeouts
        var limits: [(TimeInterval, Exchange.Failure.Timeout)] = []
        if isHeadMissing, let head = timeouts.head { limits.append((head, .head)) }
        if let idle = timeouts.idle { limits.append((idle, .idle)) }
        if let whole = timeouts.whole { limits.append((whole, .whole)) }
        return limits.min { $0.0 < $1.0 }.map { (.seconds($0.0), $0.1) }
    }

    private func wait(_ delay: Duration, then action: @escaping @Sendable () -> Void) {
        let timer = exchange.clock.schedule(after: delay) { [self] in
            state.withLock { $0.timer = nil }
            if !transfer.isOver { action() }
        }
        let isCancelled = state.withLock { state in
            state.timer = timer
            return state.isCancelled
        }
        if isCancelled { timer.cancel() }
    }
}

extension Exchange.Failure {
    fileprivate static func routeThrew(_ error: any Error, _ request: StubRequest) -> Self {
        Self(
            .badServerResponse,
            message: """
                the stub's route for \(request) threw \(error); throw an Exchange.Failure, or answer with \
                .failure, for a failure of the transport
                """)
    }

    fileprivate static func stubTimedOut(_ timeout: Timeout, _ limit: Duration) -> Self {
        Self(
            .timedOut,
            message:
                "nothing came for \(limit / .seconds(1)) seconds, the timeout \(timeout.rawValue)",
            timeout: timeout)
    }
}
