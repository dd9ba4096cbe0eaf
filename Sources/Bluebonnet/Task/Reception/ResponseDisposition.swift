/// How a data task continues after the head of its response has arrived.
public enum ResponseDisposition: Sendable {
    /// Receives the body.
    case allow
    /// Cancels the task, so that none of the body is received.
    case cancel
    /// Writes the body to a file, and turns the task into a download.
    ///
    /// For a stream, the body is received as with ``allow``.
    case becomeDownload
}
