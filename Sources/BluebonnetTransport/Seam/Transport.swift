/// Performs exchanges: one request sent, one response received, nothing decided.
///
/// Redirects, authentication, cookies and retries are several exchanges, and are the session's.
/// A stub for tests is a transport of its own. Conform by calling the sink, from any one thread at
/// a time for an exchange, with reports in order, the last of which carries an end.
public protocol Transport: Sendable {
    /// Starts an exchange and returns at once.
    ///
    /// The sink hears of everything that happens, also of a failure to start, and of exactly one
    /// end. It may hear of it before this method has returned.
    func start(_ exchange: consuming Exchange, sink: any ExchangeSink) -> any Transfer
}

/// An exchange under way, as its starter controls it.
///
/// Every method may be called on any thread, any number of times, and does nothing once the
/// exchange has ended.
public protocol Transfer: Sendable {
    /// Ends the exchange as soon as possible; its sink hears of an end with `.cancelled`.
    func cancel()
    /// Stops the exchange's data in both directions, and its idle timeout with it.
    func suspend()
    /// Lets the data of a suspended exchange flow again.
    func resume()
    /// Says that so many bytes of the response's body need no memory any more.
    ///
    /// Only of interest with a ``Exchange/receiveWindow``.
    func didConsume(_ count: Int)
    /// Changes the priority of an exchange that still waits for a connection.
    func setPriority(_ priority: Float)
}

extension Transfer {
    /// Does nothing, as fits a transport without a line.
    public func setPriority(_ priority: Float) {}
}

/// Hears what happens to an exchange.
public protocol ExchangeSink: AnyObject, Sendable {
    /// Takes what happened since the last report.
    ///
    /// Runs on the transport's own thread, which serves every other exchange too: append it to
    /// something and return.
    func receive(_ report: consuming Exchange.Report)
}
