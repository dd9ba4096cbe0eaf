extension Exchange {
    /// The version of HTTP that a pool's connections speak.
    ///
    /// HTTP/2 carries many exchanges on one connection. It requires libcurl 8.14 or newer, which is
    /// in Debian 13 and in the backports of Debian 12. Older versions have bugs in HTTP/2 that hang
    /// exchanges and truncate responses, so an exchange that requires HTTP/2 fails with them.
    ///
    /// If the server resets a stream without an error, a response without a length looks complete.
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/2 if TLS negotiates it and libcurl is 8.14 or newer, otherwise HTTP/1.1.
        case automatic
        /// HTTP/1.1.
        case http1
        /// HTTP/2 if TLS negotiates it, otherwise, and without TLS, HTTP/1.1.
        ///
        /// Fails with libcurl before 8.14.
        case http2
        /// Like `.http2`, but HTTP/2 from the first byte without TLS.
        ///
        /// Without TLS, the server must speak HTTP/2. Fails with libcurl before 8.14.
        case http2PriorKnowledge
    }
}
