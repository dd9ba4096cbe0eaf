import FoundationNetworking

/// The state shared by requests that answer one Digest challenge with successive nonces.
struct DigestSession: Sendable {
    let challenge: DigestChallenge
    /// The nonce for the next request, which `nextnonce` replaces.
    private(set) var nonce: String
    /// The client nonce of the first request in the session.
    ///
    /// With a `-sess` algorithm it is part of the session's key. Every request then sends it, so
    /// that a server that recomputes the key gets the same result.
    let firstClientNonce: String

    init(_ challenge: DigestChallenge, clientNonce: String) {
        self.challenge = challenge
        nonce = challenge.nonce
        firstClientNonce = clientNonce
    }

    mutating func use(nextNonce: String) {
        nonce = nextNonce
    }

    /// The values that differ between requests with the same nonce.
    struct Turn: Sendable {
        /// The number of uses of the nonce, including this request.
        let nonceCount: UInt32
        let clientNonce: String
    }

    /// Returns the authorization for one request.
    func authorization(
        of credential: URLCredential,
        line: AuthenticatedRequest.Line,
        body: AuthenticatedRequest.Body,
        turn: Turn
    ) throws(AuthenticationError.Reason) -> DigestAuthorization {
        let user = try UserCredential(credential, normalizes: challenge.usesUTF8)
        return try DigestAuthorization(
            session: self,
            user: user,
            line: line,
            body: body,
            turn: Turn(
                nonceCount: turn.nonceCount,
                clientNonce: challenge.algorithm.isSession ? firstClientNonce : turn.clientNonce
            )
        )
    }
}
