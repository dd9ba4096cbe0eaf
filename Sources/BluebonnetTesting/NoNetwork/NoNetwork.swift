public import Bluebonnet

/// A transport that sends nothing, and reports each request with the place it came from.
///
/// Give it to a session whose tests must not send anything:
///
/// ```swift
/// let network = NoNetwork { Issue.record("\($0)") }
/// let api = HTTPSessionManager(transport: network)
/// ```
///
/// Each exchange fails with the code `notConnectedToInternet`. Any thread may use it, at any time.
public final class NoNetwork: Transport {
    /// An unexpected request.
    public struct UnexpectedRequest: Sendable, CustomStringConvertible {
        /// The method.
        public let method: HTTPMethod
        /// The URL.
        public let url: URL
        /// What the caller says about the task.
        public let attributes: TaskAttributes
        /// The functions outside the library that were running when it was made, the innermost first, with
        /// file and line.
        ///
        /// They lead to the call that resumed the task. Later requests of a task, such as redirects, have
        /// none. Files and lines need debug information in the program.
        public let callStack: [String]

        /// The request, without what is secret, its tag, and the calls that led to it.
        public var description: String {
            let tag = attributes.tag.map { ", tagged \($0)" } ?? ""
            let lines = ["unexpected request: \(method.rawValue) \(url.withoutSecrets)\(tag)"]
            return (lines + callStack.map { "    \($0)" }).joined(separator: "\n")
        }
    }

    private let handler: @Sendable (UnexpectedRequest) -> Void
    private let unexpected = Locked<[UnexpectedRequest]>([])

    /// Makes a transport that tells of each request.
    ///
    /// - Parameter handler: Called with a request before its exchange begins, on the thread that makes it.
    ///   Record an issue of the test here. The default does nothing: look at ``requests``.
    public init(handler: @escaping @Sendable (UnexpectedRequest) -> Void = { _ in }) {
        self.handler = handler
    }

    /// The requests that were made, in order.
    public var requests: [UnexpectedRequest] { unexpected.withLock { $0 } }

    /// Makes the transfer of an exchange, which fails.
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
