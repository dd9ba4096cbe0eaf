/// A type that performs exchanges: it sends a request, receives a response, and decides nothing.
///
/// The session handles redirects, authentication, cookies and retries, each with another exchange.
/// ``CurlTransport`` talks to servers. To write a stub, implement a transport with
/// ``AnsweringTransfer``. A transport that wraps another one passes exchanges on to it, and can
/// observe and change the reports with ``transfer(for:reportingTo:relaying:)``.
public protocol Transport: Sendable {
    /// Returns a transfer of an exchange, which does nothing before ``Transfer/begin()`` is called.
    ///
    /// - Parameters:
    ///   - exchange: The request to send, and the limits for its response.
    ///   - sink: The receiver of the reports, which arrive in order and from one thread at a time.
    ///     Only the last report contains an end. A transfer that cannot begin also reports an end.
    /// - Returns: The transfer.
    func transfer(
        for exchange: consuming Exchange,
        reportingTo sink: any ExchangeSink
    ) -> any Transfer
}

extension Transport {
    /// Begins the transfer of an exchange and returns it.
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

/// An object that controls an exchange.
///
/// Every method can be called on any thread. All methods but ``begin()`` can be called any number
/// of times, even before ``begin()``. They do nothing once the exchange has ended.
public protocol Transfer: AnyObject, Sendable {
    /// Begins the exchange and returns immediately.
    ///
    /// Call it once. The sink receives no report before this call, and can receive all of them
    /// before this method returns. A transfer that is released without this call has no effect.
    func begin()
    /// Ends the exchange as soon as possible, and reports an end with `.cancelled` to its sink.
    func cancel()
    /// Ends the exchange like ``cancel()``, and closes its connection if no other exchange uses it.
    ///
    /// Call this for a response that violates a rule or a limit. If its server kept sending, the
    /// next exchange on that connection would have to wait. The default implementation calls
    /// ``cancel()``.
    func abort()
    /// Stops the exchange's data in both directions, and its idle timeout.
    func suspend()
    /// Resumes the data flow of a suspended exchange.
    func resume()
    /// Reports that the receiver has released a number of bytes of the response's body.
    ///
    /// This matters only if the exchange has a ``Exchange/receiveWindow``.
    func didConsume(_ count: Int)
    /// Changes the priority of an exchange that is still waiting for a connection.
    func setPriority(_ priority: Float)
}

extension Transfer {
    /// Cancels the exchange, which suits a transport without connections.
    public func abort() { cancel() }

    /// Does nothing, which suits a transport without a queue.
    public func setPriority(_ priority: Float) {}
}

/// The receiver of the reports of an exchange.
public protocol ExchangeSink: AnyObject, Sendable {
    /// Receives the events since the last report.
    ///
    /// This is called on the transport's own thread, which serves all other exchanges too. Store
    /// the report and return.
    func receive(_ report: consuming Exchange.Report)
    /// Calls a closure in which the transport delivers reports to this sink and to other sinks.
    ///
    /// A session wakes its threads once for all these reports. Call the closure once before
    /// returning. The default implementation does only that. A sink that wraps another one forwards
    /// the call.
    func gather(_ deliver: () -> Void)
}

extension ExchangeSink {
    /// Calls the closure.
    public func gather(_ deliver: () -> Void) { deliver() }
}
