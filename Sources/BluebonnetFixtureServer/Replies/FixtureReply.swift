/// A scripted answer to one request.
///
/// A reply is a list of steps that the server performs in order. A list that ends without
/// `endRequest`, `close`, `reset` or `hold` is treated as though `endRequest` followed.
public struct FixtureReply: Sendable {
    /// One action of the server on the connection that carried the request.
    ///
    /// Every step after `send` waits until all bytes before it have been handed to the kernel,
    /// except `endRequest`.
    public enum Step: Sendable {
        /// Sends these bytes as they are.
        case send([UInt8])

        /// Waits before the next step.
        ///
        /// A client that closes its side meanwhile makes the server close the connection.
        case pause(milliseconds: Int)

        /// Waits for a reply from another thread, and performs its steps in this one's place.
        ///
        /// The closure runs on the server's thread and must be quick. A client that closes its side
        /// meanwhile makes the server close the connection.
        case `defer`(@Sendable (DeferredReply) -> Void)

        /// Ends the reply and keeps the connection for the next request.
        ///
        /// After a request that asked for `Connection: close` it acts like `close`.
        case endRequest

        /// Shuts down the sending direction, so that the client reads an end of file.
        ///
        /// What follows can only wait or close; without it the server waits for the client's close.
        case halfClose

        /// Closes the connection in an orderly way.
        case close

        /// Closes the connection with a TCP reset.
        case reset

        /// Answers nothing more and waits until the client closes.
        case hold

        /// Sends these bytes over and over, as fast as the client reads.
        case repeatForever([UInt8])

        /// Performs the steps the closure returns for 0, 1, 2 and so on until it returns nil.
        ///
        /// Each batch is asked for when the one before has been sent, so a long body needs little
        /// memory. The closure runs on the server's thread and must be quick.
        case generate(@Sendable (_ index: Int) -> [Step]?)

        /// Sends a status line and header fields, as they are.
        public static func head(
            status: Int, reason: String? = nil, headers: [(String, String)]
        ) -> Step {
            .send(ReplyHead.bytes(status: status, reason: reason, headers: headers))
        }
    }

    /// The steps in the order in which the server performs them.
    public let steps: [Step]

    /// Which steps carry the body; a HEAD request skips them.
    ///
    /// Empty in hand-written scripts.
    let bodySteps: Range<Int>

    init(steps: [Step], bodySteps: Range<Int> = 0..<0) {
        self.steps = steps
        self.bodySteps = bodySteps
    }

    func steps(forMethod method: String) -> [Step] {
        guard method == "HEAD", !bodySteps.isEmpty else { return steps }
        return Array(steps[..<bodySteps.lowerBound] + steps[bodySteps.upperBound...])
    }
}
