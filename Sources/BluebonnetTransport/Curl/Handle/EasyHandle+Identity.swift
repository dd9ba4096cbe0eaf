import CBluebonnet

extension EasyHandle {
    /// Lets a new TLS connection to a server offer the pool's identity.
    func offerIdentity(in tlsContext: UnsafeMutableRawPointer) -> CURLcode {
        guard let identity = template.identity else { return CURLE_OK }
        return identity.offer(in: tlsContext) ? CURLE_OK : CURLE_SSL_CERTPROBLEM
    }
}
