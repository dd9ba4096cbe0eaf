public import Foundation
public import FoundationNetworking

/// Adds a credential to each request, and refreshes the credential when it expires or is refused.
///
/// If the credential requires a refresh, it is refreshed before the request is sent. If a server
/// refuses it, the request is sent again with a new credential, once. Tasks that need a new
/// credential share one refresh. A refusal by another origin, after a redirect, does not cause a
/// refresh. An interceptor can be used on any thread.
///
/// ```swift
/// let interceptor = AuthenticationInterceptor(authenticator: tokens, credential: stored)
/// api.interceptors.append(interceptor)
/// ```
public final class AuthenticationInterceptor<A: Authenticator>: RequestInterceptor {
    /// A limit on the number of refreshes within an interval.
    public struct RefreshWindow: Sendable, Hashable {
        /// The length of the interval, in seconds.
        public let interval: TimeInterval
        /// The maximum number of refreshes within the interval, including those that fail.
        ///
        /// 0 allows no refresh.
        public let maximumAttempts: Int

        /// Creates a window, by default of 5 refreshes in 30 seconds.
        public init(interval: TimeInterval = 30, maximumAttempts: Int = 5) {
            self.interval = interval
            self.maximumAttempts = maximumAttempts
        }
    }

    private struct State {
        var credential: A.Credential?
        /// Increases when the credential changes, so that no decision is applied to a later
        /// credential.
        var version = 0
        var refresh: CredentialRefresh<A.Credential>?
        /// The times at which refreshes within the window began.
        var beginnings: [Duration] = []
        /// The error of the last refresh of this credential.
        var failure: (any Error)?
    }

    private enum Decision {
        case apply(A.Credential)
        case wait(CredentialRefresh<A.Credential>)
        case begin(CredentialRefresh<A.Credential>, A.Credential)
    }

    private let authenticator: A
    private let refreshWindow: RefreshWindow?
    private let state: Locked<State>

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - authenticator: Applies and refreshes credentials.
    ///   - credential: The first credential. Without one, requests fail until ``credential`` is
    ///     set.
    ///   - refreshWindow: The limit on refreshes, or nil for no limit.
    public init(
        authenticator: A, credential: A.Credential? = nil,
        refreshWindow: RefreshWindow? = RefreshWindow()
    ) {
        self.authenticator = authenticator
        self.refreshWindow = refreshWindow
        state = Locked(State(credential: credential))
    }

    /// The current credential, or nil if there is none.
    ///
    /// Setting it ends a refresh in progress. Requests that wait for that refresh are sent with the
    /// new credential. If the new value is nil, they fail.
    public var credential: A.Credential? {
        get { state.withLock { $0.credential } }
        set {
            // Released outside the lock, because the deinitializer can run user code.
            let former = state.withLock { state in
                let former = (state.refresh.take(), state.credential, state.failure)
                (state.credential, state.failure) = (newValue, nil)
                state.version += 1
                return former
            }
            former.0?.end(
                newValue.map { .success($0) } ?? .failure(CredentialError.missingCredential))
            withExtendedLifetime(former) {}
        }
    }

    // MARK: Adapting

    /// Applies the credential, after a refresh if one is required.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The attempt.
    /// - Returns: The request with the credential. A request created within a refresh by this
    ///   interceptor is returned unchanged.
    /// - Throws: ``CredentialError``, or the error of the refresh.
    public func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        guard !state.request.isMadeWithinRefresh(of: self) else { return urlRequest }
        if state.attempt == 1 {
            let former = self.state.withLock { $0.failure.take() }
            withExtendedLifetime(former) {}
        }
        return try await authenticated(urlRequest, for: state.session, state.request)
    }

    /// Applies the credential, after a refresh if one is required.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - session: The manager.
    /// - Returns: The request with the credential. Within a refresh by this interceptor, the
    ///   request is returned unchanged.
    /// - Throws: ``CredentialError``, or the error of the refresh.
    public func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        guard !RefreshScope.current.contains(self) else { return urlRequest }
        return try await authenticated(urlRequest, for: session, nil)
    }

    private func authenticated(
        _ urlRequest: URLRequest, for session: Session, _ request: Request?
    ) async throws -> URLRequest {
        let credential: A.Credential
        switch try decide(for: session, request) {
        case .apply(let known): credential = known
        // Not checked again: an authenticator that returns expired credentials would refresh
        // forever.
        case .wait(let refresh): credential = try await self.credential(from: refresh, request)
        case .begin(let refresh, let old):
            begin(refresh, of: old, for: session)
            credential = try await self.credential(from: refresh, request)
        }
        var urlRequest = urlRequest
        authenticator.apply(credential, to: &urlRequest)
        return urlRequest
    }

    private func decide(for session: Session, _ request: Request?) throws -> Decision {
        while true {
            // Reading `requiresRefresh` runs user code, so it happens outside the lock. The
            // credential can change meanwhile.
            let (credential, version) = state.withLock { ($0.credential, $0.version) }
            guard let credential else { throw CredentialError.missingCredential }
            // A task that has waited for a refresh uses its result, expired or not.
            let requiresRefresh =
                request?.hasRefreshed(by: self) != true && credential.requiresRefresh
            let now = session.clock.now
            let decision = try state.withLock { state -> Decision? in
                guard state.version == version else { return nil }
                // A refresh after a refusal is not awaited, because it can depend on this request.
                if let refresh = state.refresh {
                    return refresh.isBeforeSending ? .wait(refresh) : .apply(credential)
                }
                guard requiresRefresh else { return .apply(credential) }
                let refresh = try makeRefresh(&state, isBeforeSending: true, for: session, at: now)
                return .begin(refresh, credential)
            }
            switch decision {
            case nil: continue
            case .wait?, .begin?: request?.noteRefresh(by: self)
            case .apply?: break
            }
            if let decision { return decision }
        }
    }

    // MARK: Retrying

    /// Requests a retry of a request whose credential was refused, after a refresh if one is
    /// needed.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The manager.
    ///   - error: The reason the attempt failed.
    /// - Returns: ``RetryResult/retry`` if a new credential is available.
    ///   ``RetryResult/doNotRetryWithError(_:)`` if there is no credential or the refresh fails.
    ///   ``RetryResult/doNotRetry`` for any other failure, and for a task that was already sent
    ///   again with a new credential.
    public func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        guard !request.isMadeWithinRefresh(of: self), request.isAtOwnOrigin,
            let urlRequest = request.request, let response = request.response,
            authenticator.didRequest(
                urlRequest, with: response, failDueToAuthenticationError: error)
        else { return .doNotRetry }
        let (credential, version) = state.withLock { ($0.credential, $0.version) }
        guard let credential else {
            return .doNotRetryWithError(CredentialError.missingCredential)
        }
        guard request.noteRenewal(by: self) else {
            request.noteRetryRefusal(
                "the server also refused the new credential")
            return .doNotRetry
        }
        guard authenticator.isRequest(urlRequest, authenticatedWith: credential) else {
            return .retry
        }
        do {
            if let refresh = try refresh(after: version, for: session) {
                _ = try await self.credential(from: refresh, request)
                request.noteRefresh(by: self)
            }
            return .retry
        } catch {
            return .doNotRetryWithError(error)
        }
    }

    /// Returns the refresh of a refused credential, or nil if the credential was replaced
    /// meanwhile.
    private func refresh(
        after version: Int, for session: Session
    ) throws -> CredentialRefresh<A.Credential>? {
        let now = session.clock.now
        let (refresh, old) = try state.withLock { state in
            guard state.version == version else {
                return (CredentialRefresh<A.Credential>?.none, A.Credential?.none)
            }
            if let refresh = state.refresh { return (refresh, nil) }
            if let failure = state.failure { throw failure }
            return (
                try makeRefresh(&state, isBeforeSending: false, for: session, at: now),
                state.credential
            )
        }
        if let refresh, let old { begin(refresh, of: old, for: session) }
        return refresh
    }

    // MARK: Refreshing

    /// Awaits a refresh, whose time limit takes the place of the interceptor's.
    private func credential(
        from refresh: CredentialRefresh<A.Credential>, _ request: Request?
    ) async throws -> A.Credential {
        let question = refresh.isLimited ? request?.interceptorQuestion : nil
        question?.pauseLimit()
        defer { question?.resumeLimit() }
        return try await refresh.credential
    }

    private func makeRefresh(
        _ state: inout State, isBeforeSending: Bool, for session: Session, at now: Duration
    ) throws -> CredentialRefresh<A.Credential> {
        if let refreshWindow {
            let interval = Duration(delayInSeconds: refreshWindow.interval)
            state.beginnings.removeAll { now - $0 >= interval }
            guard state.beginnings.count < refreshWindow.maximumAttempts else {
                throw CredentialError.excessiveRefresh
            }
            state.beginnings.append(now)
        }
        let refresh = CredentialRefresh<A.Credential>(
            isBeforeSending: isBeforeSending,
            isLimited: ExchangeBuilder.usable(session.configuration.interceptorTimeout) != nil)
        state.refresh = refresh
        return refresh
    }

    private func begin(
        _ refresh: CredentialRefresh<A.Credential>, of old: A.Credential, for session: Session
    ) {
        let task = Task(executorPreference: session.hookExecutor) { [self] in
            await RefreshScope.run(self, until: { refresh.isOver }) {
                do {
                    end(refresh, .success(try await authenticator.refresh(old, for: session)))
                } catch {
                    end(refresh, .failure(error))
                }
            }
        }
        guard let limit = ExchangeBuilder.usable(session.configuration.interceptorTimeout) else {
            return
        }
        let timer = session.clock.schedule(after: Duration(delayInSeconds: limit)) { [self] in
            // Ended first, or the error of the canceled Swift task could be the result.
            end(refresh, .failure(CredentialError.refreshTimedOut(limit)))
            task.cancel()
        }
        refresh.setTimer(timer)
    }

    private func end(
        _ refresh: CredentialRefresh<A.Credential>, _ result: Result<A.Credential, any Error>
    ) {
        // Released outside the lock, because the deinitializer can run user code.
        let former = state.withLock { state -> (A.Credential?, (any Error)?)? in
            // A credential that was set meanwhile has ended this refresh and is kept.
            guard state.refresh === refresh else { return nil }
            let former = (state.credential, state.failure)
            state.refresh = nil
            switch result {
            case .success(let credential):
                (state.credential, state.failure) = (credential, nil)
                state.version += 1
            case .failure(let error): state.failure = error
            }
            return former
        }
        withExtendedLifetime(former) {}
        // After the state has changed, so that waiting tasks find the new credential.
        refresh.end(result)
    }
}
