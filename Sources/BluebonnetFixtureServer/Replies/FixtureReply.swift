/// A scripted reply to one request.
///
/// A reply is a list of steps that the server performs in order. If the list does not end with
/// `endRequest`, `close`, `reset` or `hold`, the server adds `endRequest`.
public struct FixtureReply: Sendable {
    /// One action of the server on the connection that carried the request.
    ///
    /// Steps that send no bytes wait until the kernel has accepted all earlier bytes, except
    /// `endRequest`.
    public enum Step: Sendable {
        /// Sends these bytes as they are.
        case send([UInt8])

        /// Waits before the next step.
        ///
        /// If the client closes its side meanwhile, the server closes the connection.
        case pause(milliseconds: Int)

        /// Waits for a reply from another thread and performs that reply's steps in place of this
        /// one.
        ///
        /// The closure runs on the server's thread and must return quickly. If the client closes
        /// its side meanwhile, the server closes the connection.
        case `defer`(@Sendable (DeferredReply) -> Void)

        /// Ends the reply and keeps the connection for the next request.
        ///
        /// After a request with `Connection: close`, it acts like `close`.
        case endRequest

        /// Shuts down the sending direction, so that the client reads an end of file.
        ///
        /// Later steps can only wait or close. Without them, the server waits until the client
        /// closes.
        case halfClose

        /// Closes the connection in an orderly way.
        case close

        /// Closes the connection with a TCP reset.
        case reset

        /// Sends nothing more and waits until the client closes.
        case hold

        /// Sends these bytes repeatedly, as fast as the client reads.
        case repeatForever([UInt8])

        /// Performs the steps that the closure returns for 0, 1, 2 and so on until it returns nil.
        ///
        /// The closure is called again only after its previous steps have been performed, so a long
        /// body needs little memory. It runs on the server's thread and must return quickly.
        case generate(@Sendable (_ index: Int) -> [Step]?)

        /// Sends a status line and header fields without checking them.
        public static func head(
            status: Int, reason: String? = nil, headers: [(String, String)]
        ) -> Step {
            .send(ReplyHead.bytes(status: status, reason: reason, headers: headers))
        }
    }

    /// The steps, in the order in which the server performs them.
    public let steps: [Step]

    /// The indices of the steps that carry the body, which a HEAD request skips.
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
