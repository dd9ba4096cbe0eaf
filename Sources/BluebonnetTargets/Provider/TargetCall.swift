import BluebonnetChain
import Dispatch

/// One call of a provider, from its target to its completion.
///
/// It sends a request of the chain and passes it through the plugins.
final class TargetCall: Cancellable {
    /// The properties that the calls of a provider share.
    struct Terms: Sendable {
        let session: Session
        let plugins: [any PluginType]
        let callbackQueue: DispatchQueue?
        /// The exchanges that calls share; nil if each call has its own.
        let shared: SharedExchanges?
    }

    typealias Outcome = Result<TargetResponse, TargetError>

    struct State {
        /// Whether the request was created or failed to be created.
        var isAnswered = false
        /// The request, which retains the call until the call has ended.
        var request: Request?
        var isCancelled = false
        var hasEnded = false
        /// Whether the plugins were notified that the request is sent.
        var isSent = false
        /// The reason why there is no request.
        var answerFailure: TargetError?
        /// The error with which a plugin failed an attempt, and the number of retries before it.
        var pluginFailure: (error: TargetError, retryCount: Int)?
        var share: SharedExchanges.Share?
        /// Whether the call no longer counts among those that share the exchange.
        var hasLeft = false
        /// Whether the exchange was canceled together with this call.
        var wasLast = false
        /// The completion; nil once it was called.
        var completion: (@Sendable (Outcome) -> Void)?
    }

    let target: any TargetType
    let task: TargetTask
    let terms: Terms
    /// Answers instead of a server; nil for a call that is sent.
    let sample: SampleTransport?
    private let queue: DispatchQueue?
    private let progress: (@Sendable (ProgressResponse) -> Void)?
    let state: Locked<State>

    init(
        _ target: some TargetType, _ task: TargetTask, _ terms: Terms,
        queue: DispatchQueue? = nil,
        progress: (@Sendable (ProgressResponse) -> Void)? = nil, sample: SampleTransport? = nil,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        self.target = target
        self.task = task
        self.terms = terms
        self.queue = queue ?? terms.callbackQueue
        self.progress = progress
        self.sample = sample
        state = Locked(State(completion: completion))
    }

    // MARK: Sending

    /// Sends a request, or fails with the reason why there is none; only the first call has an
    /// effect.
    func send(_ result: Result<URLRequest, TargetError>) {
        guard takeAnswer(result) else { return }
        begin(makeRequest(TargetRequest(result: result)))
    }

    /// Notes the request or the failure, and returns whether it is the first one.
    private func takeAnswer(_ result: Result<URLRequest, TargetError>) -> Bool {
        state.withLock { state in
            defer { state.isAnswered = true }
            if case .failure(let error) = result, !state.isAnswered {
                state.answerFailure = error
            }
            return !state.isAnswered
        }
    }

    private func begin(_ request: Request) {
        let isCancelled = state.withLock { state in
            if !state.hasEnded { state.request = request }
            return state.isCancelled
        }
        if isCancelled { request.cancel() }
        request.resume()
    }

    /// The interceptor of the call; nil if it has nothing to do in an attempt.
    private var interceptor: TargetInterceptor? {
        let hasWork = !terms.plugins.isEmpty || sample != nil || terms.shared != nil
        return hasWork ? TargetInterceptor(call: self) : nil
    }

    private func makeRequest(_ source: TargetRequest) -> Request {
        switch task.makeRequest(source, in: terms.session, interceptor) {
        case .data(let request):
            if let codes = acceptedCodes { request.validate(statusCode: codes) }
            configure(request)
            return request.response(queue: queue) { self.didEnd($0.outcome) }
        case .download(let request):
            if let codes = acceptedCodes { request.validate(statusCode: codes) }
            configure(request)
            return request.response(queue: queue) { self.didEnd($0.outcome) }
        }
    }

    /// The status codes that the target accepts; nil for all.
    var acceptedCodes: Set<Int>? { target.validationType.acceptedCodes }

    /// Disables redirects for samples, and reports the progress of the upload or the download.
    private func configure(_ request: Request) {
        // A redirect would lead back to the same sample.
        if sample != nil { request.redirect(using: .doNotFollow) }
        guard let progress else { return }
        let tell: @Sendable (Progress) -> Void = { [state] object in
            // No progress follows the completion, even if the exchange continues for other calls.
            let isWanted = state.withLock { $0.completion != nil }
            if isWanted { progress(ProgressResponse(progress: object)) }
        }
        if request is UploadRequest {
            request.uploadProgress(queue: queue, closure: tell)
        } else {
            request.downloadProgress(queue: queue, closure: tell)
        }
    }

    // MARK: The end

    private func didEnd(_ task: TaskOutcome) {
        let (request, share, isSent, isCancelled, wasLast, completion) = state.withLock { state in
            defer { (state.hasEnded, state.request) = (true, nil) }
            return (
                state.request, state.share, state.isSent, state.isCancelled, state.wasLast,
                state.completion.take()
            )
        }
        if case .leads(let exchange)? = share { terms.shared?.end(exchange) }
        leave()?.cancel()
        // The share retains the request whose response is shared.
        state.withLock { $0.share = nil }
        if isSent {
            for plugin in terms.plugins { (plugin as? any CallObserver)?.callDidEnd(target) }
        }
        // Plugins are notified once per exchange: by the leader or, if it was canceled, by another
        // call.
        let isHeard =
            if case .joined(let exchange)? = share {
                (!isCancelled || wasLast) && exchange.takeHearing()
            } else { true }
        guard let completion else { return }
        let delegate = share?.request.delegate ?? request?.delegate
        // Only plugins print responses.
        let sent = terms.plugins.isEmpty ? nil : delegate?.errorContext.sent
        // The leader has the plugin error and the sample of the shared request.
        let result = result(
            of: task, from: share?.leader ?? self, request?.retryCount ?? 0, sent)
        complete(completion, result, isHeard: isHeard)
    }

    private func result(
        of task: TaskOutcome, from leader: TargetCall, _ retryCount: Int, _ sent: TaskRedactor?
    ) -> Outcome {
        let received = TargetResponse(task, sent: sent)
        guard let error = task.error else {
            return received.map { .success($0) } ?? .failure(.underlying(URLError(.unknown), nil))
        }
        switch error {
        case .invalidRequest:
            if let failure = state.withLock({ $0.answerFailure }) { return .failure(failure) }
        case .adaptation:
            let failure = leader.state.withLock { $0.pluginFailure }
            // A plugin error of an earlier attempt did not cause the failure.
            if let failure, leader !== self || failure.retryCount == retryCount {
                return .failure(failure.error)
            }
        case .transport where error.timeout == nil:
            if let cause = leader.sample?.error { return .failure(.underlying(cause, received)) }
        default: break
        }
        return .failure(.underlying(error, received))
    }

    /// Passes the end of the call to the plugins, if they are to be notified, and to the
    /// completion.
    private func complete(
        _ completion: @Sendable (Outcome) -> Void, _ result: Outcome, isHeard: Bool = true
    ) {
        if isHeard {
            for plugin in terms.plugins { plugin.didReceive(result, target: target) }
        }
        progress?(ProgressResponse(response: try? result.get()))
        let processed = terms.plugins.reduce(result) { $1.process($0, target: target) }
        completion(processed)
    }

    // MARK: Canceling

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let (isFirst, request, share) = state.withLock { state in
            let isFirst = !state.isCancelled && !state.hasEnded
            if isFirst { state.isCancelled = true }
            return (isFirst, state.request, state.share)
        }
        guard isFirst else { return }
        guard let request else {
            // Without an answer, the call would not end. A later answer finds the call canceled.
            return send(.failure(.underlying(CancellationError(), nil)))
        }
        let abandoned = leave()
        guard case .leads(let exchange)? = share, abandoned == nil else {
            state.withLock { $0.wasLast = abandoned != nil }
            abandoned?.cancel()
            request.cancel()
            return
        }
        // The exchange continues for the calls that have joined it.
        exchange.loseHearing()
        guard let completion = state.withLock({ $0.completion.take() }) else {
            _ = exchange.takeHearing()
            return
        }
        request.delegate.call(on: queue) {
            self.complete(
                completion, .failure(.underlying(BluebonnetError.cancelled(.init()), nil)))
        }
    }

    /// Leaves the shared exchange once, and returns its request if no other call waits for it.
    func leave() -> Request? {
        let share = state.withLock { state in
            defer { state.hasLeft = true }
            return state.hasLeft ? nil : state.share
        }
        return share.flatMap { terms.shared?.leave($0) }
    }
}

extension TargetCall: CustomDebugStringConvertible {
    /// The request as a `curl` command.
    var debugDescription: String {
        state.withLock { $0.request }?.cURLDescription() ?? "Empty Request"
    }
}
