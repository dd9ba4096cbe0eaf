/// What `Authentication-Info` must say if it proves that the server knows the password (RFC 7616
/// section 3.5).
struct DigestExpectation: Sendable, Hashable {
    /// The right `rspauth`; nil where it cannot be told.
    let proof: String?
    let nonceCount: String?
    let clientNonce: String?

    /// Checks what the server says about itself; what it does not say is not missed.
    func check(_ parameters: [String: String]) throws(AuthenticationError.Reason) {
        if let sent = parameters["cnonce"], let clientNonce, sent != clientNonce {
            throw .mutualAuthenticationFailed("it answers to another cnonce")
        }
        if let sent = parameters["nc"], let nonceCount, sent.lowercased() != nonceCount {
            throw .mutualAuthenticationFailed("it answers to another nc")
        }
        guard let sent = parameters["rspauth"], let proof else { return }
        // A qop other than the request's would make the proof another one (RFC 7616 section 3.5).
        if let quality = parameters["qop"], quality.lowercased() != "auth" {
            throw .mutualAuthenticationFailed("it answers with another qop")
        }
        guard sent.lowercased() == proof else {
            throw .mutualAuthenticationFailed("rspauth does not match")
        }
    }
}
