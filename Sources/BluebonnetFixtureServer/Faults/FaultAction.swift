/// One action of a ``FaultServer`` on a connection.
public enum FaultAction: Sendable {
    /// Waits for a complete request and appends it to ``FaultServer/requests``.
    ///
    /// The server sends nothing, not even a response to `Expect: 100-continue`.
    case request

    /// Reads and discards this many bytes.
    case receive(Int)

    /// Sends these bytes as they are.
    case send([UInt8])

    /// Sends these bytes one by one, with a pause before each.
    case drip([UInt8], milliseconds: Int)

    /// Sends these bytes repeatedly until the client disconnects.
    case repeatForever([UInt8])

    /// Waits, for cases in which the server cannot observe that the client has read.
    case pause(milliseconds: Int)

    /// Waits until ``FaultServer/signal()`` has been called this many times in total.
    case await(signals: Int)

    /// Performs a TLS handshake with the server's identity, so that later actions run inside TLS.
    case startTLS

    /// Sends the `close_notify` alert, or nothing on a connection without TLS.
    case closeNotify

    /// Shuts down the sending direction, in TLS without `close_notify`.
    case halfClose

    /// Shuts down the sending direction, in TLS with `close_notify`, and waits for the client to
    /// close.
    case close

    /// Closes the socket at once, which resets the connection if bytes from the client are unread.
    case abandon

    /// Closes with a TCP reset.
    case reset

    /// Stops reading and waits for the client to disconnect.
    case hold

    /// Reads and discards everything until the client disconnects.
    case drain

    /// Sends a normal response to every further request.
    ///
    /// The server also does this after the last action of a script.
    case serve

    /// Reads the client's HTTP/2 preface and sends the server's, with these settings.
    case beginHTTP2([HTTP2Setting])

    /// Reads frames until a complete request has arrived on a stream.
    ///
    /// A client's first stream is 1, its next is 3. The request is appended to
    /// ``FaultServer/requests`` without its header fields.
    case requestHTTP2(stream: UInt32)

    /// Reads frames until this many of a kind have arrived.
    case frames(HTTP2Frame.Kind, count: Int)

    /// Sends this text in UTF-8.
    public static func send(_ text: String) -> FaultAction { .send(Array(text.utf8)) }

    /// Sends a normal response to one request and keeps the connection open.
    public static var answer: FaultAction { .send(FaultScript.goodAnswer) }
}
