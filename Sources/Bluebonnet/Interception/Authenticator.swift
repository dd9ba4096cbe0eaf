public import Foundation
public import FoundationNetworking

/// What proves who sends a request, such as an access token with its expiry.
public protocol AuthenticationCredential {
    /// Whether the credential has to be refreshed before it is used: it has expired, or is about to.
    var requiresRefresh: Bool { get }
}

/// Applies and refreshes the credentials of an ``AuthenticationInterceptor`` .
///
/// Its methods run in Swift tasks, on any thread, and several may run at once.
public protocol Authenticator<Credential>: AnyObject, Sendable {
    /// The kind of its credentials.
    associatedtype Credential: AuthenticationCredential & Sendable

    /// Puts a credential into a request.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - urlRequest: The request that is about to be sent.
    func apply(_ credential: Credential, to urlRequest: inout URLRequest)

    /// Returns a new credential in the place of one that has expired, or that a server refused.
    ///
    /// It is called for one credential at a time. Requests that it makes through the same manager are sent without the
    /// interceptor, so they do not wait for this refresh: make them in its own Swift task, or in a completion form before
    /// that returns, since another queue does not know of the refresh. Implement this form or the one with a completion.
    ///
    /// - Parameters:
    ///   - credential: The credential that has expired, or was refused.
    ///   - session: The manager of the task that needs it.
    /// - Returns: The new credential.
    /// - Throws: Any error, with which the tasks that wait for the credential fail.
    func refresh(_ credential: Credential, for session: Session) async throws -> Credential

    /// Passes a new credential to a closure, which is called once; further calls are ignored.
    func refresh(
        _ credential: Credential, for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void)

    /// Returns whether a server has refused a request's credential, usually by the status 401.
    ///
    /// - Parameters:
    ///   - urlRequest: The request as it was sent.
    ///   - response: The head of the response.
    ///   - error: Why the attempt failed.
    /// - Returns: True for a refusal, which is followed by a refresh.
    func didRequest(
        _ urlRequest: URLRequest, with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool

    /// Returns whether a request was sent with a credential.
    ///
    /// One that was sent with another is sent again without a refresh.
    ///
    /// - Parameters:
    ///   - urlRequest: The request as it was sent.
    ///   - credential: The credential in use.
    /// - Returns: True if it was.
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
}

extension Authenticator {
    /// Calls the completion form.
    ///
    /// - Throws: What that answers, and ``CredentialError/refreshNotImplemented`` if there is none.
    public func refresh(_ credential: Credential, for session: Session) async throws -> Credential {
        let answer = try await InterceptorBridge.ask(self, .refresh) { complete in
            refresh(credential, for: session, completion: complete)
        }
        guard let answer else { throw CredentialError.refreshNotImplemented }
        return try answer.get()
    }

    /// Calls the `async` form.
    public func refresh(
        _ credential: Credential, for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    ) {
        guard !InterceptorBridge.isAsked(self, .refresh) else { return }
        InterceptorBridge.complete(completion, for: session) {
            try await self.refresh(credential, for: session)
        }
    }
}

/// Why an ``AuthenticationInterceptor`` has no credential for a request.
@nonexhaustive
public enum CredentialError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The interceptor has no credential; set ``AuthenticationInterceptor/credential``.
    case missingCredential
    /// There were too many refreshes within the refresh window.
    case excessiveRefresh
    /// The authenticator implements neither form of `refresh`.
    case refreshNotImplemented
    /// The authenticator did not answer within ``SessionConfiguration/interceptorTimeout``, in seconds.
    case refreshTimedOut(TimeInterval)

    /// What happened, and what to do about it.
    public var description: String {
        switch self {
        case .missingCredential: "there is no credential; set one before requests are sent"
        case .excessiveRefresh:
            "the credential was refreshed too often; check what the server refuses, or widen the refresh window"
        case .refreshNotImplemented:
            "the authenticator implements no refresh; implement one of its forms"
        case .refreshTimedOut(let seconds):
            "the authenticator has not refreshed the credential within \(seconds) seconds; have it answer sooner, or "
                + "raise interceptorTimeout"
        }
    }
}
