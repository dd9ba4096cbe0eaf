#if ServiceLifecycle
public import Bluebonnet
public import ServiceLifecycle

/// A manager as a service of a `ServiceGroup`.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [SessionService(api, grace: .seconds(20)), server],
///     gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// A group shuts its services down in reverse order: list the manager before the services that send
/// requests with it.
public struct SessionService: Service {
    private let manager: SessionManager
    private let grace: Duration

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - manager: The manager.
    ///   - grace: The time that running tasks have after the graceful shutdown has begun, by default
    ///     30 seconds. Then they are canceled.
    public init(_ manager: SessionManager, grace: Duration = .seconds(30)) {
        (self.manager, self.grace) = (manager, grace)
    }

    /// Waits for the graceful shutdown, and shuts the manager down.
    ///
    /// Returns when all tasks have ended and their handlers have returned. Canceling the Swift task
    /// cancels the manager's tasks at once.
    public func run() async {
        // In a canceled Swift task, the manager grants no time.
        try? await gracefulShutdown()
        await manager.shutdown(cancelingAfter: grace)
    }
}
#endif
