import CBluebonnet

/// Called by libcurl with the `SSL_CTX` of each new TLS connection, on the loop thread.
func prepareTLS(
    easy: UnsafeMutableRawPointer?,
    tlsContext: UnsafeMutableRawPointer?,
    context: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let context, let tlsContext else { return CURLE_SSL_CONNECT_ERROR }
    return EasyHandle.from(context).offerIdentity(in: tlsContext)
}
