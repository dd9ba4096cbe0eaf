public import Foundation
public import FoundationNetworking

/// A proof of the sender's identity, such as an access token with an expiration date.
public protocol AuthenticationCredential {
    /// Whether the credential must be refreshed before use, because it has expired or soon will.
    var requiresRefresh: Bool { get }
}

/// Applies and refreshes the credentials of an ``AuthenticationInterceptor``.
///
/// The methods run in Swift tasks, on any thread, and can run concurrently.
public protocol Authenticator<Credential>: AnyObject, Sendable {
    /// The type of the credentials.
    associatedtype Credential: AuthenticationCredential & Sendable

    /// Adds a credential to a request.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - urlRequest: The request that is about to be sent.
    func apply(_ credential: Credential, to urlRequest: inout URLRequest)

    /// Returns a new credential that replaces one that has expired or was refused.
    ///
    /// An interceptor runs one refresh at a time. Requests created during a refresh through the
    /// same manager bypass the interceptor, so they do not wait for the refresh itself. This
    /// applies to requests created in this method's Swift task, or by the completion form before it
    /// returns. Requests created later on another queue do not bypass the interceptor.
    ///
    /// Implement either this form or the one with a completion.
    ///
    /// - Parameters:
    ///   - credential: The credential that has expired or was refused.
    ///   - session: The manager of the task that needs the new credential.
    /// - Returns: The new credential.
    /// - Throws: Any error. The tasks that wait for the credential fail because of it.
    func refresh(_ credential: Credential, for session: Session) async throws -> Credential

    /// Passes a new credential to a closure.
    ///
    /// The closure is called once. Further calls are ignored.
    func refresh(
        _ credential: Credential, for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void)

    /// Returns whether a server refused a request's credential, usually with status 401.
    ///
    /// - Parameters:
    ///   - urlRequest: The request as it was sent.
    ///   - response: The head of the response.
    ///   - error: The reason the attempt failed.
    /// - Returns: True if the server refused the credential, which causes a refresh.
    func didRequest(
        _ urlRequest: URLRequest, with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool

    /// Returns whether a request was sent with the given credential.
    ///
    /// A request that was sent with another credential is sent again without a refresh.
    ///
    /// - Parameters:
    ///   - urlRequest: The request as it was sent.
    ///   - credential: The current credential.
    /// - Returns: True if the request was sent with the credential.
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
}

extension Authenticator {
    /// Calls the completion form.
    ///
    /// - Throws: The error that the completion form reports, or
    ///   ``CredentialError/refreshNotImplemented`` if that form is not implemented.
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

/// The reason that an ``AuthenticationInterceptor`` has no credential for a request.
@nonexhaustive
public enum CredentialError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The interceptor has no credential.
    ///
    /// Set ``AuthenticationInterceptor/credential``.
    case missingCredential
    /// The refresh window allows no more refreshes at this time.
    case excessiveRefresh
    /// The authenticator implements neither form of `refresh`.
    case refreshNotImplemented
    /// The refresh did not finish within ``SessionConfiguration/interceptorTimeout``, in seconds.
    case refreshTimedOut(TimeInterval)

    /// A description of what happened and what to do about it.
    public var description: String {
        switch self {
        case .missingCredential: "there is no credential; set one before requests are sent"
        case .excessiveRefresh:
            "the credential was refreshed too often; check why the server refuses it, or widen the "
                + "refresh window"
        case .refreshNotImplemented:
            "the authenticator does not implement refresh; implement one of its two forms"
        case .refreshTimedOut(let seconds):
            "the authenticator did not refresh the credential within \(seconds) seconds; make it "
                + "answer sooner, or raise interceptorTimeout; requests that it makes through the "
                + "same manager on another queue wait for the refresh itself, so make them within "
                + "its Swift task or with another manager"
        }
    }
}
