/// A clock that is told when the library works, so that its time can stand still meanwhile.
///
/// A session tells its clock of tasks under way, of what is on its way between threads, of handlers, and of exchanges
/// whose transport does not tell the clock itself (``Exchange/takeOverWork()``). Waiting for the clock
/// is no work, and neither is a suspended task. `ManualClock` of the product BluebonnetTesting is such a
/// clock; other clocks are told nothing, and cost nothing.
public protocol WorkObservingClock: SessionClock, AnyObject {
    /// Tells that work has begun; called on any thread, and must not block.
    ///
    /// The library is idle while as much work has ended as has begun.
    func workDidBegin()

    /// Tells that work has ended; called on any thread, once for each ``workDidBegin()``.
    func workDidEnd()

    /// Runs the Swift tasks of hooks, which are work only while they run.
    ///
    /// A hook that waits, for the clock or for anything else, is no work.
    var taskExecutor: any TaskExecutor { get }
}
