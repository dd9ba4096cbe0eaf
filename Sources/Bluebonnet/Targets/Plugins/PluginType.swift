public import FoundationNetworking

/// Changes and hears of the calls of a provider.
///
/// Every method has a default that does nothing. ``prepare(_:target:)-(URLRequest,TargetType)`` and ``willSend(_:target:)``
/// run behind the session's adapters, again for each attempt; the others run once a call, on the queue of its completion.
/// The plugins of a provider are asked in their order.
public protocol PluginType: Sendable {
    /// Returns the request to send.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest

    /// Returns the request to send, and may wait or fail; by default it calls the form that does neither.
    ///
    /// - Throws: anything; the call fails with it below ``TargetError/underlying(_:_:)``.
    func prepare(_ request: URLRequest, target: any TargetType) async throws -> URLRequest

    /// Hears that a request is about to be sent.
    func willSend(_ request: any RequestType, target: any TargetType)

    /// Hears how a call ended, before ``process(_:target:)`` of any plugin, also if it failed before anything was sent.
    ///
    /// Of calls that share an exchange the one that leads hears; if that is cancelled, another one hears as well.
    func didReceive(_ result: Result<TargetResponse, TargetError>, target: any TargetType)

    /// Returns what the caller gets.
    func process(
        _ result: Result<TargetResponse, TargetError>, target: any TargetType
    ) -> Result<TargetResponse, TargetError>
}

extension PluginType {
    /// Returns the request.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { request }

    /// Calls the form that neither waits nor fails.
    public func prepare(
        _ request: URLRequest, target: any TargetType
    ) async throws -> URLRequest {
        // In a closure that cannot wait, the name is that of the other form.
        let prepared: () -> URLRequest = { prepare(request, target: target) }
        return prepared()
    }

    /// Does nothing.
    public func willSend(_ request: any RequestType, target: any TargetType) {}

    /// Does nothing.
    public func didReceive(
        _ result: Result<TargetResponse, TargetError>, target: any TargetType
    ) {}

    /// Returns the result.
    public func process(
        _ result: Result<TargetResponse, TargetError>, target: any TargetType
    ) -> Result<TargetResponse, TargetError> { result }
}

/// A request that is about to be sent, as plugins see it.
public protocol RequestType: Sendable {
    /// The request, as plugins have prepared it.
    var request: URLRequest? { get }
    /// The header fields that the session adds.
    var sessionHeaders: [String: String] { get }

    /// Answers challenges of servers with a name and a password.
    @discardableResult
    func authenticate(
        username: String, password: String, persistence: URLCredential.Persistence
    ) -> Self

    /// Answers challenges of servers with a credential.
    @discardableResult
    func authenticate(with credential: URLCredential) -> Self

    /// Passes the request as a command line for `curl` to a closure.
    @discardableResult
    func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self
}

/// A plugin that hears of calls in pairs, whatever becomes of them.
protocol CallObserver {
    /// A call has sent its first request.
    func callDidBegin(_ target: any TargetType)
    /// It has ended.
    func callDidEnd(_ target: any TargetType)
}

/// A plugin that makes calls different in what their prepared requests do not show.
protocol CallDistinguisher {
    /// What equal requests must have in common to share an exchange.
    func distinction(of target: any TargetType) -> [String?]?
}

/// The request of an attempt, and the handle of its task.
struct PreparedRequest: RequestType {
    let request: URLRequest?
    let handle: Request

    var sessionHeaders: [String: String] {
        handle.delegate.session.configuration.additionalHeaders.dictionary
    }

    func authenticate(
        username: String, password: String, persistence: URLCredential.Persistence
    ) -> PreparedRequest {
        handle.authenticate(username: username, password: password, persistence: persistence)
        return self
    }

    func authenticate(with credential: URLCredential) -> PreparedRequest {
        handle.authenticate(with: credential)
        return self
    }

    func cURLDescription(
        calling handler: @escaping @Sendable (String) -> Void
    ) -> PreparedRequest {
        handle.cURLDescription(calling: handler)
        return self
    }
}
