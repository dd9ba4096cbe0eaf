/// One thing that a ``FaultServer`` does on a connection.
public enum FaultAction: Sendable {
    /// Waits for a whole request, which is kept in ``FaultServer/requests``.
    ///
    /// Nothing is answered, not even `Expect: 100-continue`.
    case request

    /// Reads so many bytes of whatever comes and throws them away.
    case receive(Int)

    /// Sends these bytes as they are.
    case send([UInt8])

    /// Sends these bytes one by one, with a pause before each.
    case drip([UInt8], milliseconds: Int)

    /// Sends these bytes over and over until the client goes.
    case repeatForever([UInt8])

    /// Waits, which is for when nothing that could be seen tells that the client has read.
    case pause(milliseconds: Int)

    /// Waits until ``FaultServer/signal()`` was called so many times.
    case await(signals: Int)

    /// Begins TLS with the server's identity; what follows is inside it.
    case startTLS

    /// Sends TLS's own end, the `close_notify` alert; nothing where there is no TLS.
    case closeNotify

    /// Ends the sending direction; in TLS without `close_notify`.
    case halfClose

    /// Ends the connection in order, in TLS with `close_notify`, and waits for the client's end.
    case close

    /// Closes at once, which is a reset where bytes of the client's are left unread.
    case abandon

    /// Closes with a TCP reset.
    case reset

    /// Reads nothing any more and waits for the client to go.
    case hold

    /// Reads and throws away everything until the client goes.
    case drain

    /// Answers well whatever is asked from here on, which is also what follows the last action.
    case serve

    /// Reads the client's preface of HTTP/2 and sends the server's, with these settings.
    case beginHTTP2([HTTP2Setting])

    /// Reads frames until a request has come whole on a stream, the first being 1 and the next 3; it
    /// is kept in ``FaultServer/requests`` without what its header fields say.
    case requestHTTP2(stream: UInt32)

    /// Reads frames until so many of a kind have come.
    case frames(HTTP2Frame.Kind, count: Int)

    /// Sends these characters in UTF-8.
    public static func send(_ text: String) -> FaultAction { .send(Array(text.utf8)) }

    /// Answers one request well and keeps the connection.
    public static var answer: FaultAction { .send(FaultScript.goodAnswer) }
}
