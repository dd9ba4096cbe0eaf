/// Alamofire's name of the manager.
public typealias Session = HTTPSessionManager

extension SessionManager {
    /// Where the Swift tasks of hooks and interceptors run; nil for anywhere.
    var hookExecutor: (any TaskExecutor)? {
        settings.withLock { $0.session }.work.clock?.taskExecutor
    }
}
