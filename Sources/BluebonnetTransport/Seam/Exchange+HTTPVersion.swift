extension Exchange {
    /// The version of HTTP that a pool's connections speak.
    ///
    /// HTTP/2 carries many exchanges on one connection. Before 8.14 libcurl has faults with it:
    /// cancelled downloads use up the window of a connection that others never leave, until it
    /// stalls; an answer to an upload that is not whole is lost; the first exchanges of a burst may
    /// open a connection each; and a paused exchange takes up to 32 MB while others on its
    /// connection go on. A frame that comes while a connection is idle makes old versions drop it
    /// at its next use.
    ///
    /// With every version a stream that the server resets without an error looks whole, where the
    /// response has no length; before 8.14 so does one that ends with a connection whose server
    /// breaks the protocol.
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/2 where TLS negotiates it and libcurl is 8.14 or newer, else HTTP/1.1.
        case automatic
        /// HTTP/1.1.
        case http1
        /// HTTP/2 where TLS negotiates it, whatever the libcurl; else, and without TLS, HTTP/1.1.
        case http2
        /// Like `.http2`, and without TLS HTTP/2 from the first byte, which the server must speak.
        ///
        /// Before libcurl 8.14 each exchange in plain text has a connection of its own, because the
        /// second on a connection would hang.
        case http2PriorKnowledge
    }
}
