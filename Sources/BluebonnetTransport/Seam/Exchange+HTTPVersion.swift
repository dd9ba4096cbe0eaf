extension Exchange {
    /// The version of HTTP that a pool's connections speak.
    ///
    /// HTTP/2 carries many exchanges on one connection. It takes libcurl 8.14 or newer, as Debian 13
    /// and the backports of Debian 12 have it: with an older one, whose HTTP/2 has faults that hang
    /// exchanges and cut responses short, an exchange that asks for it fails.
    ///
    /// A stream that the server resets without an error looks whole where the response has no length.
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/2 where TLS negotiates it and libcurl is 8.14 or newer, else HTTP/1.1.
        case automatic
        /// HTTP/1.1.
        case http1
        /// HTTP/2 where TLS negotiates it; otherwise, and without TLS, HTTP/1.1.
        ///
        /// Fails with libcurl before 8.14.
        case http2
        /// Like `.http2`, and without TLS HTTP/2 from the first byte, which the server must speak.
        ///
        /// Fails with libcurl before 8.14.
        case http2PriorKnowledge
    }
}
