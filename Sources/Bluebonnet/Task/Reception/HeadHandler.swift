/// A task's own handler for the head of the response, called before any of the body is delivered.
package enum HeadHandler: Sendable {
    case tell(@Sendable (ResponseHead) -> Void)
    /// Decides what becomes of the response, which waits for the answer.
    case ask(@Sendable (ResponseHead) async -> ResponseDisposition)
}
