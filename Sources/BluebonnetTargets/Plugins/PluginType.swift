public import BluebonnetChain

/// A plugin that observes and changes the calls of a provider.
///
/// Every method has a default that does nothing. `prepare(_:target:)` and
/// ``willSend(_:target:)`` run after the session's adapters, in each attempt. The other methods run
/// once per call, on the queue of its completion. The plugins of a provider are called in their
/// order.
public protocol PluginType: Sendable {
    /// Returns the request to send.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest

    /// Returns the request to send, asynchronously; by default it calls the synchronous form.
    ///
    /// - Throws: Any error. The call fails with it, wrapped in ``TargetError/underlying(_:_:)``.
    func prepare(_ request: URLRequest, target: any TargetType) async throws -> URLRequest

    /// Notifies the plugin that a request is about to be sent.
    func willSend(_ request: any RequestType, target: any TargetType)

    /// Notifies the plugin that a call has ended, before ``process(_:target:)`` of any plugin.
    ///
    /// It is also called if the call failed before anything was sent. If calls share an exchange,
    /// it is called for the leading call. If the leading call is canceled, it is called for one
    /// other call as well.
    func didReceive(_ result: Result<TargetResponse, TargetError>, target: any TargetType)

    /// Returns the result for the caller.
    func process(
        _ result: Result<TargetResponse, TargetError>, target: any TargetType
    ) -> Result<TargetResponse, TargetError>
}

extension PluginType {
    /// Returns the request unchanged.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { request }

    /// Calls the synchronous form.
    public func prepare(
        _ request: URLRequest, target: any TargetType
    ) async throws -> URLRequest {
        // In a synchronous closure, the call resolves to the synchronous form.
        let prepared: () -> URLRequest = { prepare(request, target: target) }
        return prepared()
    }

    /// Does nothing.
    public func willSend(_ request: any RequestType, target: any TargetType) {}

    /// Does nothing.
    public func didReceive(
        _ result: Result<TargetResponse, TargetError>, target: any TargetType
    ) {}

    /// Returns the result unchanged.
    public func process(
        _ result: Result<TargetResponse, TargetError>, target: any TargetType
    ) -> Result<TargetResponse, TargetError> { result }
}

/// A request that is about to be sent, as plugins see it.
public protocol RequestType: Sendable {
    /// The request that the plugins have prepared.
    var request: URLRequest? { get }
    /// The header fields that the session adds.
    var sessionHeaders: [String: String] { get }

    /// Answers the challenges of servers with a user name and a password.
    @discardableResult
    func authenticate(
        username: String, password: String, persistence: URLCredential.Persistence
    ) -> Self

    /// Answers the challenges of servers with a credential.
    @discardableResult
    func authenticate(with credential: URLCredential) -> Self

    /// Passes the request as a `curl` command to a closure.
    @discardableResult
    func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self
}

/// A plugin that is notified once when a call begins and once when it ends.
protocol CallObserver {
    /// Notifies the plugin that a call sends its first request.
    func callDidBegin(_ target: any TargetType)
    /// Notifies the plugin that the call has ended.
    func callDidEnd(_ target: any TargetType)
}

/// A plugin that distinguishes calls whose prepared requests are equal.
protocol CallDistinguisher {
    /// Returns the values that must be equal for equal requests to share an exchange.
    func distinction(of target: any TargetType) -> [String?]?
}

/// The request of an attempt, with the handle of its task.
struct PreparedRequest: RequestType {
    let request: URLRequest?
    let handle: Request

    var sessionHeaders: [String: String] {
        handle.delegate.additionalHeaders.dictionary
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
