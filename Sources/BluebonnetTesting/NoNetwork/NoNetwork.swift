public import Bluebonnet

/// A transport that sends nothing, and reports each request with the functions that led to it.
///
/// Pass it to a session whose tests must not send anything:
///
/// ```swift
/// let network = NoNetwork { Issue.record("\($0)") }
/// let api = HTTPSessionManager(transport: network)
/// ```
///
/// Each exchange fails with the code `notConnectedToInternet`. The transport can be used from any
/// thread at any time.
public final class NoNetwork: Transport {
    /// An unexpected request.
    public struct UnexpectedRequest: Sendable, CustomStringConvertible {
        /// The method.
        public let method: HTTPMethod
        /// The URL.
        public let url: URL
        /// The attributes that the caller set for the task.
        public let attributes: TaskAttributes
        /// The functions outside the library that were running when the request was created,
        /// innermost first, with file and line.
        ///
        /// They lead to the call that resumed the task. Later requests of a task, such as
        /// redirects, have none. Files and lines require debug information in the program.
        public let callStack: [String]

        /// The request without its secrets, its tag, and the calls that led to it.
        public var description: String {
            let tag = attributes.tag.map { ", tagged \($0)" } ?? ""
            let lines = ["unexpected request: \(method.rawValue) \(url.withoutSecrets)\(tag)"]
            return (lines + callStack.map { "    \($0)" }).joined(separator: "\n")
        }
    }

    private let handler: @Sendable (UnexpectedRequest) -> Void
    private let unexpected = Locked<[UnexpectedRequest]>([])

    /// Creates a transport that reports each request.
    ///
    /// - Parameter handler: Receives a request before its exchange begins, on the thread that
    ///   creates it. Record an issue of the test here. The default does nothing; check ``requests``
    ///   instead.
    public init(handler: @escaping @Sendable (UnexpectedRequest) -> Void = { _ in }) {
        self.handler = handler
    }

    /// The requests so far, in order.
    public var requests: [UnexpectedRequest] { unexpected.withLock { $0 } }

    /// Creates the transfer of an exchange, which fails.
    public func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        let request = UnexpectedRequest(
            method: HTTPMethod(rawValue: exchange.method),
            url: URL(string: exchange.url) ?? URL(fileURLWithPath: "/"),
            attributes: exchange.attributes, callStack: CallStack.outsideTheLibrary)
        unexpected.withLock { $0.append(request) }
        handler(request)
        return AnsweringTransfer(exchange, reportingTo: sink) { transfer in
            let failure = Exchange.Failure(
                .notConnectedToInternet,
                message: "this test has no network; give the session a StubTransport with a route")
            transfer.report(Exchange.Report(end: Exchange.End(failure: failure, wasSent: false)))
        }
    }
}
