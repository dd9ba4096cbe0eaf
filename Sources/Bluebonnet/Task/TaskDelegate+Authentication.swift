import BluebonnetTransport
import Foundation
import FoundationNetworking

// The authentication of a task, on the callback queue but for its start.
extension TaskDelegate {
    /// Sends what is known already, before anybody asks, with the next exchange.
    func useKnownCredentials(for request: URLRequest) {
        let isKnown = state.withLock { $0.authentication != nil }
        guard isKnown || !session.authentication.isEmpty else { return }
        let fields = subject(of: request).map { subject in
            withAuthentication { $0.fields(for: subject) }
        }
        state.withLock { $0.authenticationFields = fields ?? [] }
    }

    /// Changes the authentication, which only one thing at a time is done with: before the task has
    /// started on the thread that starts it, then on the callback queue.
    private func withAuthentication<Result>(
        _ change: (inout TaskAuthentication) -> Result
    ) -> Result {
        // Outside the lock, since what several tasks know has one of its own.
        var authentication =
            state.withLock { $0.authentication.take() }
            ?? TaskAuthentication(cache: session.authentication)
        let result = change(&authentication)
        state.withLock { $0.authentication = authentication }
        return result
    }

    private func subject(of request: URLRequest) -> AuthenticatedRequest? {
        guard let url = request.url?.absoluteURL else { return nil }
        let (requestBody, hasLeftOrigin) = state.withLock { ($0.requestBody, $0.hasLeftOrigin) }
        let body: AuthenticatedRequest.Body =
            switch requestBody {
            case .data(let data): .data(data)
            case .stream: .notInMemory
            case nil: request.httpBody.map { .data($0) } ?? .none
            }
        return AuthenticatedRequest(
            url: url,
            method: request.httpMethod ?? "GET",
            body: body,
            proxy: forwardingProxy(for: url),
            hasOwnAuthorization: session.exchangeBuilder.hasOwnAuthorization(
                request, hasLeftOrigin: hasLeftOrigin
            )
        )
    }

    /// The proxy that answers for itself in place of the server; one that opens tunnels does so in
    /// answers that no task sees.
    private func forwardingProxy(for url: URL) -> AuthenticationOrigin? {
        session.configuration.route.forwardingProxy(for: url.absoluteString).map { proxy in
            AuthenticationOrigin(scheme: proxy.scheme.rawValue, host: proxy.host, port: proxy.port)
        }
    }

    /// Leaves out what the caller meant for a proxy, where the request goes to its server itself.
    func removeProxyFields(from fields: inout [Exchange.Field], of request: URLRequest) {
        func isForProxy(_ field: Exchange.Field) -> Bool {
            field.name.caseInsensitiveEquals("Proxy-Authorization")
        }
        guard fields.contains(where: isForProxy),
            request.url.flatMap({ forwardingProxy(for: $0.absoluteURL) }) == nil
        else { return }
        fields.removeAll(where: isForProxy)
    }

    /// Whether a response asks for a credential, and somebody may have one.
    func isAnsweredChallenge(_ head: ResponseHead) -> Bool {
        switch head.statusCode {
        case 401 where head.value(of: "WWW-Authenticate") != nil: break
        // Of a host that is reached without the proxy, a 407 is its own.
        case 407
        where head.value(of: "Proxy-Authenticate") != nil && forwardingProxy(for: head.url) != nil:
            break
        default: return false
        }
        return !session.authentication.isEmpty || state.withLock { $0.authentication != nil }
            || session.activeHooks.contains(anyOf: .challenge)
    }

    /// Lets the authentication see a response that is not a challenge; why it cannot be trusted.
    func authenticationError(after head: ResponseHead) -> BluebonnetError? {
        guard state.withLock({ $0.authentication != nil }), let request = currentRequest,
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

    /// Decides about a challenge whose exchange has ended.
    func answerChallenge() {
        guard let head, let request = currentRequest, let subject = subject(of: request) else {
            return complete(with: nil)
        }
        take(withAuthentication { $0.next(after: head, to: subject) }, for: request)
    }

    private func take(_ step: TaskAuthentication.Step, for request: URLRequest) {
        switch step {
        case .deliver: deliverHop()
        case .fail(let error): complete(with: Self.error(error))
        case .cancel: abandon()
        case .retry(let fields):
            state.withLock { $0.authenticationFields = fields }
            resend(with: request)
        case .ask(let challenge): ask(challenge, request)
        }
    }

    private func ask(_ challenge: AuthenticationChallenge, _ request: URLRequest) {
        guard let manager, let task else { return complete(with: nil) }
        ask(asChallenge: true) {
            await manager.didReceiveChallenge(task, challenge: challenge)
        } then: { delegate, disposition in
            delegate.take(
                delegate.withAuthentication { $0.answer(disposition) },
                for: request
            )
        }
    }

    func abandon() {
        guard let task else { return complete(with: nil) }
        cancel(task)
    }
}

extension [Exchange.Field] {
    /// Sets fields in place of any of the same names.
    mutating func replace(_ others: [Exchange.Field]) {
        guard !others.isEmpty else { return }
        removeAll { field in
            others.contains { $0.name.caseInsensitiveEquals(field.name) }
        }
        self += others
    }
}
