/// Performs exchanges: one request sent, one response received, nothing decided.
///
/// Redirects, authentication, cookies and retries are several exchanges, and are the session's.
/// ``CurlTransport`` is the one that talks to servers. A stub is a transport of its own, for which
/// ``AnsweringTransfer`` does the work. A transport that wraps another passes exchanges on to it, and
/// sees what comes back with
/// ``transfer(for:reportingTo:relaying:)``.
public protocol Transport: Sendable {
    /// Makes the transfer of an exchange, which does nothing before ``Transfer/begin()``.
    ///
    /// - Parameters:
    ///   - exchange: What to send, and the limits of what comes back.
    ///   - sink: Who hears what happens: reports in order, from one thread at a time, the last of which
    ///     carries the one end. A transfer that cannot begin reports an end, too.
    /// - Returns: The transfer.
    func transfer(
        for exchange: consuming Exchange,
        reportingTo sink: any ExchangeSink
    ) -> any Transfer
}

extension Transport {
    /// Makes the transfer of an exchange and begins it.
    @discardableResult
    public func start(
        _ exchange: consuming Exchange,
        reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        let transfer = transfer(for: exchange, reportingTo: sink)
        transfer.begin()
        return transfer
    }
}

/// An exchange as its maker controls it.
///
/// Every method may be called on any thread. All but ``begin()`` may be called any number of times,
/// before it too, and do nothing once the exchange has ended.
public protocol Transfer: AnyObject, Sendable {
    /// Lets the exchange begin, and returns at once; called once.
    ///
    /// The sink hears nothing before, and may hear of everything before this method has returned. A
    /// transfer that is let go without it was never there.
    func begin()
    /// Ends the exchange as soon as possible; its sink hears of an end with `.cancelled`.
    func cancel()
    /// Ends the exchange as ``cancel()`` does, and closes its connection where no other exchange uses it.
    ///
    /// For a response that breaks a rule or a limit: a server that goes on regardless would keep the next
    /// exchange on that connection waiting. The default is ``cancel()``.
    func abort()
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
    /// Cancels, as fits a transport without connections.
    public func abort() { cancel() }

    /// Does nothing, as fits a transport without a queue.
    public func setPriority(_ priority: Float) {}
}

/// Hears what happens to an exchange.
public protocol ExchangeSink: AnyObject, Sendable {
    /// Takes what happened since the last report.
    ///
    /// Runs on the transport's own thread, which serves every other exchange too: append it to
    /// something and return.
    func receive(_ report: consuming Exchange.Report)
    /// Runs a closure in which a transport brings reports to this sink, and to others of its exchanges.
    ///
    /// A session wakes its threads once for all that comes in it. Call the closure once before you
    /// return. The default does that and nothing else; a sink in front of another one passes it on.
    func gather(_ deliver: () -> Void)
}

extension ExchangeSink {
    /// Runs the closure.
    public func gather(_ deliver: () -> Void) { deliver() }
}
