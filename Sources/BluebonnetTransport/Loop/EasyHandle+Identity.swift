import CBluebonnet

extension EasyHandle {
    /// Lets a new TLS connection offer the pool's identity, unless its peer is the proxy.
    func offerIdentity(in tlsContext: UnsafeMutableRawPointer) -> CURLcode {
        defer { tlsContextCount += 1 }
        // The first TLS of a connection to such a proxy is the proxy's own, the next is inside it.
        let isProxy = proxy?.scheme == .https && tlsContextCount == 0
        guard !isProxy, let identity = model.identity else { return CURLE_OK }
        return identity.offer(in: tlsContext) ? CURLE_OK : CURLE_SSL_CERTPROBLEM
    }
}
