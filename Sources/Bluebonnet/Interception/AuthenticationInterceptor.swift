public import Foundation
public import FoundationNetworking

/// Puts a credential into each request, and refreshes it when it expires or a server refuses it.
///
/// Any number of tasks wait for one refresh. A credential that says that it has to be refreshed is refreshed before
/// the request is sent. A request that a server has refused is sent again with a new credential. A task waits for one
/// refresh at most. A refusal by another origin, behind a redirect, is not taken for one of this credential. Any thread
/// may use it.
///
/// ```swift
/// let interceptor = AuthenticationInterceptor(authenticator: tokens, credential: stored)
/// api.interceptors.append(interceptor)
/// ```
public final class AuthenticationInterceptor<A: Authenticator>: RequestInterceptor {
    /// How many refreshes there may be in a time.
    public struct RefreshWindow: Sendable, Hashable {
        /// In seconds.
        public let interval: TimeInterval
        /// Refreshes that may begin within the interval, also those that fail; 0 for none.
        public let maximumAttempts: Int

        /// Creates a window; the default is 5 refreshes in 30 seconds.
        public init(interval: TimeInterval = 30, maximumAttempts: Int = 5) {
            self.interval = interval
            self.maximumAttempts = maximumAttempts
        }
    }

    private struct State {
        var credential: A.Credential?
        /// Counts the credentials, so that what was decided about one is not done to the next.
        var version = 0
        var refresh: CredentialRefresh<A.Credential>?
        /// When refreshes have begun, as far back as the window goes.
        var beginnings: [Duration] = []
        /// Why the last refresh of this credential failed.
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
    ///   - credential: The first credential. Without one, requests fail until ``credential`` is set.
    ///   - refreshWindow: How many refreshes there may be in a time; nil for any number.
    public init(
        authenticator: A, credential: A.Credential? = nil,
        refreshWindow: RefreshWindow? = RefreshWindow()
    ) {
        self.authenticator = authenticator
        self.refreshWindow = refreshWindow
        state = Locked(State(credential: credential))
    }

    /// The credential in use; nil for none.
    ///
    /// Setting it ends a refresh under way: the requests that wait for that go out with the new credential, or fail
    /// where there is none.
    public var credential: A.Credential? {
        get { state.withLock { $0.credential } }
        set {
            // What was there goes outside the lock: it may be an object of the user's.
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

    /// Applies the credential, behind a refresh if it needs one.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The attempt.
    /// - Returns: The request with the credential; the request itself in a refresh of this interceptor.
    /// - Throws: ``CredentialError``, and what a refresh throws.
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

    /// Applies the credential, behind a refresh if it needs one.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - session: The manager.
    /// - Returns: The request with the credential; the request itself in a refresh of this interceptor.
    /// - Throws: ``CredentialError``, and what a refresh throws.
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
        case .wait(let refresh): credential = try await refresh.credential
        case .begin(let refresh, let old):
            begin(refresh, of: old, for: session)
            // As it is: a credential that has expired when it comes would be refreshed for ever.
            credential = try await refresh.credential
        }
        var urlRequest = urlRequest
        authenticator.apply(credential, to: &urlRequest)
        return urlRequest
    }

    private func decide(for session: Session, _ request: Request?) throws -> Decision {
        while true {
            // Its date is asked outside the lock, behind which another may be there.
            let (credential, version) = state.withLock { ($0.credential, $0.version) }
            guard let credential else { throw CredentialError.missingCredential }
            // A task that has waited for a refresh takes what that gave.
            let requiresRefresh =
                request?.hasWaited(forRefreshBy: self) != true && credential.requiresRefresh
            let now = session.clock.now
            let decision = try state.withLock { state -> Decision? in
                guard state.version == version else { return nil }
                // One that a refusal began is not waited for: the refresh may need this very request.
                if let refresh = state.refresh {
                    return refresh.isBeforeSending ? .wait(refresh) : .apply(credential)
                }
                guard requiresRefresh else { return .apply(credential) }
                let refresh = try makeRefresh(&state, isBeforeSending: true, at: now)
                return .begin(refresh, credential)
            }
            switch decision {
            case nil: continue
            case .wait?, .begin?: _ = request?.noteRefresh(by: self)
            case .apply?: break
            }
            if let decision { return decision }
        }
    }

    // MARK: Retrying

    /// Has a request sent again that was refused because of its credential, behind a refresh.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The manager.
    ///   - error: Why the attempt failed.
    /// - Returns: ``RetryResult/retry`` with a new credential; ``RetryResult/doNotRetry`` for any other failure, and
    ///   for a task that has waited for a refresh before.
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
        guard authenticator.isRequest(urlRequest, authenticatedWith: credential) else {
            return .retry
        }
        guard request.noteRefresh(by: self) else { return .doNotRetry }
        do {
            _ = try await refresh(after: version, for: session)?.credential
            return .retry
        } catch {
            return .doNotRetryWithError(error)
        }
    }

    /// The refresh of a credential that was refused; nil where another has taken its place meanwhile.
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
                try makeRefresh(&state, isBeforeSending: false, at: now), state.credential
            )
        }
        if let refresh, let old { begin(refresh, of: old, for: session) }
        return refresh
    }

    // MARK: Refreshing

    private func makeRefresh(
        _ state: inout State, isBeforeSending: Bool, at now: Duration
    ) throws -> CredentialRefresh<A.Credential> {
        if let refreshWindow {
            let interval = Duration(delayInSeconds: refreshWindow.interval)
            state.beginnings.removeAll { now - $0 >= interval }
            guard state.beginnings.count < refreshWindow.maximumAttempts else {
                throw CredentialError.excessiveRefresh
            }
            state.beginnings.append(now)
        }
        let refresh = CredentialRefresh<A.Credential>(isBeforeSending: isBeforeSending)
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
            task.cancel()
            end(refresh, .failure(CredentialError.refreshTimedOut(limit)))
        }
        refresh.setTimer(timer)
    }

    private func end(
        _ refresh: CredentialRefresh<A.Credential>, _ result: Result<A.Credential, any Error>
    ) {
        // What was there goes outside the lock: it may be an object of the user's.
        let former = state.withLock { state -> (A.Credential?, (any Error)?)? in
            // One that was set meanwhile has ended the refresh, and stays.
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
        // Behind it, so that those who wait find the new one.
        refresh.end(result)
    }
}
