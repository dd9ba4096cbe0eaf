/// A clock that is notified while the library is working, so that its time can stand still.
///
/// A session reports as work: running tasks, jobs that are passed between threads, handlers, and
/// exchanges. A transport that calls ``Exchange/takeOverWork()`` reports the work of an exchange
/// itself. Waiting for the clock is not work, and neither is a suspended task.
///
/// `ManualClock` in the product BluebonnetTesting is such a clock. Work is not counted for other
/// clocks.
public protocol WorkObservingClock: SessionClock, AnyObject {
    /// Counts the beginning of a piece of work.
    ///
    /// The library is idle while every piece of work that has begun has ended. This method is
    /// called on any thread and must not block.
    func workDidBegin()

    /// Counts the end of a piece of work.
    ///
    /// This method is called on any thread, once for each call of ``workDidBegin()``.
    func workDidEnd()

    /// The executor that runs the Swift tasks of hooks, and counts them as work while they run.
    ///
    /// A hook that is suspended, whether it waits for the clock or for anything else, is not work.
    var taskExecutor: any TaskExecutor { get }
}
