import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Sends known credentials with a task's exchanges, and answers challenges.
///
/// Before the first exchange, it runs on the thread that resumes the task.
struct ChallengeStage: TaskStage {
    let delegate: TaskDelegate
    /// The refusal of a proxy to open a tunnel, or nil if the challenge is a response.
    private let refusal: Exchange.Failure?

    init(delegate: TaskDelegate) {
        self.init(delegate, refusal: nil)
    }

    private init(_ delegate: TaskDelegate, refusal: Exchange.Failure?) {
        (self.delegate, self.refusal) = (delegate, refusal)
    }

    /// Creates the stage for a proxy that requires a credential to open a tunnel.
    ///
    /// Returns nil for other failures.
    init?(_ delegate: TaskDelegate, after failure: Exchange.Failure) {
        guard failure.proxyStatus == 407, !failure.proxyFields.isEmpty else { return nil }
        self.init(delegate, refusal: failure)
    }

    /// Changes the state of the authentication.
    ///
    /// Calls never overlap. They run on the thread that starts the task, and later on the callback
    /// queue.
    private func withAuthentication<Result>(
        _ change: (inout TaskAuthentication) -> Result
    ) -> Result {
        // Outside the lock, because the cache that tasks share has its own lock. A copy, because the
        // task's secrets must be known meanwhile.
        var authentication =
            state.withLock { $0.attempt.authentication }
            ?? TaskAuthentication(cache: session.authentication)
        let result = change(&authentication)
        state.withLock { $0.attempt.rare.authentication = authentication }
        return result
    }

    private func subject(of request: URLRequest) -> AuthenticatedRequest? {
        let (body, hasLeftOrigin) = state.withLock { ($0.attempt.body, $0.attempt.hasLeftOrigin) }
        return AuthenticatedRequest(of: request, body, hasLeftOrigin: hasLeftOrigin, delegate)
    }

    /// Returns whether a response requests a credential in a supported scheme.
    func isChallenge(_ head: ResponseHead) -> Bool {
        guard let party = AuthenticationParty(statusCode: head.statusCode) else { return false }
        // If no proxy forwards the request, a 407 comes from the server and is not a challenge.
        guard party == .server || delegate.route.forwardingOrigin(for: head.url) != nil else {
            return false
        }
        return !AuthenticationOffer.Selection(of: head, by: party).supported.isEmpty
    }

    /// Processes a response that is not a challenge.
    ///
    /// Returns an error if the response cannot be trusted.
    func error(after head: ResponseHead) -> BluebonnetError? {
        guard let request = delegate.currentRequest, let subject = subject(of: request) else {
            return nil
        }
        let step = withAuthentication { $0.next(after: head, to: subject) }
        guard case .fail(let error) = step else { return nil }
        return Self.error(error)
    }

    static func error(_ error: any Error) -> BluebonnetError {
        let text = error is AuthenticationError ? "\(error)" : "the challenge was refused: \(error)"
        return .authentication(text, .init(underlying: error))
    }

    /// Decides about a challenge whose body has been read completely, or far enough.
    func decide() -> TaskRun.Event? {
        guard let request = delegate.currentRequest, let subject = subject(of: request) else {
            return unanswered
        }
        if let refusal {
            let head = Exchange.Head(statusCode: 407, fields: refusal.proxyFields)
            let response = ResponseHead(head, url: subject.url, requestMethod: "CONNECT")
            return event(
                after: withAuthentication { $0.next(afterRefusedTunnel: response, to: subject) },
                request)
        }
        guard let head = delegate.head else { return unanswered }
        return event(after: withAuthentication { $0.next(after: head, to: subject) }, request)
    }

    /// The event that follows if the challenge is not answered.
    private var unanswered: TaskRun.Event {
        refusal.map { .failed(.transport($0, .init())) } ?? .keepResponse
    }

    private func event(
        after step: TaskAuthentication.Step, _ request: URLRequest
    ) -> TaskRun.Event? {
        switch step {
        case .deliver: return unanswered
        case .fail(let error): return .failed(Self.error(error))
        case .cancel:
            return .cancel(.hook)
        case .retry(let fields):
            state.withLock { $0.attempt.rare.answeringFields = fields }
            // If the tunnel was not opened, the request was not sent.
            return refusal == nil ? delegate.resend(request) : .follow(request)
        case .ask(let challenge): return ask(challenge, request)
        }
    }

    private func ask(
        _ challenge: AuthenticationChallenge, _ request: URLRequest
    ) -> TaskRun.Event? {
        delegate.emit(.challenged(challenge))
        if let credential = credential(for: challenge) {
            return event(
                after: withAuthentication { $0.answer(.useCredential(credential)) }, request)
        }
        // Handlers that block threads delay Swift tasks, so one is created only to ask a hook.
        guard session.audience.hooked.contains(.challenged), let manager, let task else {
            return event(
                after: withAuthentication { $0.answer(.performDefaultHandling) }, request)
        }
        let questions = QuestionStage(delegate)
        questions.ask(HookQuestion(), questions.challengeLimit) {
            await manager.didReceiveChallenge(task, challenge: challenge)
        } then: { [refusal] delegate, disposition in
            let stage = ChallengeStage(delegate, refusal: refusal)
            return stage.event(
                after: stage.withAuthentication { $0.answer(disposition) }, request)
        }
        return nil
    }
}

extension ChallengeStage {
    /// Returns the task's own credential for a challenge by the request's server.
    ///
    /// Returns nil if it was refused, or if a proxy or another origin sent the challenge.
    private func credential(for challenge: AuthenticationChallenge) -> URLCredential? {
        guard !challenge.isProxy, challenge.previousFailureCount == 0 else { return nil }
        return state.withLock { $0.attempt.hasLeftOrigin ? nil : $0.rare.credential }
    }
}

extension AuthenticatedRequest {
    /// Creates the request that an exchange of a task is about to send.
    init?(of outgoing: borrowing OutgoingRequest) {
        self.init(
            of: outgoing.request, outgoing.body, hasLeftOrigin: outgoing.hasLeftOrigin,
            outgoing.delegate)
    }

    fileprivate init?(
        of request: URLRequest, _ body: Exchange.Body?, hasLeftOrigin: Bool,
        _ delegate: TaskDelegate
    ) {
        guard let url = request.url?.absoluteURL else { return nil }
        let body: AuthenticatedRequest.Body =
            switch body {
            case .data(let data): .data(data)
            case .stream: .notInMemory
            case nil: request.httpBody.map { .data($0) } ?? .none
            }
        let route = delegate.route
        let tunnel = route.tunnel(to: url)
        self.init(
            url: url,
            method: request.httpMethod ?? "GET",
            body: body,
            proxy: tunnel?.proxy ?? route.forwardingOrigin(for: url),
            tunnelTarget: tunnel?.target,
            hasOwnAuthorization: delegate.session.exchangeBuilder.hasOwnAuthorization(
                request, hasLeftOrigin: hasLeftOrigin
            )
        )
    }
}

extension TaskDelegate {
    /// The route of the task's connections.
    fileprivate var route: Exchange.Route {
        setup.options?.values.route ?? session.configuration.route
    }
}

extension Exchange.Route {
    /// Returns the proxy that forwards the request, and that can answer it instead of the server.
    ///
    /// A proxy that opens tunnels is not included, because its answers are not responses to the
    /// task.
    fileprivate func forwardingOrigin(for url: URL) -> AuthenticationOrigin? {
        forwardingProxy(for: url.absoluteString).map(AuthenticationOrigin.init)
    }

    /// Returns the proxy that opens a tunnel, with its target, or nil if there is no tunnel.
    fileprivate func tunnel(to url: URL) -> (proxy: AuthenticationOrigin, target: String)? {
        let text = url.absoluteString
        guard let proxy = tunnelingProxy(for: text), let authority = URLAuthority(of: text) else {
            return nil
        }
        return (AuthenticationOrigin(proxy), authority.tunnelTarget)
    }

    /// Removes the caller's proxy credentials unless a proxy forwards the request.
    func removeProxyFields(from fields: inout [Exchange.Field], of request: URLRequest) {
        guard request.url.flatMap({ forwardingOrigin(for: $0.absoluteURL) }) == nil else { return }
        fields.removeAll(where: \.isProxyAuthorization)
    }
}

extension AuthenticationOrigin {
    fileprivate init(_ proxy: Exchange.Route.Proxy) {
        self.init(scheme: proxy.scheme.rawValue, host: proxy.host, port: proxy.port)
    }
}
