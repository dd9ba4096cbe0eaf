/// The `Authentication-Info` that proves that a server knows the password (RFC 7616 section 3.5).
struct DigestExpectation: Sendable, Hashable {
    /// The expected `rspauth`, or nil if it cannot be computed.
    let proof: String?
    let nonceCount: String?
    let clientNonce: String?

    /// Checks the parameters that the server sent, and accepts missing ones.
    func check(_ parameters: [String: String]) throws(AuthenticationError.Reason) {
        if let sent = parameters["cnonce"], let clientNonce, sent != clientNonce {
            throw .mutualAuthenticationFailed("its cnonce differs from that of the request")
        }
        if let sent = parameters["nc"], let nonceCount, sent.lowercased() != nonceCount {
            throw .mutualAuthenticationFailed("its nc differs from that of the request")
        }
        guard let sent = parameters["rspauth"], let proof else { return }
        // The proof depends on the qop (RFC 7616 section 3.5).
        if let quality = parameters["qop"], quality.lowercased() != "auth" {
            throw .mutualAuthenticationFailed("its qop differs from that of the request")
        }
        guard sent.lowercased() == proof else {
            throw .mutualAuthenticationFailed("rspauth does not match")
        }
    }
}
