/// What becomes of a data task whose response's head has arrived.
public enum ResponseDisposition: Sendable {
    /// The body is received.
    case allow
    /// The task ends as cancelled; nothing of the body is received.
    case cancel
    /// The body goes to a file, and the task becomes a download; that of a stream is received.
    case becomeDownload
}
