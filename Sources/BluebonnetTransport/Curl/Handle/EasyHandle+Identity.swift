import CBluebonnet

extension EasyHandle {
    /// Sets up a new TLS connection to offer the pool's identity to the server.
    func offerIdentity(in tlsContext: UnsafeMutableRawPointer) -> CURLcode {
        guard let identity = template.identity else { return CURLE_OK }
        return identity.offer(in: tlsContext) ? CURLE_OK : CURLE_SSL_CERTPROBLEM
    }
}
