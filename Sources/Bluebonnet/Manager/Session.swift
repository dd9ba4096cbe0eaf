import BluebonnetTransport

/// Alamofire's name of the manager.
public typealias Session = HTTPSessionManager

extension SessionManager {
    /// What deadlines and delays go by.
    var clock: any SessionClock { settings.withLock { $0.session }.clock }

    /// What the tasks have in common.
    var configuration: SessionConfiguration { settings.withLock { $0.session }.configuration }

    /// Where the Swift tasks of hooks and interceptors run; nil for anywhere.
    var hookExecutor: (any TaskExecutor)? {
        settings.withLock { $0.session }.work.clock?.taskExecutor
    }
}
