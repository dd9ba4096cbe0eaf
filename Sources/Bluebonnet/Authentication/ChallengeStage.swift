import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The authentication of a task: credentials that are sent unasked, and the answers to challenges.
///
/// Before the first exchange it runs on the thread that resumes the task.
struct ChallengeStage: TaskStage {
    let delegate: TaskDelegate
    /// A proxy's refusal to open a tunnel, where that is the challenge; nil for a response.
    private let refusal: Exchange.Failure?

    init(_ delegate: TaskDelegate) {
        self.init(delegate, refusal: nil)
    }

    private init(_ delegate: TaskDelegate, refusal: Exchange.Failure?) {
        (self.delegate, self.refusal) = (delegate, refusal)
    }

    /// The stage of a tunnel that was refused for want of a credential; nil for other failures.
    init?(_ delegate: TaskDelegate, after failure: Exchange.Failure) {
        guard failure.proxyStatus == 407, !failure.proxyFields.isEmpty else { return nil }
        self.init(delegate, refusal: failure)
    }

    /// Sends the credentials that are known already, unasked, with the next exchange.
    func useKnownCredentials(for request: URLRequest) {
        let isKnown = state.withLock { $0.attempt.authentication != nil }
        guard isKnown || !session.authentication.isEmpty else { return }
        let fields = subject(of: request).map { subject in
            withAuthentication { $0.fields(for: subject) }
        }
        state.withLock { $0.attempt.authenticationFields = fields ?? [] }
    }

    /// Changes the authentication, which only one thing at a time is done with: before the task has
    /// started on the thread that starts it, then on the callback queue.
    private func withAuthentication<Result>(
        _ change: (inout TaskAuthentication) -> Result
    ) -> Result {
        // Outside the lock, since what several tasks know has one of its own.
        var authentication =
            state.withLock { $0.attempt.authentication.take() }
            ?? TaskAuthentication(cache: session.authentication)
        let result = change(&authentication)
        state.withLock { $0.attempt.authentication = authentication }
        return result
    }

    private func subject(of request: URLRequest) -> AuthenticatedRequest? {
        guard let url = request.url?.absoluteURL else { return nil }
        let (requestBody, hasLeftOrigin) = state.withLock {
            ($0.attempt.body, $0.attempt.hasLeftOrigin)
        }
        let body: AuthenticatedRequest.Body =
            switch requestBody {
            case .data(let data): .data(data)
            case .stream: .notInMemory
            case nil: request.httpBody.map { .data($0) } ?? .none
            }
        let route = delegate.route
        let tunnel = route.tunnel(to: url)
        return AuthenticatedRequest(
            url: url,
            method: request.httpMethod ?? "GET",
            body: body,
            proxy: tunnel?.proxy ?? route.forwardingOrigin(for: url),
            tunnelTarget: tunnel?.target,
            hasOwnAuthorization: session.exchangeBuilder.hasOwnAuthorization(
                request, hasLeftOrigin: hasLeftOrigin
            )
        )
    }

    /// Whether a response asks for a credential in a supported scheme.
    func isChallenge(_ head: ResponseHead) -> Bool {
        guard let party = AuthenticationParty(statusCode: head.statusCode) else { return false }
        // Of a host that is reached without the proxy, a 407 is its own.
        guard party == .server || delegate.route.forwardingOrigin(for: head.url) != nil else {
            return false
        }
        return !AuthenticationOffer.Selection(of: head, by: party).supported.isEmpty
    }

    /// Lets the authentication see a response that is not a challenge; why it cannot be trusted.
    func error(after head: ResponseHead) -> BluebonnetError? {
        guard state.withLock({ $0.attempt.authentication != nil }),
            let request = delegate.currentRequest,
            let subject = subject(of: request)
        else { return nil }
        let step = withAuthentication { $0.next(after: head, to: subject) }
        guard case .fail(let error) = step else { return nil }
        return Self.error(error)
    }

    static func error(_ error: any Error) -> BluebonnetError {
        let text = error is AuthenticationError ? "\(error)" : "the challenge was refused: \(error)"
        return .authentication(text, .init(underlying: error))
    }

    /// Decides about a challenge whose body has been read to its end, or far enough.
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

    /// What becomes of the task without an answer to the challenge.
    private var unanswered: TaskRun.Event {
        refusal.map { .failed(.transport($0, .init())) } ?? .deliver
    }

    private func event(
        after step: TaskAuthentication.Step, _ request: URLRequest
    ) -> TaskRun.Event? {
        switch step {
        case .deliver: return unanswered
        case .fail(let error): return .failed(Self.error(error))
        case .cancel:
            delegate.noteCancellation(.hook)
            return .cancel
        case .retry(let fields):
            state.withLock { $0.attempt.authenticationFields = fields }
            // Behind a tunnel that was not opened, nothing has been sent.
            return refusal == nil ? delegate.resend(request) : .next(request)
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
        // Swift tasks wait for threads that handlers may block, so none is made without a hook to ask.
        guard session.audience.hooked.contains(.challenged), let manager, let task else {
            return event(
                after: withAuthentication { $0.answer(.performDefaultHandling) }, request)
        }
        delegate.ask(HookQuestion(), delegate.challengeLimit) {
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
    /// The task's own credential, unless it was refused, or another than the request's server asks.
    private func credential(for challenge: AuthenticationChallenge) -> URLCredential? {
        guard !challenge.isProxy, challenge.previousFailureCount == 0 else { return nil }
        return state.withLock { $0.attempt.hasLeftOrigin ? nil : $0.credential }
    }
}

extension TaskDelegate {
    /// The way that the task's connections take.
    fileprivate var route: Exchange.Route {
        setup.options?.values.route ?? session.configuration.route
    }
}

extension Exchange.Route {
    /// The proxy that answers for itself in place of the server; one that opens tunnels does so in
    /// answers that are no task's response.
    fileprivate func forwardingOrigin(for url: URL) -> AuthenticationOrigin? {
        forwardingProxy(for: url.absoluteString).map(AuthenticationOrigin.init)
    }

    /// The proxy that opens a tunnel, and what it is asked for; nil where there is none.
    fileprivate func tunnel(to url: URL) -> (proxy: AuthenticationOrigin, target: String)? {
        let text = url.absoluteString
        guard let proxy = tunnelingProxy(for: text), let authority = URLAuthority(of: text) else {
            return nil
        }
        return (AuthenticationOrigin(proxy), authority.tunnelTarget)
    }

    /// Leaves out what the caller meant for a proxy, where the request goes to its server itself.
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
