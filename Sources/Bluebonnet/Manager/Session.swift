import BluebonnetTransport

/// The manager, under the name that Alamofire uses.
public typealias Session = HTTPSessionManager

extension SessionManager {
    /// The clock for deadlines and delays.
    var clock: any SessionClock { settings.withLock { $0.session }.clock }

    /// The configuration that the manager's tasks share, as it was when the manager was created.
    public var configuration: SessionConfiguration {
        settings.withLock { $0.session }.configuration
    }

    /// The executor for the Swift tasks of hooks and interceptors; nil for Swift's default.
    var hookExecutor: (any TaskExecutor)? {
        settings.withLock { $0.session }.work.clock?.taskExecutor
    }
}
