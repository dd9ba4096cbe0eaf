public import Foundation
public import FoundationNetworking

/// Puts a credential into each request, and refreshes it when it expires or a server refuses it (A-I12).
///
/// Any number of tasks wait for one refresh. A credential that says that it has to be refreshed is refreshed before
/// the request is sent. A request that a server has refused is sent again with a new credential, once a task. A refusal
/// by another origin, behind a redirect, is not taken for one of this credential. Any thread may use it.
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
        /// Counts the credentials, so that a refresh does not replace one that was set meanwhile.
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
    public var credential: A.Credential? {
        get { state.withLock { $0.credential } }
        set {
            state.withLock { state in
                state.credential = newValue
                state.version += 1
                state.failure = nil
            }
        }
    }

    // MARK: Adapting

    /// Applies the credential, behind a refresh if it needs one.
    ///
    /// - Throws: ``CredentialError``, and what a refresh throws.
    public func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        guard !state.request.isMadeWithinRefresh(of: self) else { return urlRequest }
        if state.attempt == 1 { self.state.withLock { $0.failure = nil } }
        return try await authenticated(urlRequest, for: state.session)
    }

    /// Applies the credential, behind a refresh if it needs one.
    ///
    /// - Throws: ``CredentialError``, and what a refresh throws.
    public func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        guard !RefreshScope.contains(self) else { return urlRequest }
        return try await authenticated(urlRequest, for: session)
    }

    private func authenticated(
        _ urlRequest: URLRequest, for session: Session
    ) async throws -> URLRequest {
        let credential: A.Credential
        switch try decide(for: session) {
        case .apply(let known): credential = known
        case .wait(let refresh): credential = try await refresh.credential
        case .begin(let refresh, let old):
            begin(refresh, of: old, for: session)
            // As it is: a credential that has expired when it comes would be refreshed for ever.
            credential = try await refresh.credential
        }
        var request = urlRequest
        authenticator.apply(credential, to: &request)
        return request
    }

    private func decide(for session: Session) throws -> Decision {
        // Its date is asked outside the lock.
        guard let credential else { throw CredentialError.missingCredential }
        let (requiresRefresh, now) = (credential.requiresRefresh, session.clock.now)
        return try state.withLock { state in
            guard let credential = state.credential else {
                throw CredentialError.missingCredential
            }
            // One that a refusal began is not waited for: the refresh may need this very request.
            if let refresh = state.refresh, refresh.isBeforeSending { return .wait(refresh) }
            guard requiresRefresh, state.refresh == nil else { return .apply(credential) }
            let refresh = try makeRefresh(&state, isBeforeSending: true, at: now)
            return .begin(refresh, credential)
        }
    }

    // MARK: Retrying

    /// Has a request sent again that was refused because of its credential, behind a refresh.
    public func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        guard !request.isMadeWithinRefresh(of: self), request.isAtOwnOrigin,
            let urlRequest = request.request, let response = request.response,
            authenticator.didRequest(
                urlRequest, with: response, failDueToAuthenticationError: error)
        else { return .doNotRetry }
        guard let credential else {
            return .doNotRetryWithError(CredentialError.missingCredential)
        }
        guard authenticator.isRequest(urlRequest, authenticatedWith: credential) else {
            return .retry
        }
        guard request.noteRefresh(by: self) else { return .doNotRetry }
        do {
            let refresh = try refreshAfterRefusal(for: session)
            _ = try await refresh.credential
            return .retry
        } catch {
            return .doNotRetryWithError(error)
        }
    }

    private func refreshAfterRefusal(
        for session: Session
    ) throws -> CredentialRefresh<A.Credential> {
        let now = session.clock.now
        let (refresh, old) = try state.withLock { state in
            if let refresh = state.refresh { return (refresh, A.Credential?.none) }
            if let failure = state.failure { throw failure }
            return (
                try makeRefresh(&state, isBeforeSending: false, at: now), state.credential
            )
        }
        if let old { begin(refresh, of: old, for: session) }
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
        let refresh = CredentialRefresh<A.Credential>(
            isBeforeSending: isBeforeSending, of: state.version)
        state.refresh = refresh
        return refresh
    }

    private func begin(
        _ refresh: CredentialRefresh<A.Credential>, of old: A.Credential, for session: Session
    ) {
        let task = Task(executorPreference: session.hookExecutor) { [self] in
            await RefreshScope.run(self) {
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
        state.withLock { state in
            guard state.refresh === refresh else { return }
            state.refresh = nil
            // One that was set meanwhile stays.
            guard state.version == refresh.version else { return }
            switch result {
            case .success(let credential):
                state.credential = credential
                state.version += 1
                state.failure = nil
            case .failure(let error): state.failure = error
            }
        }
        // Behind it, so that those who wait find the new one.
        refresh.end(result)
    }
}
